// Where Windows finds the functions of Node that the addon calls: in the program that loaded it, whatever its name (mingw).
#if defined(_WIN32) && !defined(_MSC_VER)
#include <windows.h>

#include <delayimp.h>

namespace {

FARPROC WINAPI host_of(unsigned event, DelayLoadInfo* info) {
  if (event != dliNotePreLoadLibrary || lstrcmpiA(info->szDll, "node.exe") != 0) return nullptr;
  return reinterpret_cast<FARPROC>(GetModuleHandleW(nullptr));
}

}  // namespace

extern "C" {
PfnDliHook __pfnDliNotifyHook2 = host_of;
}
#endif
