// `export headvis` and `import head-metrics` on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

const std::string kGrouped = (fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5").string();

class HeadMetricsCommands : public ::testing::Test {
 protected:
  HeadMetricsCommands() { EXPECT_EQ(run({"analyze", kGrouped, "--out", in("a.h5")}).exitCode, 0); }
  std::string in(const std::string& name) const { return (m_folder / name).string(); }
  ProgramResult import(const std::string& file, const std::string& out) const {
    return run({"import", "head-metrics", in(file), "--analysis", in("a.h5"), "--out", in(out)});
  }

  TemporaryFolder m_folder;
};

TEST_F(HeadMetricsCommands, RoundTrip) {
  const ProgramResult out =
      run({"export", "headvis", in("a.h5"), "--out", in("rows.json"), "--config", in("config.json")});
  ASSERT_EQ(out.exitCode, 0) << out.err;
  EXPECT_EQ(out.out, in("rows.json") + "\n" + in("config.json") + "\n");
  const ProgramResult back = import("rows.json", "b.h5");
  ASSERT_EQ(back.exitCode, 0) << back.err;
  EXPECT_EQ(back.out, in("b.h5") + "\n");
  EXPECT_THAT(back.err, HasSubstr("columns for "));
  EXPECT_EQ(run({"verify", in("b.h5")}).exitCode, 0);
  EXPECT_THAT(run({"info", in("b.h5")}).out, HasSubstr("imported_ap_overall"));
  ASSERT_EQ(run({"export", "headvis", in("b.h5"), "--out", in("both.json")}).exitCode, 0);
  const Json rows = readJsonFile(in("rows.json")), both = readJsonFile(in("both.json"));
  ASSERT_EQ(rows.size(), both.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [name, number] : rows[row].items()) {
      EXPECT_EQ(both[row][name], number);
      if (name == "layer" || name == "head") continue;
      EXPECT_EQ(both[row]["imported_" + name], number) << name;
    }
  }
}

TEST_F(HeadMetricsCommands, ReplaceNeitherInputsNorForeignFiles) {
  writeFileAtomically(m_folder / "scatter_data.json", std::string_view("[{\"layer\": 0, \"head\": 0}]"));
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& sentence) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exitCode, 3);
    EXPECT_THAT(result.err, HasSubstr(sentence));
  };
  const std::string theirs = in("scatter_data.json");
  refused({"export", "headvis", in("a.h5"), "--out", theirs}, "--force replaces it");
  refused({"export", "headvis", in("a.h5"), "--out", in("a.h5"), "--force"}, "this file is an input");
  refused({"import", "head-metrics", theirs, "--analysis", in("a.h5"), "--out", in("a.h5")},
          "this file is an input");
  refused({"import", "head-metrics", theirs, "--analysis", in("a.h5"), "--out", theirs, "--force"},
          "this file is an input");
  refused({"import", "head-metrics", theirs, "--analysis", in("a.h5"), "--out", in("b.h5")},
          "expected numbers beside layer and head");
  EXPECT_EQ(readFile(theirs), "[{\"layer\": 0, \"head\": 0}]");
  EXPECT_FALSE(fs::exists(in("b.h5")));
}

TEST_F(HeadMetricsCommands, ReportSkippedColumnsAndHeads) {
  writeFileAtomically(m_folder / "m.csv", std::string_view("layer,head,s,word\n0,0,1,a\n77,0,2,b\n"));
  const ProgramResult result = import("m.csv", "b.h5");
  ASSERT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("columns without numbers were left out: word"),
                                HasSubstr("1 column for 1 head;"),
                                HasSubstr("1 head of the file without a match in the analysis")));
}

}  // namespace
}  // namespace plastiscope::test
