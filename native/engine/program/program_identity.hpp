// What makes two programs the same program: every value of every step, exactly.
#pragma once
#include <string>
#include <string_view>

#include "program.hpp"

namespace morpho::engine {

/// Two programs with the same identity give the same planes of the same pixels. It has all of each step that may show in a
/// plane: the operation, its planes, all parameters bit by bit, names, registers and reach; and the types of planes that
/// are taken. Not in it: chosen variants of exact operations, and what decides a step, for who asks why. Printable.
std::string identity_of(const Program& program);
/// The same of the first `steps` steps.
std::string identity_of(const Program& program, std::size_t steps);
/// 64 bits of it (FNV-1a), for tables; equality is that of the whole text.
u64 hash_of(std::string_view identity);

}  // namespace morpho::engine
