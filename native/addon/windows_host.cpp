// Where Windows finds the functions of Node that the addon calls: in the program that loaded it, whatever its name (mingw).
#if defined(_WIN32) && !defined(_MSC_VER)
#include <windows.h>

#include <delayimp.h>

extern "C" {
extern IMAGE_DOS_HEADER __ImageBase;
// Of libnode_host.a, which windows_host.cmake makes: names and places of what is used of it.
extern const ImgDelayDescr __DELAY_IMPORT_DESCRIPTOR_libnode_host_a;
}

namespace {

FARPROC WINAPI host_of(unsigned event, DelayLoadInfo* info) {
  if (event != dliNotePreLoadLibrary || lstrcmpiA(info->szDll, "node.exe") != 0) return nullptr;
  return reinterpret_cast<FARPROC>(GetModuleHandleW(nullptr));
}

/// All are bound before any is called: dlltool's code for a first call keeps four registers, and none of those that hold
/// doubles. The first napi_create_double gave 0 where the search itself used one. What this Node lacks stays to its call, which
/// then says so.
const struct Bound {
  Bound() {
    const HMODULE host = GetModuleHandleW(nullptr);
    const auto* name = at<const IMAGE_THUNK_DATA>(__DELAY_IMPORT_DESCRIPTOR_libnode_host_a.rvaINT);
    auto* place = at<IMAGE_THUNK_DATA>(__DELAY_IMPORT_DESCRIPTOR_libnode_host_a.rvaIAT);
    for (; name->u1.AddressOfData; ++name, ++place)
      if (const FARPROC found = GetProcAddress(host, at<const IMAGE_IMPORT_BY_NAME>(name->u1.AddressOfData)->Name))
        place->u1.Function = reinterpret_cast<ULONG_PTR>(found);
  }

  template <class T>
  static T* at(ULONG_PTR offset) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(&__ImageBase) + offset);
  }
} bound;

}  // namespace

extern "C" {
PfnDliHook __pfnDliNotifyHook2 = host_of;
}
#endif
