// AP_drop, printed in several places.
#include "core/compare/checks/checks.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

using Key = std::vector<std::pair<std::string, std::string>>;

// The difference of two numbers rounded to four decimals, beside one rounded to three.
constexpr double kDropRounding = 0.0006 + 1e-9;

struct OtherDrop {
  const char* model;
  double printed;
};
// The same drop with another third decimal elsewhere in the thesis.
constexpr OtherDrop kOtherDrops[] = {
    {"ministral3-8b", 0.083}, {"qwen3-0.6b", 0.169}, {"qwen3-4b", 0.187}, {"qwen3-8b", 0.177}};

}  // namespace

void addDrops(Checks& checks) {
  for (const auto& [name, key] :
       {std::pair{"plasticity_models", "model"}, {"smollm3_checkpoints", "checkpoint"}}) {
    const Table table = referenceTable(name);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double drop = table.numbers("ap_first20")[row] - table.numbers("ap_last20")[row];
      checks.push_back({"AP_drop", table.texts(key)[row], table.numbers("ap_drop")[row], drop, kDropRounding,
                        "AP_first20 - AP_last20"});
    }
  }
  const Table models = referenceTable("plasticity_models");
  for (const OtherDrop& other : kOtherDrops) {
    const Key key = {{"model", other.model}};
    checks.push_back({"AP_drop, as printed elsewhere", other.model, other.printed,
                      referenceValue(models, "ap_first20", key) - referenceValue(models, "ap_last20", key),
                      kThirdDecimal, "two third decimals are in print; AP_first20 - AP_last20 decides"});
  }
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  const Key key = {{"checkpoint", "lc1-20k"}};
  checks.push_back(
      {"AP_last20", "lc1-20k", referenceValue(checkpoints, "ap_last20", key),
       referenceValue(checkpoints, "ap_first20", key) - referenceValue(checkpoints, "ap_drop", key),
       kDropRounding, "AP_first20 - AP_drop; 0.4356 is taken"});
}

}  // namespace plastiscope
