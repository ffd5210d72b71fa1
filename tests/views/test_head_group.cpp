// Groups of heads: their texts, their JSON, and the notes beside a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/json.h"
#include "core/views/study_notes.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Rows: L0H0, L0H1, L1H0, L12H6.
Table fourHeads() {
  Table table{"heads", {}};
  table.columns.push_back({"layer", std::vector<std::int64_t>{0, 0, 1, 12}});
  table.columns.push_back({"head", std::vector<std::int64_t>{0, 1, 0, 6}});
  table.columns.push_back({"ap_drop", std::vector<double>{0.1, 0.25, kMissing, -0.3}});
  table.columns.push_back({"taxonomy", std::vector<std::string>{"mixed", "mixed", "", "position"}});
  return table;
}

const HeadGroups kGroups = {{"induction", "#0072b2", {{0, 1}, {12, 6}}, "induction_score > 0.3"},
                            {"low-2", "#d55e00", {{5, 5}}}};

TEST(HeadGroups, AreParsedFromNamesListsAndExpressions) {
  const Table table = fourHeads();
  const auto parsed = [&](const char* text) { return parseGroup(text, kGroups, table); };
  EXPECT_EQ(parsed("induction"), kGroups[0]);
  EXPECT_EQ(parsed("a=L12H6,L0").heads, (std::vector<HeadName>{{0, 0}, {0, 1}, {12, 6}}));
  EXPECT_EQ(parsed("a=L0-L5").heads, (std::vector<HeadName>{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(parsed("a=L0-L5").origin, "L0-L5");
  EXPECT_EQ(parsed("a=L0H0-9").origin, "L0H0-9");
  EXPECT_EQ(parsed("a=L0H0-1").origin, "") << "the heads themselves";
  EXPECT_EQ(parsed("a=ap_drop > 0.2").heads, (std::vector<HeadName>{{0, 1}}));
  EXPECT_EQ(parsed("a=taxonomy == mixed && !group:induction").heads, (std::vector<HeadName>{{0, 0}}));
  EXPECT_EQ(parsed("induction=L1").colour, "#0072b2") << "keeps the colour of the group that it replaces";
  EXPECT_EQ(parsed("new=L1").colour, freeGroupColour(kGroups));
}

TEST(HeadGroups, RefusalsNameTheReason) {
  const Table table = fourHeads();
  const auto failure = [&](const char* text, const HeadGroups& groups = kGroups) {
    return failureOf<UsageError>([&] { parseGroup(text, groups, table); });
  };
  EXPECT_THAT(failure("indution"), HasSubstr("did you mean induction?"));
  EXPECT_THAT(failure("x"), HasSubstr("known groups: induction, low-2"));
  EXPECT_THAT(failure("x", {}), HasSubstr("the study has no groups"));
  EXPECT_THAT(failure("low-2"), HasSubstr("no head of group \"low-2\" was captured"));
  EXPECT_THAT(failure("=L0"), HasSubstr("needs a name"));
  EXPECT_THAT(failure("a b=L0"), HasSubstr("letters, digits"));
  EXPECT_THAT(failure("rest=L0"), HasSubstr("stands for other heads"));
  EXPECT_THAT(failure("a="), HasSubstr("expected heads or an expression"));
  EXPECT_THAT(failure("a=L7H7"), HasSubstr("head L7H7 was not captured"));
  EXPECT_THAT(failure("a=L7"), HasSubstr("layer 7 has no captured heads"));
  EXPECT_THAT(failure("a=ap_drop > 5"), HasSubstr("no head matches ap_drop > 5"));
  EXPECT_THAT(failure("a=ap_dorp > 5"), HasSubstr("did you mean ap_drop"));
  EXPECT_THAT(failureOf<UsageError>([] { checkGroupName("induction", kGroups); }),
              HasSubstr("already a group"));
}

TEST(HeadGroups, EightColoursAreUsedBeforeOneRepeats) {
  HeadGroups groups;
  std::set<std::string> colours;
  for (int i = 0; i < 8; ++i) {
    groups.push_back({"g" + std::to_string(i), freeGroupColour(groups), {{0, i}}});
    colours.insert(groups.back().colour);
  }
  EXPECT_EQ(colours.size(), 8U);
  EXPECT_EQ(freeGroupColour(groups), groups.front().colour);
}

TEST(HeadGroups, InvalidEntriesOfNotesAreLeftOut) {
  const Json value = {
      {{"name", "good"}, {"colour", "red"}, {"heads", {"L1H2", "L0H1", "nonsense", 7, "L1H2"}}},
      {{"name", "good"}, {"colour", "#000000"}, {"heads", {"L0H0"}}},
      {{"name", "empty"}, {"heads", {"L?"}}},
      {{"name", "bad name"}, {"heads", {"L0H0"}}},
      {{"name", 7}, {"heads", {"L0H0"}}},
      "text"};
  const HeadGroups groups = groupsFromJson(value);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].heads, (std::vector<HeadName>{{0, 1}, {1, 2}}));
  EXPECT_EQ(groups[0].colour, freeGroupColour({}));
  EXPECT_EQ(groupsFromJson(groupsToJson(kGroups)), kGroups);
}

TEST(HeadGroups, AreSavedInTheNotesWithoutLosingOthers) {
  const TemporaryFolder folder;
  const fs::path study = folder / "a.h5";
  fs::copy_file(fs::path(PLASTISCOPE_RESOURCES) / "example/smollm2-135m-licences.h5", study);
  EXPECT_TRUE(groupsBeside(study).empty());
  StudyNotes notes;
  notes.study = "text";
  notes.starred = {{0, 1}};
  notesFile(notesFileOf(study)).write(notesContent(notes, studyIdOf(study).ofCapture()));
  saveGroupsBeside(study, kGroups);
  EXPECT_EQ(groupsBeside(study), kGroups);
  notes.groups = kGroups;
  EXPECT_EQ(StudyNotes::fromJson(notesFile(notesFileOf(study)).require()), notes);
  EXPECT_EQ(captureOfNotes(notesFileOf(study)), studyIdOf(study).ofCapture());
  saveGroupsBeside(study, {});
  EXPECT_FALSE(notesFile(notesFileOf(study)).require().contains("groups")) << "as older versions wrote it";
  // Notes of another capture are neither read nor replaced.
  notesFile(notesFileOf(study))
      .write(notesContent(notes, {std::string(64, 'b'), std::string(63, 'c') + "d", ""}));
  EXPECT_THAT(failureOf<InputError>([&] { groupsBeside(study); }), HasSubstr("notes of another capture"));
  EXPECT_THAT(failureOf<InputError>([&] { saveGroupsBeside(study, {}); }), HasSubstr("another capture"));
}

}  // namespace
}  // namespace plastiscope::test
