#include <gtest/gtest.h>

#include "core/views/figure_tables.h"

namespace plastiscope {

TEST(PanelTable, KeepsAllRowsAndLeavesForeignColumnsEmpty) {
  using I = std::vector<std::int64_t>;
  using D = std::vector<double>;
  using T = std::vector<std::string>;
  const Table first{"map", {{"model", T{"one", "two"}}, {"cell", I{1, 2}}, {"pp", D{0.5, 0.25}}}};
  const Table second{"map", {{"model", T{"one"}}, {"cell", I{3}}, {"ap", I{7}}}};
  EXPECT_EQ(toCsv(joinPanels({{"a", first}, {"b left", second}})),
            "panel,model,cell,pp,ap\na,one,1,0.5,\na,two,2,0.25,\nb left,one,3,,7\n");
}

}  // namespace plastiscope
