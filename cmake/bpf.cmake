# BPF programs: bpf/NAME.bpf.c → NAME.skel.h, compiled for the target's register layout.

find_program(BPF_CLANG NAMES clang clang-14 REQUIRED)
find_program(BPFTOOL NAMES bpftool PATHS /usr/sbin REQUIRED)

set(KCOST_GENERATED ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${KCOST_GENERATED})

if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(BPF_ARCH arm64)
  set(BPF_TRIPLET aarch64-linux-gnu)
else()
  set(BPF_ARCH x86)
  set(BPF_TRIPLET x86_64-linux-gnu)
endif()

# asm/types.h lives in the architecture's include folder; types are the same on all of ours.
find_path(BPF_ASM_INCLUDE asm/types.h
  PATHS /usr/include/${BPF_TRIPLET} /usr/${BPF_TRIPLET}/include /usr/include/x86_64-linux-gnu
        /usr/include/aarch64-linux-gnu
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(BPF_HELPERS_INCLUDE bpf/bpf_helpers.h REQUIRED)

file(GLOB BPF_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bpf/*.bpf.c)
file(GLOB BPF_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bpf/*.h)
set(BPF_SKELETONS)
foreach(source ${BPF_SOURCES})
  get_filename_component(name ${source} NAME)
  string(REPLACE ".bpf.c" "" name ${name})
  set(object ${KCOST_GENERATED}/${name}.bpf.o)
  set(skeleton ${KCOST_GENERATED}/${name}.skel.h)
  add_custom_command(
    OUTPUT ${skeleton}
    COMMAND ${BPF_CLANG} -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Werror
            -D__TARGET_ARCH_${BPF_ARCH} -I${BPF_HELPERS_INCLUDE} -isystem ${BPF_ASM_INCLUDE}
            -c ${source} -o ${object}
    COMMAND ${BPFTOOL} gen skeleton ${object} name ${name}_bpf > ${skeleton}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${skeleton}.new ${skeleton}
    DEPENDS ${source} ${BPF_HEADERS}
    COMMENT "BPF ${name}"
    VERBATIM)
  list(APPEND BPF_SKELETONS ${skeleton})
endforeach()
add_custom_target(kcost_skeletons DEPENDS ${BPF_SKELETONS})
