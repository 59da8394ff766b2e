# To be sourced in the repository's root on the other machine: what test/carry.sh packed, and the addon, built there with the GPU's part.
#   source test/unpack.sh FOLDER       then "${MORPHOSCOPE[@]}" run "$SLIDES/x.svs" …
# What is there already is kept. ARCHITECTURES: what to build for (default: 90).
export PATH=$PATH:/usr/local/cuda/bin
[[ -x build/carried/node ]] || { mkdir -p build/carried && tar -C build/carried -xJf "$1/program.tar.xz"; }
[[ -e node_modules ]] || ln -s "$PWD/build/carried/node_modules" node_modules
[[ -e dist ]] || tar -xJf "$1/dist.tar.xz"
export LD_LIBRARY_PATH=$PWD/build/carried/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH=$PWD/build/carried:$PATH
cmake -S native -B build/native -DCMAKE_BUILD_TYPE=Release -DMORPHO_ADDON=ON -DMORPHO_CUDA=ON -DMORPHO_CUDA_ARCHITECTURES="${ARCHITECTURES:-90}" >build/addon.log 2>&1 &&
  cmake --build build/native --target addon -j "$(nproc)" >>build/addon.log 2>&1 || { grep -E -A3 'error|Error' build/addon.log | head -40; tail -5 build/addon.log; }
MORPHOSCOPE=("$PWD/build/carried/node" app/cli/morphoscope.cjs)
SLIDES=$PWD/build/carried/slides
