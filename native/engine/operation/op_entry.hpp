// What one entry of the operation registry is made of: its description, and the code that runs it on checked arguments.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "op_call.hpp"

namespace morpho::engine {

inline std::string quoted(const std::string& s) { return "\"" + s + "\""; }
/// "a, b or c": the names of a list's elements as messages show them.
template <class List, class Name>
std::string joined(const List& list, Name&& name) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + name(list[i]);
  return out;
}

/// The parameters that one call was given, beside what its operation says of them.
class OpParams {
 public:
  OpParams(const OpInfo& info, const Params& given) : info_(info), given_(given) {}
  /// Throws INVALID_PARAMETER for an unknown name, a missing value, one out of its range, or a choice that `device` has not.
  void check(bool on_host, const std::string& device) const;
  double number(const std::string& name) const;
  i32 integer(const std::string& name) const { return static_cast<i32>(number(name)); }
  i64 integer64(const std::string& name) const { return static_cast<i64>(number(name)); }
  bool toggle(const std::string& name) const;
  std::string choice(const std::string& name) const;
  /// The value of the enum that the choice names, for parameters made by choice_of<E>().
  template <class E>
  E choice_as(const std::string& name) const {
    return value_named<E>(choice(name));
  }
  /// An operation's parameters: those of `p` that the call lists, by their names; the others stay what they are.
  template <op::Visited P>
  P read(P p = {}) const {
    P::visit(p, [&]<class T>(const op::Spec& spec, T& value) {
      if constexpr (!op::Visited<T>) {
        const std::string name = op::shown_name(spec.name);
        if (!lists(name)) return;
        if constexpr (std::is_same_v<T, bool>) value = toggle(name);
        else if constexpr (std::is_enum_v<T>) value = choice_as<T>(name);
        else value = static_cast<T>(number(name));
      }
    });
    return p;
  }

 private:
  bool lists(const std::string& name) const {
    return std::any_of(info_.params.begin(), info_.params.end(), [&](const OpParam& p) { return p.name == name; });
  }
  const OpParam& param(const std::string& name) const;
  const OpInfo& info_;
  const Params& given_;
};

/// One call of an operation: inputs and parameters as checked against its OpInfo, outputs as they are made. Planes lie where
/// `backend` computes: inputs are uploaded when they have been checked, outputs downloaded by finish().
class OpInvocation {
 public:
  OpInvocation(Backend& backend, const OpInfo& info, const std::vector<OwnedImage>& inputs, const Params& params);

 private:
  Backend& backend_;
  Workspace::Scope scope_;  // before all that takes memory

 public:
  const OpTable& ops;
  Context& ctx;

  /// The input of a slot; absent (default-constructed) where an optional one was not given.
  ConstPlane in(const std::string& slot) const;
  /// The same in host memory, for what the entry itself looks at.
  ConstPlane host_in(const std::string& slot) const;
  /// The same as int32, converted where it is narrower: labels may come from files of any integer type.
  ConstPlane in_i32(const std::string& slot);
  View<const Rgba> rgba(const std::string& slot) const;
  Extent extent() const { return inputs_.front().extent; }  ///< of the first input: every operation has one

  double number(const std::string& name) const { return params_.number(name); }
  i32 integer(const std::string& name) const { return params_.integer(name); }
  i64 integer64(const std::string& name) const { return params_.integer64(name); }
  bool toggle(const std::string& name) const { return params_.toggle(name); }
  std::string choice(const std::string& name) const { return params_.choice(name); }
  template <class E>
  E choice_as(const std::string& name) const {
    return params_.choice_as<E>(name);
  }
  template <op::Visited P>
  P read(P p = {}) const {
    return params_.read(p);
  }

  /// A new output image.
  Plane out(const std::string& slot, PixelType type, Extent extent);
  View<Rgba> out_rgba(const std::string& slot, Extent extent);
  /// A new output image that the entry itself writes: host memory, valid as long as the call.
  template <class T>
  T* host_out(const std::string& slot, Extent extent) {
    return reinterpret_cast<T*>(new_output(slot, pixel_type_of<T>(), extent).bytes.data());
  }
  /// An image that lives as long as the call and is no output.
  Plane scratch(PixelType type, Extent extent) {
    return Plane(take(static_cast<std::size_t>(extent.area()) * pixel_bytes(type)), type, extent);
  }
  /// n elements where the operations compute, as long as the call.
  template <class T>
  T* array(std::size_t n) {
    return reinterpret_cast<T*>(take(n * sizeof(T)));
  }
  /// n elements that operations have written, for the entry to look at.
  template <class T>
  std::vector<T> read(const T* from, std::size_t n) {
    std::vector<T> host(n);
    if (n > 0 && backend_.on_host()) std::copy(from, from + n, host.begin());
    else if (n > 0) backend_.download(host.data(), from, n * sizeof(T));  // sync: the entry decides by these values
    return host;
  }
  /// The same without a copy where operations compute in host memory; else `kept` holds it.
  template <class T>
  const T* look(const T* from, std::size_t n, std::vector<T>& kept) {
    if (backend_.on_host()) return from;
    kept = read(from, n);
    return kept.data();
  }
  void scalar(const std::string& name, double value) { result.scalars.emplace_back(name, value); }
  /// Runs fn and adds its time to the result: what is not the operation itself stays outside.
  template <class Fn>
  void timed(Fn&& fn) {
    const std::size_t begin = backend_.mark();
    fn();
    result.ms += backend_.ms(begin, backend_.mark());  // sync: the time is that of the work, not of enqueuing it
  }
  /// Fetches the outputs, and adds to the result what computed them and how long each step took.
  void finish();

