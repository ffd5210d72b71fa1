// Shares of a list of examples, and their choice by the environment of a cluster.
#include <gmock/gmock.h>

#include <map>

#include "core/base/error.h"
#include "core/capture/capture_part.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

std::optional<CapturePart> partIn(const Variables& variables) {
  return clusterPart([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(CapturePart, SharesCoverEveryExampleOnce) {
  for (const std::int64_t examples : {0, 1, 3, 10, 17}) {
    for (std::int64_t count = 1; count <= 20; ++count) {
      std::int64_t next = 0;
      for (std::int64_t index = 0; index < count; ++index) {
        const CapturePart part{index, count};
        EXPECT_EQ(part.begin(examples), next);
        EXPECT_GE(part.end(examples), next);
        next = part.end(examples);
      }
      EXPECT_EQ(next, examples);
    }
  }
  // floor(I E / N): 10 examples in 4 parts.
  EXPECT_EQ((CapturePart{1, 4}.begin(10)), 2);
  EXPECT_EQ((CapturePart{1, 4}.end(10)), 5);
  EXPECT_EQ((CapturePart{3, 4}.begin(10)), 7);
}

TEST(CapturePart, IsReadAsWritten) {
  EXPECT_EQ(CapturePart::parse("1/4"), (CapturePart{1, 4}));
  EXPECT_EQ(CapturePart::parse("1/4").text(), "1/4");
  EXPECT_TRUE(CapturePart::parse("0/1").isWhole());
  for (const char* wrong : {"", "1", "4/4", "-1/4", "1/0", "1/-4", "1/4/2", "a/4", "1/4 ", "0x1/4",
                            "1/2000000", "99999999999999999999/4"}) {
    EXPECT_THAT(test::failureOf<UsageError>([&] { CapturePart::parse(wrong); }),
                HasSubstr("--part: expected I/N"))
        << wrong;
  }
}

TEST(CapturePart, FilesOfPartsHaveTheirNumberBeforeTheExtension) {
  EXPECT_EQ(partFile("a/study.h5", {1, 4}), "a/study.part-1-of-4.h5");
  EXPECT_EQ(partFile("a.b/study", {0, 2}), "a.b/study.part-0-of-2");
  EXPECT_EQ(partFile("my study.x.h5", {0, 1}), "my study.x.part-0-of-1.h5");
}

struct Case {
  const char* name;
  Variables variables;
  std::optional<CapturePart> part;
};

TEST(ClusterPart, ComesFromTheEnvironment) {
  const Variables array = {{"SLURM_ARRAY_TASK_ID", "7"},
                           {"SLURM_ARRAY_TASK_MIN", "5"},
                           {"SLURM_ARRAY_TASK_MAX", "8"},
                           {"SLURM_ARRAY_TASK_COUNT", "4"}};
  const auto with = [&](Variables more) {
    more.insert(array.begin(), array.end());
    return more;
  };
  const Case cases[] = {
      {"none", {}, {}},
      {"array", array, CapturePart{2, 4}},
      {"array of one",
       {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_MIN", "3"}, {"SLURM_ARRAY_TASK_COUNT", "1"}},
       CapturePart{0, 1}},
      {"array in steps",
       {{"SLURM_ARRAY_TASK_ID", "10"},
        {"SLURM_ARRAY_TASK_MIN", "2"},
        {"SLURM_ARRAY_TASK_STEP", "4"},
        {"SLURM_ARRAY_TASK_COUNT", "3"}},
       CapturePart{2, 3}},
      {"torchrun", {{"RANK", "3"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}}, CapturePart{3, 8}},
      {"Open MPI", {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}, CapturePart{1, 2}},
      {"MPICH", {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}, CapturePart{0, 2}},
      {"several that agree",
       {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}},
       CapturePart{1, 2}},
      {"srun",
       {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "4"}},
       CapturePart{2, 4}},
      {"srun by its step alone",
       {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_ID", "0"}},
       CapturePart{2, 4}},
      {"a shell of srun", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "1"}}, {}},
      {"a batch script", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_LOCALID", "0"}}, {}},
      {"torchrun under srun",
       {{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}},
       CapturePart{5, 8}},
      {"srun in an array", with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}), CapturePart{5, 8}},
      {"one task of srun in an array", with({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}),
       CapturePart{2, 4}},
      {"set but empty", {{"RANK", ""}, {"WORLD_SIZE", ""}, {"SLURM_ARRAY_TASK_ID", ""}}, {}},
  };
  for (const Case& each : cases) EXPECT_EQ(partIn(each.variables), each.part) << each.name;
}

TEST(ClusterPart, RefusesInconsistentVariables) {
  const std::pair<Variables, const char*> cases[] = {
      {{{"RANK", "2"}}, "RANK is set without WORLD_SIZE"},
      {{{"PMI_SIZE", "2"}}, "PMI_SIZE is set without PMI_RANK"},
      {{{"RANK", "2"}, {"WORLD_SIZE", "2"}}, "RANK: expected 0 to 1 because WORLD_SIZE is 2, found 2"},
      {{{"RANK", "-1"}, {"WORLD_SIZE", "2"}}, "RANK: expected a whole number, found \"-1\""},
      {{{"RANK", "1.5"}, {"WORLD_SIZE", "2"}}, "RANK: expected a whole number, found \"1.5\""},
      {{{"RANK", "0"}, {"WORLD_SIZE", "0"}}, "WORLD_SIZE: expected 1 to 1,000,000, found 0"},
      {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}},
       "RANK and WORLD_SIZE give part 0/2, OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE give 1/2"},
      {{{"SLURM_ARRAY_TASK_ID", "1"}}, "SLURM_ARRAY_TASK_ID is set without SLURM_ARRAY_TASK_COUNT"},
      {{{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_MIN", "1"}},
       "SLURM_ARRAY_TASK_ID less SLURM_ARRAY_TASK_MIN: expected 0 to 2"},  // --array=1,3,7
      {{{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_MIN", "2"}},
       "is not a task of an array from 2"},
      {{{"SLURM_ARRAY_TASK_ID", "0"},
        {"SLURM_ARRAY_TASK_COUNT", "1000"},
        {"RANK", "1"},
        {"WORLD_SIZE", "2000"}},
       "processes in all tasks of the array"},
  };
  for (const auto& [variables, sentence] : cases) {
    const std::string failure = test::failureOf<UsageError>([&] { partIn(variables); });
    EXPECT_THAT(failure, HasSubstr(sentence));
    EXPECT_THAT(failure, HasSubstr("take all texts with --part 0/1"));
  }
}

}  // namespace
}  // namespace plastiscope
