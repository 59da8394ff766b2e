// A recipe as what it is: a list of steps on numbered planes, which any interpreter may run. It holds no memory and no pixels.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "step_operations.hpp"

namespace morpho::engine {

/// A plane of the program, by its number. none: absent.
struct Field {
  i32 number = -1;
  bool present() const { return number >= 0; }
};
/// A number that only the pixels tell (how many labels there are, the slide's level), by its place among such numbers.
struct Register {
  i32 number = -1;
};

/// Every operation of a program: those of the table by its names, and what recipes add to them.
enum class Op : u8 {
  // Structure. What is between begin and end is a block; planes taken in one are given back at its end.
  stage,  ///< begins a timed stage, `name`
  scope,  ///< begins a block without a name
  look,   ///< begins a block that only matters to who looks at planes
  end,    ///< of the latest block that has not ended
  take,   ///< memory for the plane out[0], uninitialised
  keep,   ///< in[0] is the plane `name` to look at; KeepParams
#define MORPHO_OP(name) name,
  MORPHO_IMAGE_OPERATIONS(MORPHO_OP)  // with their descriptor's images, in its order
  MORPHO_COMPOUND_STEPS(MORPHO_OP)    // step_operations.hpp
#undef MORPHO_OP
};
const char* name_of(Op op);
inline bool begins_block(Op op) { return op == Op::stage || op == Op::scope || op == Op::look; }

/// The place of a descriptor's operation among them.
template <class O>
struct OpOf;
#define MORPHO_OP(name)                   \
  template <>                             \
  struct OpOf<op::name> {                 \
    static constexpr Op value = Op::name; \
  };
MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
#undef MORPHO_OP
/// fn(O{}) with the descriptor of an operation; false for structure, which has none.
template <class Fn>
bool visit_operation(Op op, Fn&& fn) {
  switch (op) {
#define MORPHO_OP(name) \
  case Op::name: fn(op::name{}); return true;
    MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
#undef MORPHO_OP
#define MORPHO_OP(name) \
  case Op::name: fn(step::name{}); return true;
    MORPHO_COMPOUND_STEPS(MORPHO_OP)
#undef MORPHO_OP
    default: return false;
  }
}

/// A std::variant of what is given and of each of T once.
template <class Variant, class... T>
struct WithEach {
  using type = Variant;
};
template <class... V, class First, class... T>
struct WithEach<std::variant<V...>, First, T...>
    : WithEach<std::conditional_t<(std::is_same_v<V, First> || ...), std::variant<V...>, std::variant<V..., First>>, T...> {};
#define MORPHO_OP(name) , op::name::Params
#define MORPHO_STEP(name) , step::name::Params
using StepParams = WithEach<std::variant<std::monostate, KeepParams> MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
                                MORPHO_COMPOUND_STEPS(MORPHO_STEP)>::type;
#undef MORPHO_OP
#undef MORPHO_STEP

/// What a parameter of the recipe decides at a step, for who asks why a pixel is where it is (explain.hpp). No interpreter
/// needs it.
enum class Decides : u8 {
  above,        ///< of a threshold, or of `combine greater`: `per` of its images' units are one of the parameter's
  min_area,     ///< px, as areas below
  end_area,     ///< areas from here on are dropped
  hole_area,    ///< holes from here on stay open
  mean,         ///< an object's mean is above it
  contrast,     ///< an object stands out by it
  level,        ///< a node lies as high
  elongation,   ///< at most
  ellipticity,  ///< at least
  rival,        ///< which of several nested nodes is taken
  peak,         ///< Step::seen exceeds it somewhere in the component
  marker,       ///< the component holds a marker
  opened,       ///< an opening by it leaves the pixel
  border,       ///< no line that parts objects runs here
  excluded,     ///< is not what another rule takes away
  curved,       ///< the blurred image curves downwards
};
struct Decision {
  Decides what;
  const char* param;  ///< "stage.key"
  double now = 0;     ///< its value, as the pipeline takes it
  double per = 1;     ///< units of what is compared in one of the parameter's
};

struct Step {
  Op op = Op::end;
  std::vector<Field> in, out;  ///< in the order of the table's entry
  StepParams params;
  Reach reach;
  const char* name = "";   ///< of a stage or a kept plane; lives as long as the program code
  Register count, result;  ///< what it reads, what it writes
  Register also;           ///< the second that it reads
  bool binary = false;     ///< a reconstruction of two-valued images: the components that hold a marker
  /// Of a watershed with markers: these hold every peak of -f that stands out by so much, and f is `zero` where there is
  /// nothing.
  i32 rise = 0, zero = 0;
  i32 limit = 0;  ///< of a distance: longer ones than this need not be right beyond being longer; 0: all must
  std::vector<Decision> decisions = {};
  Field seen = {};  ///< what the markers of a step that keeps marked components are cut from
};

/// Steps in order, each plane taken before its first use, and blocks well nested. Deterministic: one recipe with one set of
/// parameters is one program, whatever window it is run on.
struct Program {
  std::vector<Step> steps;
  std::vector<PixelType> planes;  ///< the type of each field
  i32 registers = 0;
  /// What an overview is for: values by the name of the parameter that they become.
  std::vector<std::pair<std::string, Register>> results;
  /// By stage; of those without one `automatic` decides.
  std::vector<std::pair<std::string, Choices>> choices = {};
  Choices choices_of(std::string_view stage) const {
    for (const auto& [name, own] : choices) {
      if (name == stage) return own;
    }
    return {};
  }
  i32 result_per = 1;  ///< units of a result that are one of the parameter's
};

/// Held by all that goes on with it.
using ProgramPtr = std::shared_ptr<const Program>;

/// As people read it: one step a line, blocks indented. Of parameters those are named that are not what they are by default.
std::string text_of(const Program& program);

}  // namespace morpho::engine
