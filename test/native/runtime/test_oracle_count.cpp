// Counts, after all tests, that every oracle case of these operations was executed, and names those of others that were not.
#include <iostream>

#include "../support/oracle.hpp"

namespace morpho::test {
namespace {

class EveryCase : public ::testing::Environment {
 public:
  void TearDown() override {
    if (GTEST_FLAG_GET(filter) != "*") return;  // a selection of tests runs a selection of cases
    const std::set<std::string> ours = {
        "reconstruct",     "h_maxima_image",  "h_minima_image", "extended_maxima", "extended_minima",   "skimage_h_maxima",
        "regional_maxima", "regional_minima", "fill_holes",     "clear_border",    "max_tree",          "area_opening",
        "area_closing",    "edt_squared",     "label",          "watershed",       "watershed_markers", "nucleus_pipeline"};
    int run = 0;
    std::map<std::string, int> elsewhere;
    for (const char* list : {"cases", "generated"}) {
      for (const auto& c : manifest()[list].items) {
        const std::string id = c["id"].text, op = c["op"].text;
        if (executed().count(id)) ++run;
        else if (ours.count(op)) ADD_FAILURE() << "the oracle case " << id << " (" << op << ") was not executed";
        else ++elsewhere[op];
      }
    }
    std::cout << "oracle cases executed: " << run << "\n";
    for (const auto& [op, n] : elsewhere) std::cout << "  not through each_case(): " << n << " of " << op << "\n";
  }
};
const ::testing::Environment* const kEveryCase = ::testing::AddGlobalTestEnvironment(new EveryCase);

}  // namespace
}  // namespace morpho::test
