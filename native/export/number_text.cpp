// Numbers as text, correctly rounded: a product with a power of ten where that decides, the exact decimal expansion elsewhere.
#include "number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace morpho::exports {
namespace {

/// The powers of ten that a double holds exactly.
constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// 0.DIGITS × 10^point, laid out as ECMAScript's Number::toString does; the last digit is not 0.
void append_decimal(std::string& out, const char* digits, int count, int point) {
  const auto size = static_cast<std::size_t>(count);
  if (point > 21 || point <= -6) {
    out.push_back(digits[0]);
    if (count > 1) {
      out.push_back('.');
      out.append(digits + 1, size - 1);
    }
    out.push_back('e');
    if (point > 0) out.push_back('+');
    append_integer(out, point - 1);
  } else if (point <= 0) {
    out.append("0.");
    out.append(static_cast<std::size_t>(-point), '0');
    out.append(digits, size);
  } else if (count <= point) {
    out.append(digits, size);
    out.append(static_cast<std::size_t>(point - count), '0');
  } else {
    out.append(digits, static_cast<std::size_t>(point));
    out.push_back('.');
    out.append(digits + point, static_cast<std::size_t>(count - point));
  }
}

/// `number` of at most 19 digits, > 0, times 10^(point - its digits).
void append_scaled(std::string& out, i64 number, int point) {
  while (number % 10 == 0) number /= 10;
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  append_decimal(out, digits, static_cast<int>(end - digits), point);
}

/// For what is too small or too large for a product: seven digits of the exact value, and then what the double of that is, as
/// subnormals have fewer digits than seven.
void append_seven_by_expansion(std::string& out, double value) {
  // No double has more than 767 significant digits.
  std::array<char, 800> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 770).ptr;
  const char* e = static_cast<const char*>(std::memchr(text.data(), 'e', static_cast<std::size_t>(end - text.data())));
  i64 number = text[0] - '0';
  for (std::size_t i = 2; i < 8; ++i) number = number * 10 + (text[i] - '0');
  if (text[8] >= '5') ++number;
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  const std::string decimal = std::to_string(number) + 'e' + std::to_string(exponent - 6);
  double rounded = 0;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), rounded);
  append_shortest(out, rounded);
}

/// Math.round(value * 1e4).
double rounded_parts(double value) {
  const double parts = value * 1e4, below = std::floor(parts);
  return parts - below >= 0.5 ? below + 1 : below;
}

}  // namespace

double to_ten_thousandths(double value) { return rounded_parts(value) / 1e4; }

void append_integer(std::string& out, i64 value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

void append_seven_digits(std::string& out, double value) {
  if (value == 0) {
    out.push_back('0');
    return;
  }
  if (value < 0) {
    out.push_back('-');
    value = -value;
  }
  if (value < 1e-15 || value >= 1e22) return append_seven_by_expansion(out, value);
  // 10^exponent <= value < 10^(exponent + 1), perhaps but for one: log10(2) of the binary exponent, which is 0 to 0.31 too low.
  int exponent = static_cast<int>(std::floor(std::ilogb(value) * 0.30102999566398120));
  const auto shifted = [&](int by) { return by >= 0 ? value * kPowers[by] : value / kPowers[-by]; };
  double seven = shifted(6 - exponent);
  if (seven >= 1e7) seven = shifted(6 - ++exponent);
  // The product is rounded, so where it stands at a half, what was rounded away decides.
  i64 number = static_cast<i64>(seven);
  const double rest = seven - static_cast<double>(number);
  if (rest > 0.5) {
    ++number;
  } else if (rest == 0.5) {
    const int by = 6 - exponent;
    const double lost = by >= 0 ? std::fma(value, kPowers[by], -seven) : std::fma(-seven, kPowers[-by], value);
    if (lost >= 0) ++number;
  }
  append_scaled(out, number, number == 10'000'000 ? exponent + 2 : exponent + 1);
}

void append_ten_thousandths(std::string& out, double value) {
  const double whole = rounded_parts(value);
  // Fifteen digits are told apart by doubles: the quotient's shortest decimal is these digits.
  if (!(std::abs(whole) < 1e15)) return append_shortest(out, whole / 1e4);
  if (whole < 0) out.push_back('-');
  const i64 number = static_cast<i64>(std::abs(whole));
  append_integer(out, number / 10'000);
  i64 rest = number % 10'000;
  if (rest == 0) return;
  char digits[5] = {'.', static_cast<char>('0' + rest / 1000), static_cast<char>('0' + rest / 100 % 10),
                    static_cast<char>('0' + rest / 10 % 10), static_cast<char>('0' + rest % 10)};
  std::size_t count = 5;
  while (digits[count - 1] == '0') --count;
  out.append(digits, count);
}

void append_shortest(std::string& out, double value) {
  if (value == 0) {
    out.push_back('0');
    return;
  }
  if (value < 0) out.push_back('-');
  char text[40];
  const char* end = std::to_chars(text, text + sizeof text, std::abs(value), std::chars_format::scientific).ptr;
  const char* e = static_cast<const char*>(std::memchr(text, 'e', static_cast<std::size_t>(end - text)));
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  char digits[40];
  int count = 0;
  for (const char* c = text; c != e; ++c)
    if (*c != '.') digits[count++] = *c;
  append_decimal(out, digits, count, exponent + 1);
}

}  // namespace morpho::exports
