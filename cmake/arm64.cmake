# Cross build for the lab's guests: Debian's cross compiler, libraries from the sysroot that tests/lab/sysroot makes,
# static programs. KCOST_SYSROOT names that sysroot.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# CMake reads this file again in its trial projects, which know only the variables named here.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KCOST_SYSROOT)
if(NOT KCOST_SYSROOT)
  message(FATAL_ERROR "KCOST_SYSROOT is not set: -DKCOST_SYSROOT=$(tests/lab/sysroot)")
endif()

# Not CMAKE_SYSROOT: the C library stays the cross compiler's own.
set(CMAKE_FIND_ROOT_PATH ${KCOST_SYSROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${KCOST_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${KCOST_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${KCOST_SYSROOT}/usr/share/pkgconfig)

# <bpf/libbpf.h> and the like, before the compiler's last resort, which is the host's /usr/include.
include_directories(SYSTEM ${KCOST_SYSROOT}/usr/include)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -L${KCOST_SYSROOT}/usr/lib/aarch64-linux-gnu")
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
