// What each stage of a window costs: its time, its waits and the work that its operations tell.
#pragma once
#include <vector>

#include "../../contract/work_log.hpp"
#include "engine/device/backend.hpp"
#include "engine/program/stage_timing.hpp"

namespace morpho::engine {

/// Lives as long as the window's steps are called, whose work goes to its log.
class StageClock {
 public:
  /// On a GPU it takes memory of the context's workspace.
  explicit StageClock(Backend& backend);

  /// A stage between two points of the backend's time.
  struct Span {
    const char* name;
    std::size_t from, to;
    u64 waits;
    std::size_t work_from, work_to;  ///< in the log
  };
  Span begun(const char* name) const;
  void ended(Span span);
  /// Not computed: an earlier run had it.
  void skipped(const char* name) { skipped_.push_back(name); }
  /// What the stages cost, and the window's transfers where there are any. sync: times are known when the work is done.
  void tell(i64 pixels, std::vector<StageTiming>& timings);

 private:
  Backend& backend_;
  WorkLog work_;
  const WorkLog::Lent lent_;  ///< after the log
  std::vector<Span> spans_;
  std::vector<const char*> skipped_;
};

}  // namespace morpho::engine
