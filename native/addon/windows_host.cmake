# Links the addon with the program that loads it, whatever its name is: node.exe, or Electron's Morphoscope.exe. For mingw; MSVC has cmake-js's.
# The functions are Node-API's, as node-api-headers lists them; they are bound when the first is called (windows_host.cpp).
set(host_functions "NAME NODE.EXE\nEXPORTS\n")
foreach(list js_native_api node_api)
  file(STRINGS ${root}/node_modules/node-api-headers/def/${list}.def lines)
  list(FILTER lines INCLUDE REGEX "^(napi|node_api)_")
  list(JOIN lines "\n" lines)
  string(APPEND host_functions "${lines}\n")
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/node_host.def "${host_functions}")
execute_process(COMMAND ${CMAKE_DLLTOOL} --input-def node_host.def --output-delaylib libnode_host.a
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND_ERROR_IS_FATAL ANY)
target_link_libraries(addon PRIVATE ${CMAKE_BINARY_DIR}/libnode_host.a)
