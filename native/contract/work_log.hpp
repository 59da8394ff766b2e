// What operations did to reach their results, for who compares algorithms: which one ran, in how many rounds, and what its
// queues moved. No result depends on it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.hpp"
#include "view.hpp"

namespace morpho {

/// One operation's, or the sum of several alike.
struct Work {
  std::string_view op = {};  ///< its entry in the table: "reconstruct"; a text that lives as long as the program
  std::string variant =
      {};  ///< the algorithm that ran: of a named variant its name, of `automatic` what that came to, as "sweeps + queue"
  i64 calls = 1;
  i64 rounds = 0;   ///< sweeps, steps or levels of a breadth-first search; 0: it has none, or nobody counted
  i64 queued = 0;   ///< entries taken from queues: pixels, on a GPU tiles
  i64 longest = 0;  ///< most entries of one queue at once, as far as anybody looked (every 4096 entries); 0: nobody did
};

/// Adds to the entry of the same operation and variant, or a new one.
inline void add_work(std::vector<Work>& to, const Work& w) {
  const auto same = std::find_if(to.begin(), to.end(), [&](const Work& o) { return o.op == w.op && o.variant == w.variant; });
  if (same == to.end()) return to.push_back(w);
  same->calls += w.calls, same->rounds += w.rounds, same->queued += w.queued;
  same->longest = std::max(same->longest, w.longest);
}

/// Filled by the operations that a Context is given to, in order, from the thread that called them. What a GPU counts is copied
/// to slots of its memory without waiting, and read once at the end.
class WorkLog {
 public:
  struct Counters {
    std::uint32_t taken, given, open, gave_up;  ///< as the head of a GPU's tile queue has them
  };
  /// A context tells `log` for as long as this lives.
  class Lent {
   public:
    Lent(Context& ctx, WorkLog& log) : ctx_(ctx), before_(std::exchange(ctx.work, &log)) {}
    ~Lent() { ctx_.work = before_; }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

   private:
    Context& ctx_;
    WorkLog* const before_;
  };
  /// slots: of a GPU's memory, or none.
  explicit WorkLog(Counters* slots = nullptr, std::size_t count = 0) : slots_(slots), count_(count) {}

  void add(Work w) { entries_.push_back({std::move(w), none, {}}); }
  /// `otherwise`: the variant where the queue has given up. null: no slot is left, and the entry stays without figures.
  Counters* add_later(Work w, std::string otherwise) {
    const std::size_t slot = used_ < count_ ? used_++ : none;
    entries_.push_back({std::move(w), slot, std::move(otherwise)});
    return slot == none ? nullptr : slots_ + slot;
  }
  std::size_t size() const { return entries_.size(); }
  std::size_t used_slots() const { return used_; }
  const Counters* slots() const { return slots_; }
  /// From what the slots held.
  void settle(const Counters* read) {
    for (Entry& e : entries_) {
      if (e.slot == none) continue;
      const Counters& c = read[e.slot];
      e.work.queued = c.given;
      if (c.gave_up) e.work.variant = e.otherwise;
      e.slot = none;
    }
  }
  /// The sums of those from `from` up to `to`.
  std::vector<Work> between(std::size_t from, std::size_t to) const {
    std::vector<Work> sums;
    for (std::size_t k = from; k < to; ++k) add_work(sums, entries_[k].work);
    return sums;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Entry {
    Work work;
    std::size_t slot;
    std::string otherwise;
  };
  Counters* slots_;
  std::size_t count_, used_ = 0;
  std::vector<Entry> entries_;
};

inline void note(const Context& ctx, Work w) {
  if (ctx.work) ctx.work->add(std::move(w));
}

}  // namespace morpho
