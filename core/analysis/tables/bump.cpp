// bump.csv and bump_model.csv: does AP come back in the middle of the window? (method.md section 6)
#include "core/analysis/bump.h"
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

Bump headBump(const HeadResult& head) {
  std::array<double, 10> deciles;
  for (std::size_t k = 0; k < deciles.size(); ++k) deciles[k] = head.summary.deciles[k].ap;
  return bumpOf(deciles);
}

std::string recoversText(const Bump& bump) {
  return !bump.known() ? "" : bump.recovers() ? "true" : "false";
}

}  // namespace

Table bumpTable(const TableInput& input) {
  HeadTable table("bump");
  Numbers dip, recovery, collapse;
  Texts recovers;
  for (const HeadResult& head : input.heads) {
    const Bump bump = headBump(head);
    table.startRow(head);
    dip.push_back(bump.dip);
    recovery.push_back(bump.recovery);
    collapse.push_back(bump.collapse);
    recovers.push_back(recoversText(bump));
  }
  return table.finish({{"dip", dip}, {"recovery", recovery}, {"collapse", collapse}, {"recovers", recovers}});
}

Table bumpModelTable(const TableInput& input) {
  std::array<double, 10> means;
  for (std::size_t k = 0; k < means.size(); ++k) {
    Numbers deciles;
    for (const HeadResult& head : input.heads) deciles.push_back(head.summary.deciles[k].ap);
    means[k] = meanOfPresent(deciles);
  }
  const Bump model = bumpOf(means);
  std::int64_t known = 0, recovering = 0;
  for (const HeadResult& head : input.heads) {
    const Bump bump = headBump(head);
    known += bump.known() ? 1 : 0;
    recovering += bump.recovers() ? 1 : 0;
  }
  return {"bump_model",
          {{"dip", Numbers{model.dip}},
           {"recovery", Numbers{model.recovery}},
           {"collapse", Numbers{model.collapse}},
           {"recovers", Texts{recoversText(model)}},
           {"heads", Integers{known}},
           {"recovering_heads", Integers{recovering}}}};
}

}  // namespace plastiscope
