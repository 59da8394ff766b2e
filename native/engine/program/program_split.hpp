// A program that is decided by the whole image, in two: what is computed of the whole image once, and what windows can do.
#pragma once
#include <optional>
#include <string>

#include "program.hpp"

namespace morpho::engine {

/// A grey reconstruction without limit carries values as far as a structure goes, so that no window tells what it gives. Its
/// two inputs a window does tell, where every step that they need looks no farther than a halo.
struct SplitProgram {
  /// The steps that the reconstruction's inputs need, and no others. It keeps two planes, "marker" and "mask".
  Program before;
  i32 halo = 0;  ///< how far before looks, px
  ReconstructParams how;
  PixelType type = PixelType::u8;  ///< of both, and of what comes out
  /// The program with Op::ground in the reconstruction's place, without the steps that nobody reads then.
  Program after;
  /// Names what the whole image gives: programs with the same have the same, whatever their other steps are.
  std::string key;
};

/// At the program's first grey reconstruction without limit. Nothing where there is none, and where its inputs depend on more
/// than a halo: such a program is one for whole images alone. O(steps²).
std::optional<SplitProgram> split_at_ground(const Program& program);

}  // namespace morpho::engine
