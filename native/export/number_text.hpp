// Numbers as JavaScript writes them, in the two roundings that exports have: the same bytes as String and JSON.stringify give.
#pragma once
#include <string>

#include "contract/view.hpp"

namespace morpho::exports {

/// Appends what String(Number(value.toPrecision(7))) is: seven significant digits of the exact binary value, halves away from
/// zero, no trailing zeros, an exponent below 1e-6 and from 1e21 on. The value is finite.
void append_seven_digits(std::string& out, double value);

/// What Math.round(value * 1e4) / 1e4 is: halves up.
double to_ten_thousandths(double value);

/// Appends what String is of that. The value is finite.
void append_ten_thousandths(std::string& out, double value);

/// Appends what String(value) is: the shortest decimal that reads back as the same double. The value is finite.
void append_shortest(std::string& out, double value);

void append_integer(std::string& out, i64 value);

}  // namespace morpho::exports
