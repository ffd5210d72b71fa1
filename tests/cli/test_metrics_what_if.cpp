// Output and refusals of metrics, what-if and pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/base/files.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::StartsWith;

const std::string kCapture = (fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5").string();

// The value of `column` in the row of a CSV text that begins with `row`.
std::string cell(const std::string& csv, const std::string& row, const std::string& column) {
  const auto fieldsOf = [](const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    return fields;
  };
  const auto names = fieldsOf(csv.substr(0, csv.find('\n')));
  const std::size_t begin = csv.find("\n" + row) + 1;
  const auto values = fieldsOf(csv.substr(begin, csv.find('\n', begin) - begin));
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) {
    if (names[i] == column) return values[i];
  }
  return "no column " + column;
}

TEST(Metrics, ExplainOneColumnOrAll) {
  const ProgramResult one = run({"metrics", "bias_strength"});
  ASSERT_EQ(one.exitCode, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("score / token"));
  EXPECT_THAT(one.out, HasSubstr("recency"));
  const ProgramResult all = run({"metrics", "--json"});
  ASSERT_EQ(all.exitCode, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("\"ap_decile_10\""));
}

TEST(Metrics, SuggestTheNearestName) {
  const ProgramResult result = run({"metrics", "ap_dorp"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, StartsWith("plastiscope-cli: "));
  EXPECT_THAT(result.err, HasSubstr("did you mean ap_drop?"));
}

TEST(WhatIf, ScaleOneKeepsTheAnalysis) {
  const TemporaryFolder folder;
  const std::string out = (folder / "analysis.h5").string(), csv = (folder / "csv").string();
  ASSERT_EQ(run({"analyze", kCapture, "--out", out, "--csv", csv, "--min-queries", "2"}).exitCode, 0);
  const std::string heads = readFile(fs::path(csv) / "heads.csv");
  const std::string row = heads.substr(heads.find('\n') + 1);
  const std::string layer = row.substr(0, row.find(','));
  const std::string head = row.substr(layer.size() + 1, row.find(',', layer.size() + 1) - layer.size() - 1);
  const std::string name = "L" + layer + "H" + head;
  const ProgramResult same = run({"what-if", kCapture, "--head", name, "--min-queries", "2"});
  ASSERT_EQ(same.exitCode, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr(cell(heads, layer + "," + head + ",", "ap_overall")));
  const ProgramResult held =
      run({"what-if", kCapture, "--head", name, "--scale-beta", "0", "--min-queries", "2"});
  ASSERT_EQ(held.exitCode, 0) << held.err;
  EXPECT_NE(held.out, same.out);
}

TEST(WhatIf, DroppedHeadsAreExcludedFromTheMeans) {
  const TemporaryFolder folder;
  const std::string csv = (folder / "csv").string(), out = (folder / "analysis.h5").string();
  ASSERT_EQ(run({"analyze", kCapture, "--out", out, "--csv", csv}).exitCode, 0);
  const std::string heads = readFile(fs::path(csv) / "heads.csv");
  const std::string row = heads.substr(heads.find('\n') + 1);
  const std::string layer = row.substr(0, row.find(','));
  const std::string head = row.substr(layer.size() + 1, row.find(',', layer.size() + 1) - layer.size() - 1);
  const std::string tables = (folder / "edited").string();
  ASSERT_EQ(run({"what-if", kCapture, "--drop", "L" + layer + "H" + head, "--csv", tables}).exitCode, 0);
  const std::string edited = readFile(fs::path(tables) / "edited.csv");
  const int before = std::stoi(cell(edited, "plane_var_fraction,", "heads_before"));
  EXPECT_EQ(std::stoi(cell(edited, "plane_var_fraction,", "heads_after")), before - 1) << edited;
}

// Layer 0 has heads 0 to 3.
TEST(WhatIf, RangesDropOnlyExistingHeads) {
  const ProgramResult range = run({"what-if", kCapture, "--drop", "L0H2-9"});
  ASSERT_EQ(range.exitCode, 0) << range.err;
  EXPECT_EQ(range.out, run({"what-if", kCapture, "--drop", "L0H2,L0H3"}).out);
}

TEST(WhatIf, RefusesInvalidChanges) {
  struct Case {
    std::vector<std::string> arguments;
    int code;
    const char* part;
  };
  const std::vector<Case> cases = {
      {{"what-if", kCapture}, 2, "--head"},
      {{"what-if", kCapture, "--head", "L99H0"}, 2, "L99H0"},
      {{"what-if", kCapture, "--head", "nonsense"}, 2, "nonsense"},
      {{"what-if", kCapture, "--head", "L0H0", "--drop", "L0H0"}, 2, "--drop"},
      {{"what-if", kCapture, "--head", "L0H0", "--scale-variance", "-1"}, 2, "--scale-variance"},
      {{"what-if", kCapture, "--drop", "L0H0-9,L0H4"}, 2, "head L0H4 was not analysed"},
      {{"what-if", kCapture + ".none", "--head", "L0H0"}, 3, "grouped.h5.none"},
  };
  for (const Case& c : cases) {
    const ProgramResult result = run(c.arguments);
    EXPECT_EQ(result.exitCode, c.code) << result.err;
    EXPECT_THAT(result.err, StartsWith("plastiscope-cli: "));
    EXPECT_THAT(result.err, HasSubstr(c.part));
  }
}

std::size_t linesOf(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Pairs, CellHasTheNumberOfPairsInTheMap) {
  const TemporaryFolder folder;
  const std::string csv = (folder.path() / "tables").string();
  ASSERT_EQ(run({"analyze", kCapture, "--out", (folder.path() / "a.h5").string(), "--csv", csv}).exitCode, 0);
  const std::string map = readFile(fs::path(csv) / "map.csv");
  const std::string head = map.substr(map.find('\n') + 1);
  std::istringstream line(head.substr(0, head.find('\n')));
  std::string layer, number, distance, midpoint, pairs;
  for (std::string* field : {&layer, &number, &distance, &midpoint, &pairs}) std::getline(line, *field, ',');
  const ProgramResult listed =
      run({"pairs", kCapture, "--head", "L" + layer + "H" + number, "--cell", distance + "," + midpoint});
  ASSERT_EQ(listed.exitCode, 0) << listed.err;
  EXPECT_THAT(listed.out, StartsWith("bin,tau,earlier_example,earlier,later_example,later,pp,z\n"));
  EXPECT_EQ(linesOf(listed.out), std::stoul(pairs) + 1);
  const ProgramResult spread = run({"pairs", kCapture, "--head", "L" + layer + "H" + number});
  ASSERT_EQ(spread.exitCode, 0) << spread.err;
  EXPECT_THAT(spread.out, StartsWith("bin,start,end,tau,pairs,pp_0.00,pp_0.05,"));
}

TEST(Pairs, RefuseInvalidCellsAndHeads) {
  const ProgramResult cell = run({"pairs", kCapture, "--head", "L0H0", "--cell", "2;5"});
  EXPECT_EQ(cell.exitCode, 2);
  EXPECT_THAT(cell.err, HasSubstr("expected DISTANCE,MIDPOINT as in map.csv, found 2;5"));
  EXPECT_EQ(run({"pairs", kCapture, "--head", "L0H0-1"}).exitCode, 2);
  EXPECT_EQ(run({"pairs", kCapture, "--head", "L99H0"}).exitCode, 2);
}

}  // namespace
}  // namespace plastiscope::test
