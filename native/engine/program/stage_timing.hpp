// What a stage of a program cost, and what computed it.
#pragma once
#include <string>
#include <vector>

#include "../../contract/work_log.hpp"

namespace morpho::engine {

/// One stage's cost, by the device's own clock, and what computed it.
struct StageTiming {
  std::string stage = {}, device = {};
  std::string variant = {};  ///< what its operations chose, each once: "sweeps + queue; graph"; empty: none of them chooses
  double ms = 0;
  i64 pixels = 0;
  int waits = 0;                ///< how often the host waited for the device meanwhile
  std::vector<Work> work = {};  ///< what its operations did
  std::string part = {};        ///< of a stage that is timed in parts: which
  std::string reader = {};      ///< of what was read: what read it, with its version
  std::string memory = {};      ///< of "upload" and "download": the host's, "pinned" or "staged" through pinned memory
  bool kept = false;            ///< it was not computed: an earlier window left it
};
/// Whether their costs add up to one entry: what the operations chose may differ from window to window.
bool same_entry(const StageTiming& a, const StageTiming& b);
/// The variants of `work`, each once, in order.
std::string variants_of(const std::vector<Work>& work);
/// Adds to the entry of the same, or a new one.
void add_timing(std::vector<StageTiming>& to, const StageTiming& timing);

}  // namespace morpho::engine
