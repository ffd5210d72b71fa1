// bump.csv and bump_model.csv: does AP come back in the middle of the window? (method.md section 6)
#include <cmath>

#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

constexpr double kRecovers = 0.005;  // AP

Numbers decilesOf(const HeadResult& head) {
  Numbers deciles;
  for (const RangeMean& decile : head.summary.deciles) deciles.push_back(decile.ap);
  return deciles;
}

// Of deciles 1 .. 10 (index 0 .. 9); a part with a missing decile is missing.
struct Bump {
  double dip, recovery, collapse;

  explicit Bump(const HeadResult& head) : Bump(decilesOf(head)) {}
  explicit Bump(const Numbers& decile)
      : dip((decile[4] + decile[5]) / 2),
        recovery((decile[6] + decile[7]) / 2 - dip),
        collapse((decile[8] + decile[9]) / 2) {}
  bool recovers() const { return recovery > kRecovers; }
  std::string text() const { return std::isnan(recovery) ? "" : recovers() ? "true" : "false"; }
};

}  // namespace

Table bumpTable(const TableInput& input) {
  HeadTable table("bump");
  Numbers dip, recovery, collapse;
  Texts recovers;
  for (const HeadResult& head : input.heads) {
    const Bump bump(head);
    table.startRow(head);
    dip.push_back(bump.dip);
    recovery.push_back(bump.recovery);
    collapse.push_back(bump.collapse);
    recovers.push_back(bump.text());
  }
  return table.finish({{"dip", dip}, {"recovery", recovery}, {"collapse", collapse}, {"recovers", recovers}});
}

Table bumpModelTable(const TableInput& input) {
  Numbers means;
  for (std::size_t k = 0; k < 10; ++k) {
    Numbers deciles;
    for (const HeadResult& head : input.heads) deciles.push_back(head.summary.deciles[k].ap);
    means.push_back(meanOfPresent(deciles));
  }
  const Bump model(means);
  std::int64_t known = 0, recovering = 0;
  for (const HeadResult& head : input.heads) {
    const Bump bump(head);
    known += std::isnan(bump.recovery) ? 0 : 1;
    recovering += bump.recovers() ? 1 : 0;
  }
  return {"bump_model",
          {{"dip", Numbers{model.dip}},
           {"recovery", Numbers{model.recovery}},
           {"collapse", Numbers{model.collapse}},
           {"recovers", Texts{model.text()}},
           {"heads", Integers{known}},
           {"recovering_heads", Integers{recovering}}}};
}

}  // namespace plastiscope
