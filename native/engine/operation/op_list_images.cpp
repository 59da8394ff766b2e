// The operations on images as calls by name: each follows from its descriptor.
#include "../../contract/op/call.hpp"
#include "op_entry.hpp"

namespace morpho::engine {

namespace {

template <class O>
concept HasNames = requires { O::by_name; };
/// One that says what it is for is offered by its own name.
template <class O>
concept HasHelp = requires { O::help; };

std::vector<PixelType> types_of(u8 bits) {
  if (bits == op::rgba) return kU8;
  std::vector<PixelType> types;
  for (const PixelType t : kAnyType) {
    if (bits & op::type_bit(t)) types.push_back(t);
  }
  return types;
}
OpSlot slot_of(const op::Slot& s) {
  return {s.shown, s.help, types_of(s.converted ? s.converted : s.types), s.types == op::rgba ? 4 : 1, s.optional};
}

/// An output whose type nothing else says is of a type that the call asks for.
template <class O>
bool asks_for_type() {
  const op::Slot& out = O::out[0];
  const bool told = out.like >= 0 || requires(const typename O::Params& p) { O::out_type(PixelType::u8, p); };
  return !told && types_of(out.types).size() > 1;
}
constexpr const char* kSame = "same";
/// "same" where the output may have the image's type, else one of its own.
template <class O>
OpParam type_param() {
  std::vector<std::string> names;
  if (O::in[0].types == O::out[0].types) names.emplace_back(kSame);
  for (const PixelType t : types_of(O::out[0].types)) names.emplace_back(pixel_type_name(t));
  const std::string fallback = names[0] == kSame ? names[0] : names.back();
  return choice_param("type", "of the output", names, fallback);
}

/// What a call gives an entry of the table, in the order of its arguments.
template <class O>
struct Arguments {
  OpInvocation& run;
  typename O::Params given;
  std::vector<ConstPlane> inputs;
  std::vector<Plane> outputs;
  std::size_t next_in = 0, next_out = 0;
  ConstPlane in() { return inputs[next_in++]; }
  Plane out() { return outputs[next_out++]; }
  View<const Rgba> rgba() { return run.rgba(O::in[next_in++].shown); }
  template <class P>
  const P& params() const {
    return given;
  }
};

template <class O>
PixelType type_of_output(OpInvocation& r, const op::Slot& slot, const typename O::Params& params) {
  const auto type_of = [&](const op::Slot& in) { return r.in(in.shown).type; };
  if (slot.like >= 0) return type_of(O::in[slot.like]);
  if constexpr (requires { O::out_type(PixelType::u8, params); }) return O::out_type(type_of(O::in[0]), params);
  if (asks_for_type<O>()) {
    for (const PixelType t : kAnyType) {
      if (r.choice("type") == pixel_type_name(t)) return t;
    }
    return type_of(O::in[0]);
  }
  return types_of(slot.types).front();
}

template <class O>
void compute(OpInvocation& r, const typename O::Params& fixed) {
  Arguments<O> arguments{r, r.read(fixed), {}, {}};
  for (const op::Slot& s : O::in)
    arguments.inputs.push_back(s.types == op::rgba ? ConstPlane() : s.converted ? r.in_i32(s.shown) : r.in(s.shown));
  for (const op::Slot& s : O::out)
    arguments.outputs.push_back(r.out(s.shown, type_of_output<O>(r, s, arguments.given), r.extent()));
  const auto entry = op::EntryOf<O>::of(r.ops);
  if constexpr (std::is_void_v<typename O::Result>) {
    r.timed([&] { op::call(entry, r.ctx, arguments); });
  } else {
    typename O::Result value{};
    r.timed([&] { value = op::call(entry, r.ctx, arguments); });
    r.scalar(O::result, static_cast<double>(value));
  }
}
template <class O>
void run_plain(OpInvocation& r) {
  compute<O>(r, {});
}
template <class O, std::size_t K>
void run_named(OpInvocation& r) {
  compute<O>(r, O::by_name[K].fixed);
}

/// But for parameters that the name stands for.
template <class O>
OpInfo info_of(const std::string& name, const char* help, std::initializer_list<const char*> hidden) {
  OpInfo info{name, help, {}, {}, {}};
  for (const op::Slot& s : O::in) info.inputs.push_back(slot_of(s));
  for (const op::Slot& s : O::out) info.outputs.push_back(slot_of(s));
  typename O::Params defaults;
  O::Params::visit(defaults, [&]<class T>(const op::Spec& spec, const T& value) {
    static_assert(!op::Visited<T>, "parameters in parameters have no names of their own");
    for (const char* each : hidden) {
      if (each && std::string_view(each) == spec.name) return;
    }
    info.params.push_back(param_of(O::narrow(spec), value));
  });
  if (asks_for_type<O>()) info.params.push_back(type_param<O>());
  return info;
}

template <class O>
void add(std::vector<OpEntry>& all) {
  if constexpr (HasHelp<O>) all.push_back({info_of<O>(op::shown_name(op::EntryOf<O>::text), O::help, {}), run_plain<O>});
  if constexpr (HasNames<O>) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      const auto one = [&](const auto& named, void (*run)(OpInvocation&)) {
        OpInfo info = info_of<O>(named.name, named.help, {named.hides[0], named.hides[1]});
        if (named.out_help) info.outputs[0].help = named.out_help;
        all.push_back({std::move(info), run});
      };
      (one(O::by_name[K], run_named<O, K>), ...);
    }(std::make_index_sequence<std::size(O::by_name)>());
  }
}

}  // namespace

std::vector<OpEntry> image_ops() {
  std::vector<OpEntry> all;
#define MORPHO_OP(name) add<op::name>(all);
  MORPHO_IMAGE_OPERATIONS(MORPHO_OP)
#undef MORPHO_OP
  return all;
}

}  // namespace morpho::engine
