// Groups of heads on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

// A small study that may have notes beside it.
struct GroupStudy {
  TemporaryFolder folder;
  std::string file = (folder / "grouped.h5").string();
  GroupStudy() { fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "grouped.h5", file); }
};

TEST(Groups, AreDefinedListedAndDeleted) {
  const GroupStudy study;
  const ProgramResult none = run({"groups", study.file});
  EXPECT_EQ(none.exitCode, 0);
  EXPECT_THAT(none.err, HasSubstr("has no groups of heads"));
  const ProgramResult saved =
      run({"groups", study.file, "--group", "all0=L0", "--group", "odd=head == 1 || head == 3", "--save"});
  ASSERT_EQ(saved.exitCode, 0) << saved.err;
  EXPECT_THAT(saved.out, AllOf(HasSubstr("all0"), HasSubstr("head == 1 || head == 3")));
  EXPECT_EQ(run({"groups", study.file}).out, saved.out);
  EXPECT_EQ(run({"groups", study.file, "--delete", "ood"}).exitCode, 2);
  const ProgramResult usual = run({"groups", study.file, "--metric", "ap_overall"});
  EXPECT_THAT(usual.out, HasSubstr("all other heads")) << "all0 leaves no others in its layer";
  const ProgramResult deleted = run({"groups", study.file, "--delete", "all0"});
  EXPECT_EQ(deleted.exitCode, 0) << deleted.err;
  EXPECT_THAT(deleted.out, AllOf(HasSubstr("odd"), Not(HasSubstr("all0"))));
}

TEST(Groups, AreComparedIntoATable) {
  const GroupStudy study;
  const std::string out = (study.folder / "out").string();
  const ProgramResult made = run({"groups", study.file, "--group", "one=L0H0-1", "--metric",
                                  "ap_overall,ap_drop", "--against", "rest", "--csv", out});
  ASSERT_EQ(made.exitCode, 0) << made.err;
  const std::string csv = readFile(fs::path(out) / "groups.csv");
  EXPECT_THAT(csv,
              testing::StartsWith("group,against,metric,heads,others,key_heads,mean,other_mean,difference,"));
  EXPECT_THAT(csv, AllOf(HasSubstr("one,rest,ap_overall,2,"), HasSubstr("one,rest,ap_drop,0,0,0,,")));
  const Json provenance = readJsonFile(fs::path(out) / "provenance.json");
  EXPECT_EQ(provenance["settings"]["groups"], Json({"one=L0H0-1"}));
  EXPECT_FALSE(fs::exists(study.folder / "grouped.notes.json")) << "only --save writes notes";
  const ProgramResult sentence =
      run({"groups", study.file, "--group", "one=L0H0-1", "--against", "rest", "--metric", "ap_overall"});
  EXPECT_THAT(sentence.out, AllOf(HasSubstr("one (2 heads)"), HasSubstr("all other heads: ")));
}

TEST(Groups, RefusalsNameTheReason) {
  const GroupStudy study;
  const auto failure = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"groups", study.file});
    const ProgramResult result = run(options);
    return std::to_string(result.exitCode) + " " + result.err;
  };
  EXPECT_THAT(failure({"--group", "x"}), HasSubstr("there is no group \"x\": the study has no groups"));
  EXPECT_THAT(failure({"--group", "x=L0H0", "--against", "y"}),
              HasSubstr("2 plastiscope-cli: there is no group"));
  EXPECT_THAT(failure({"--group", "x=L0H0", "--metric", "ap_drp"}), HasSubstr("did you mean ap_drop"));
  EXPECT_THAT(failure({"--metric", "ap_drop"}), HasSubstr("the study has no groups of heads: define one"));
  EXPECT_THAT(failure({"--save"}), HasSubstr("none is given"));
  const std::string shipped =
      (fs::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5").string();
  EXPECT_THAT(run({"groups", shipped, "--group", "x=L0", "--save"}).err, HasSubstr("copy the file first"));
}

TEST(Groups, OfOneInputLimitAComparison) {
  const GroupStudy study;
  const std::string other = (study.folder / "other.h5").string(), out = (study.folder / "out").string();
  fs::copy_file(study.file, other);
  ASSERT_EQ(run({"groups", study.file, "--group", "pair=L0H0-1", "--save"}).exitCode, 0);
  const ProgramResult carried = run({"groups", other, "--from", study.file, "--save"});
  ASSERT_EQ(carried.exitCode, 0) << carried.err;
  EXPECT_THAT(carried.out, HasSubstr("L0H0-1"));
  const ProgramResult compared = run({"compare", study.file, other, "--group", "pair", "--csv", out});
  ASSERT_EQ(compared.exitCode, 0) << compared.err;
  const std::string heads = readFile(fs::path(out) / "paired_heads.csv");
  EXPECT_THAT(heads, AllOf(HasSubstr("\n0,0,"), HasSubstr("\n0,1,"), Not(HasSubstr("\n0,2,")),
                           Not(HasSubstr("\n1,"))));
}

}  // namespace
}  // namespace plastiscope::test
