# kcost_table(FOLDER TYPE): an explicit, sorted table of the folder's plug-ins. Each
# src/FOLDER/NAME.cpp that says "const TYPE kTypeName" (NAME in PascalCase) is a row, or several if
# it says so of a few that are alike; one that promises a row and has none is a link error that
# names it. No constructors at load time.

set(KCOST_TABLES)
function(kcost_table folder type)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp)
  list(SORT sources)
  string(TOLOWER ${type} lower)
  set(declarations)
  set(rows)
  foreach(source ${sources})
    file(STRINGS ${source} lines REGEX "^(extern )?const ${type} k${type}[A-Za-z0-9]+")
    # A row's line may end in "= {" or ";", which would end a list's element.
    string(REGEX MATCHALL "const ${type} k${type}[A-Za-z0-9]+" promises "${lines}")
    foreach(promise ${promises})
      string(REPLACE "const ${type} " "" symbol "${promise}")
      string(APPEND declarations "extern const ${type} ${symbol};\n")
      string(APPEND rows "    &${symbol},\n")
    endforeach()
    # A plug-in that is added to or taken from a file makes the table anew.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  set(table ${KCOST_GENERATED}/${lower}_table.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT
"// Made by cmake/table.cmake from the files of src/${folder}.
#include \"${folder}/${lower}.h\"
#include \"${folder}/${lower}_table.h\"

namespace kcost {
${declarations}
const std::vector<const ${type}*>& ${lower}_table() {
    static const std::vector<const ${type}*> table = {
${rows}    };
    return table;
}
}  // namespace kcost
" @ONLY)
  set(KCOST_TABLES ${KCOST_TABLES} ${table} PARENT_SCOPE)
endfunction()