  OpResult result;

 private:
  u8* take(std::size_t bytes) { return ctx.workspace.take<u8>(bytes); }
  OwnedImage& new_output(const std::string& slot, PixelType type, Extent extent, i32 channels = 1);
  void* placed_output(OwnedImage& image);
  void upload_inputs();
  void check_inputs() const;
  const OwnedImage* find(const std::string& slot) const;

  const OpInfo& info_;
  const std::vector<OwnedImage>& inputs_;
  const OpParams params_;
  /// Elsewhere than on the host: where each input lies, and what each output is fetched from.
  std::vector<const void*> placed_inputs_;
  std::vector<std::pair<std::size_t, const void*>> placed_outputs_;
};

struct OpEntry {
  OpInfo info;
  void (*run)(OpInvocation&);
};

/// The entries that follow from descriptors, and those that are made of several operations; op_call.cpp joins them.
std::vector<OpEntry> image_ops();
std::vector<OpEntry> compound_ops();

// What the groups share to describe slots and parameters.
inline const std::vector<PixelType> kU8 = {PixelType::u8}, kU8U16 = {PixelType::u8, PixelType::u16}, kI32 = {PixelType::i32},
                                    kAnyType = {PixelType::u8, PixelType::u16, PixelType::i32};
inline OpSlot slot(std::string name, std::vector<PixelType> types, std::string help, bool optional = false) {
  return {std::move(name), std::move(help), std::move(types), 1, optional};
}
inline OpSlot rgba_slot(std::string name, std::string help) { return {std::move(name), std::move(help), kU8, 4, false}; }
inline OpParam integer_param(std::string name, std::string help, double low, double high, double fallback) {
  return {std::move(name), std::move(help), OpParam::Kind::integer, {}, low, high, fallback, false, {}, {}};
}
inline OpParam number_param(std::string name, std::string help, double low, double high, double fallback) {
  return {std::move(name), std::move(help), OpParam::Kind::number, {}, low, high, fallback, false, {}, {}};
}
inline OpParam required(OpParam p) {
  p.required = true;
  return p;
}
inline OpParam choice_param(std::string name, std::string help, std::vector<std::string> choices, std::string fallback) {
  return {
      std::move(name), std::move(help), OpParam::Kind::choice, std::move(choices), 0, 0, std::move(fallback), false, {}, {}};
}
inline OpParam toggle_param(std::string name, std::string help) {
  return {std::move(name), std::move(help), OpParam::Kind::toggle, {}, 0, 0, false, false, {}, {}};
}
/// The choice of one of an enum's values by its name. Where the CPU and the GPU do not have the same ones, the help says so.
template <class E>
OpParam choice_of(std::string name, std::string help, E fallback) {
  std::vector<std::string> choices;
  for (const Named<E>& each : Names<E>::all) choices.emplace_back(each.name);
  const auto names = [&help](const char* where, const E* values, int count) {
    std::vector<std::string> list;
    for (int k = 0; k < count; ++k) {
      help += (list.empty() ? where : ", ") + std::string(name_of(values[k]));
      list.emplace_back(name_of(values[k]));
    }
    return list;
  };
  std::vector<std::string> not_cpu = names("; on a GPU only: ", Absent<E>::cpu, Absent<E>::on_cpu),
                           not_gpu = names("; on the CPU only: ", Absent<E>::gpu, Absent<E>::on_gpu);
  OpParam p = choice_param(std::move(name), std::move(help), std::move(choices), std::string(name_of(fallback)));
  p.not_on_cpu = std::move(not_cpu);
  p.not_on_gpu = std::move(not_gpu);
  return p;
}
/// As the descriptor states it. Integers that no double holds exactly cannot be given.
template <class T>
OpParam param_of(const op::Spec& spec, const T& fallback) {
  constexpr double exact = 9007199254740992.0;
  const std::string name = op::shown_name(spec.name);
  OpParam p;
  if constexpr (std::is_same_v<T, bool>) p = toggle_param(name, spec.help);
  else if constexpr (std::is_enum_v<T>) p = choice_of(name, spec.help, fallback);
  else if constexpr (std::is_same_v<T, double>) p = number_param(name, spec.help, spec.low, spec.high, fallback);
  else
    p = integer_param(name, spec.help, std::max(-exact, static_cast<double>(spec.least)),
                      std::min(exact, static_cast<double>(spec.most)), static_cast<double>(fallback));
  p.required = spec.required;
  return p;
}
/// One of an operation's parameters, by its name in code, as another operation made of it has it.
template <class O>
OpParam param_of(std::string_view name) {
  OpParam found;
  typename O::Params defaults;
  O::Params::visit(defaults, [&]<class T>(const op::Spec& spec, const T& value) {
    if constexpr (!op::Visited<T>) {
      if (name == spec.name) found = param_of(O::narrow(spec), value);
    }
  });
  return found;
}

}  // namespace morpho::engine
