#!/usr/bin/env bash
# Inside windows.sh's system: Debian's sources of libjpeg-turbo and libtiff as DLLs, and what Wine 8 lacks, in /opt/windows. Kept between runs.
#   windowsLibraries.sh MIRROR
set -euo pipefail
[ ! -e /opt/windows/done ] || exit 0
rm -rf /opt/windows /tmp/sources
mkdir -p /opt/windows /tmp/sources/lists/partial
cd /tmp/sources
echo "deb-src $1 bookworm main" > sources.list
ask=(apt-get -qq -o "Dir::Etc::SourceList=$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$PWD/lists" -o APT::Sandbox::User=root)
"${ask[@]}" update
"${ask[@]}" source --download-only libjpeg-turbo tiff
for name in libjpeg-turbo tiff; do
  mkdir $name
  tar xf "$name"_*.orig.tar.* --strip-components=1 -C $name
done

cross=(-G Ninja -DCMAKE_TOOLCHAIN_FILE=/checkout/native/toolchains/windows-x64.cmake -DCMAKE_RC_COMPILER=x86_64-w64-mingw32-windres
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr)
# Its vector code is assembler, and gives the same bytes.
cmake -S libjpeg-turbo -B jpeg "${cross[@]}" -DWITH_SIMD=0 -DENABLE_STATIC=0
ninja -C jpeg jpeg turbojpeg
cp libjpeg-turbo/jpeglib.h libjpeg-turbo/jmorecfg.h libjpeg-turbo/jerror.h jpeg/
off=()
for part in tiff-tools tiff-tests tiff-contrib tiff-docs cxx jbig lerc lzma zstd webp libdeflate pixarlog; do off+=("-D$part=OFF"); done
cmake -S tiff -B libtiff "${cross[@]}" "${off[@]}" -DJPEG_INCLUDE_DIR="$PWD/jpeg" -DJPEG_LIBRARY="$PWD/jpeg/libjpeg.dll.a"
ninja -C libtiff tiff
cp jpeg/libturbojpeg.dll jpeg/libjpeg-62.dll /usr/x86_64-w64-mingw32/lib/zlib1.dll /opt/windows/
cp libtiff/libtiff/libtiff.dll /opt/windows/libtiff-6.dll
x86_64-w64-mingw32-gcc-posix -O1 -shared -static /checkout/test/package/bcryptprimitives.c -o /opt/windows/bcryptprimitives.dll -ladvapi32
touch /opt/windows/done
