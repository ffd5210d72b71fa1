// Rules for output files and for folders of tables.
#include "core/store/output_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/table_folder.h"
#include "core/store/work_folder.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope {
namespace {

using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

AnalysisFile sampleAnalysis(const std::string& capture = "study.h5") {
  AnalysisFile analysis;
  AnalysisProvenance& provenance = analysis.provenance;
  provenance.programVersion = "1";
  provenance.captureFile = capture;
  provenance.captureFingerprint = "model";
  provenance.captureSettingsHash = capture;
  provenance.settings = Json{{"pairs", 256}, {"tau", "midpoint"}};
  provenance.settingsHash = "settings";
  provenance.capture = Json::object();
  analysis.tables = {{"heads", {{"layer", std::vector<std::int64_t>{0, 1}}}},
                     {"model", {{"heads", std::vector<std::int64_t>{2}}}}};
  return analysis;
}

std::string refusalOf(const fs::path& file, const OutputKind& kind, const OutputRules& rules = {}) {
  return test::failureOf<InputError>([&] { requireOutputPlace(file, kind, rules); });
}

// ---- single files

TEST(OutputPlace, AllowsNewNamesAndTheSameKindOfFile) {
  const TemporaryFolder folder;
  writeAnalysis(sampleAnalysis(), folder / "a.h5");
  EXPECT_EQ(refusalOf(folder / "new.h5", analysisOutput()), "no error");
  EXPECT_EQ(refusalOf(folder / "none" / "new.h5", analysisOutput()), "no error");
  EXPECT_FALSE(fs::exists(folder / "none"));
  EXPECT_EQ(refusalOf(folder / "a.h5", analysisOutput()), "no error");
  EXPECT_THAT(refusalOf(folder / "a.h5", captureOutput()),
              HasSubstr("a.h5: expected a new file or a capture, found an analysis: --force replaces it"));
}

TEST(OutputPlace, ForeignFilesNeedForce) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "notes.txt", std::string_view("mine"));
  writeFileAtomically(folder / "empty", std::string_view());
  for (const char* name : {"notes.txt", "empty"}) {
    EXPECT_THAT(refusalOf(folder / name, analysisOutput()), HasSubstr("--force replaces it")) << name;
    EXPECT_EQ(refusalOf(folder / name, analysisOutput(), {.force = true}), "no error") << name;
  }
  EXPECT_THAT(refusalOf(folder / "notes.txt", analysisOutput(), {.remedy = "choose another name"}),
              HasSubstr("found a text file: choose another name"));
}

TEST(OutputPlace, InputsAreRecognisedThroughLinks) {
  const TemporaryFolder folder;
  writeAnalysis(sampleAnalysis(), folder / "a.h5");
  fs::create_symlink(folder / "a.h5", folder / "link.h5");
  fs::create_hard_link(folder / "a.h5", folder / "hard.h5");
  const OutputRules rules{.inputs = {folder / "a.h5"}, .force = true};
  for (const fs::path& name :
       {folder / "a.h5", folder / "link.h5", folder / "hard.h5", folder / "." / "a.h5"})
    EXPECT_THAT(refusalOf(name, analysisOutput(), rules), HasSubstr("this file is an input")) << name;
  EXPECT_THAT(refusalOf(folder / "a.h5", analysisOutput(), {.inputs = {folder / "link.h5"}}),
              HasSubstr("this file is an input"));
  // All files in a folder of inputs are inputs.
  fs::create_directories(folder / "set" / "l00h00q");
  writeFileAtomically(folder / "set" / "l00h00q" / "data.parquet", std::string_view("PAR1"));
  EXPECT_THAT(refusalOf(folder / "set" / "l00h00q" / "data.parquet", captureOutput(),
                        {.inputs = {folder / "set"}, .force = true}),
              HasSubstr("this file is an input"));
}

TEST(OutputPlace, ModelsAreNeverReplaced) {
  const TemporaryFolder folder;
  test::TinyLlama().write(folder / "model");
  writeFileAtomically(folder / "model" / "README.md", std::string_view("of the model"));
  writeFileAtomically(folder / "lone", readFile(folder / "model" / "model.safetensors"));
  writeFileAtomically(folder / "lone.gguf", std::string_view("GGUF and so on"));
  const fs::path cache = folder / "models--org--name";
  fs::create_directories(cache / "blobs");
  writeFileAtomically(cache / "blobs" / "123", std::string_view("{}"));
  fs::create_symlink(cache / "blobs" / "123", folder / "tokenizer.json");
  const OutputRules force{.force = true};
  for (const fs::path& file : {folder / "model" / "config.json", folder / "model" / "model.safetensors",
                               folder / "model" / "README.md", folder / "lone", folder / "lone.gguf",
                               cache / "blobs" / "123", folder / "tokenizer.json"})
    EXPECT_THAT(refusalOf(file, captureOutput(), force), HasSubstr("a file of a model")) << file;
  // Files of this program are allowed there.
  writeAnalysis(sampleAnalysis(), folder / "model" / "a.h5");
  EXPECT_EQ(refusalOf(folder / "model" / "a.h5", analysisOutput(), {.inputs = {folder / "model"}}),
            "no error");
  // A config.json alone is not a model.
  writeFileAtomically(folder / "config.json", std::string_view("{}"));
  fs::remove(folder / "tokenizer.json");
  fs::remove(folder / "lone.gguf");
  EXPECT_EQ(refusalOf(folder / "config.json", captureOutput(), force), "no error");
}

TEST(OutputPlace, OnlyRegularFilesAreReplaced) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink(folder / "pipe", folder / "link");
  fs::create_symlink(folder / "none", folder / "dangling");
  const std::pair<fs::path, std::string> cases[] = {{folder / "pipe", "a named pipe"},
                                                    {folder / "link", "a named pipe"},
                                                    {folder / "dangling", "a link to nothing"},
                                                    {folder.path(), "a folder"},
                                                    {"/dev/null", "a device"},
                                                    {"/dev/full", "a device"}};
  for (const auto& [file, found] : cases)
    EXPECT_THAT(refusalOf(file, captureOutput(), {.force = true}), HasSubstr("found " + found)) << file;
}

TEST(OutputPlace, TablesAreRecognisedByTheirColumns) {
  const TemporaryFolder folder;
  const Table columns{"pairs", {{"bin", std::vector<std::int64_t>{}}, {"pp", std::vector<double>{}}}};
  writeFileAtomically(folder / "mine.csv", std::string_view("bin,pp\n1,0.5\n"));
  writeFileAtomically(folder / "other.csv", std::string_view("bin,pp2\n1,0.5\n"));
  EXPECT_EQ(refusalOf(folder / "mine.csv", tableOutput(columns)), "no error");
  EXPECT_THAT(refusalOf(folder / "other.csv", tableOutput(columns)), HasSubstr("--force"));
}

// ---- folders of tables

TableFolder tablesOf(const fs::path& folder, TableRules rules = {}, const std::string& capture = "study.h5",
                     const Json& settings = {{"pairs", 256}}, const std::string& command = "analyze") {
  return TableFolder(folder, {command, {{capture, sha256Hex(capture), {}}}, settings}, std::move(rules),
                     {"heads", "model"});
}

void writeBoth(const TableFolder& folder) {
  folder.write(sampleAnalysis().tables, {{"note", "kept"}});
}

TEST(TableFolder, AFinishedSetIsRecognised) {
  const TemporaryFolder folder;
  const fs::path tables = folder / "new" / "tables";
  EXPECT_FALSE(tablesOf(tables).isFinished());
  writeBoth(tablesOf(tables));
  EXPECT_TRUE(tablesOf(tables).isFinished());
  EXPECT_TRUE(tablesOf(tables / "").isFinished());  // "tables/"
  EXPECT_FALSE(tablesOf(tables, {.otherSettings = true}, "study.h5", {{"pairs", 8}}).isFinished());
  const Json provenance = readJsonFile(tables / "provenance.json");
  EXPECT_EQ(provenance["note"], "kept");
  // Checksum as printed by `sha256sum heads.csv`.
  EXPECT_EQ(provenance["table_set"]["files"]["heads.csv"], sha256Hex("layer\n0\n1\n"));
  writeFileAtomically(tables / "heads.csv", std::string_view("layer\n0\n2\n"));
  EXPECT_FALSE(tablesOf(tables).isFinished());
  writeBoth(tablesOf(tables));
  EXPECT_EQ(readFile(tables / "heads.csv"), "layer\n0\n1\n");
}

TEST(TableFolder, OtherTablesAreRefusedAndNamed) {
  const TemporaryFolder folder;
  writeBoth(tablesOf(folder.path()));
  EXPECT_THAT(
      test::failureOf<InputError>(
          [&] { tablesOf(folder.path(), {}, "study.h5", {{"pairs", 256}}, "compare"); }),
      AllOf(HasSubstr("expected tables of `compare` of study.h5, found tables of `analyze` of study.h5"),
            HasSubstr("--force replaces them")));
  EXPECT_THAT(test::failureOf<InputError>([&] { tablesOf(folder.path(), {}, "other.h5"); }),
              HasSubstr("expected tables of `analyze` of other.h5, found tables of `analyze` of study.h5"));
  EXPECT_THAT(test::failureOf<UsageError>([&] { tablesOf(folder.path(), {}, "study.h5", {{"pairs", 8}}); }),
              AllOf(HasSubstr("pairs: 256 there, 8 now"), HasSubstr("--fresh")));
  EXPECT_NO_THROW(tablesOf(folder.path(), {.force = true}, "other.h5"));
  EXPECT_NO_THROW(tablesOf(folder.path(), {.otherSettings = true}, "study.h5", {{"pairs", 8}}));
}

TEST(TableFolder, ForeignFilesStay) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "mine.csv", std::string_view("mine"));
  writeBoth(tablesOf(folder.path()));
  EXPECT_EQ(folder.listing(), "heads.csv mine.csv model.csv provenance.json");
  EXPECT_EQ(readFile(folder / "mine.csv"), "mine");

  const TemporaryFolder other;
  writeFileAtomically(other / "heads.csv", std::string_view("mine"));
  EXPECT_THAT(test::failureOf<InputError>([&] { tablesOf(other.path()); }),
              AllOf(HasSubstr("heads.csv"), HasSubstr("--force")));
  const TemporaryFolder third;
  writeFileAtomically(third / "provenance.json", std::string_view("{\"of\": \"somebody else\"}"));
  EXPECT_THAT(test::failureOf<InputError>([&] { tablesOf(third.path()); }),
              HasSubstr("found a file of another program"));
  writeBoth(tablesOf(third.path(), {.force = true}));
  EXPECT_TRUE(tablesOf(third.path()).isFinished());
  EXPECT_EQ(readFile(other / "heads.csv"), "mine");
}

TEST(TableFolder, AnInputAmongTheTablesIsNeverReplaced) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "heads.csv", std::string_view("model,score\n"));
  const TableOrigin origin{"correlate", {{"heads.csv", "x", folder / "heads.csv"}}, Json::object()};
  EXPECT_THAT(
      test::failureOf<InputError>([&] { TableFolder(folder.path(), origin, {.force = true}, {"heads"}); }),
      HasSubstr("this file is an input"));
}

TEST(TableFolder, OlderTablesAreRemovedUnlessChanged) {
  const TemporaryFolder folder;
  std::vector<Table> tables = sampleAnalysis().tables;
  const Table column{"", {{"x", std::vector<std::int64_t>{1}}}};
  for (const char* name : {"old", "changed"}) {
    tables.push_back(column);
    tables.back().name = name;
  }
  tablesOf(folder.path()).write(tables, Json::object());
  writeFileAtomically(folder / "changed.csv", std::string_view("by hand"));
  writeBoth(tablesOf(folder.path()));
  EXPECT_EQ(folder.listing(), "changed.csv heads.csv model.csv provenance.json");
}

TEST(TableFolder, NamesOutsideTheFolderAreNotTouched) {
  const TemporaryFolder folder;
  const fs::path tables = folder / "tables";
  writeFileAtomically(folder / "victim.csv", std::string_view("x"));
  writeBoth(tablesOf(tables));
  Json provenance = readJsonFile(tables / "provenance.json");
  provenance["table_set"]["files"]["../victim.csv"] = sha256Hex("x");
  writeFileAtomically(tables / "provenance.json", provenance.dump());
  writeBoth(tablesOf(tables));
  EXPECT_TRUE(fs::exists(folder / "victim.csv"));
}

// A set that does not fit leaves the older one unchanged and no new files.
TEST(TableFolder, AFullDiskLeavesTheOldSet) {
  const TemporaryFolder folder;
  writeBoth(tablesOf(folder / "old"));
  std::vector<Table> large = sampleAnalysis().tables;
  large.push_back({"large", {{"x", std::vector<std::int64_t>(4000, 1)}}});
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 4000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  EXPECT_THROW(tablesOf(folder / "old").write(large, Json::object()), ResourceError);
  EXPECT_THROW(tablesOf(folder / "new").write(large, Json::object()), ResourceError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(tablesOf(folder / "old").isFinished());
  EXPECT_EQ(folder.listing(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "old"), {}), 3);
}

// ---- a file system without space for another name

// 0: as expected; 77: mounting is not allowed here.
int tryOnFullFileSystem(const fs::path& folder) {
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "nr_inodes=2") != 0)
    return 77;
  writeFileAtomically(folder / "last", std::string_view());  // takes the last free name
  int wrong = 0;
  const auto expect = [&wrong](const std::function<void()>& work) {
    try {
      work();
      ++wrong;
    } catch (const ResourceError&) {
    } catch (const Error&) {
      ++wrong;
    }
  };
  expect([&] { requireWritableFolderOf(folder / "deep" / "a.h5"); });
  expect([&] { WorkFolder(folder / "a.h5", Json::object(), false); });
  expect([&] { writeFileAtomically(folder / "a", std::string_view("x")); });
  expect([&] { writeFolderAtomically(folder / "b", [](const fs::path&) {}); });
  expect([&] { appendLineDurably(folder / "c", "line"); });
  expect([&] { writeAnalysis(sampleAnalysis(), folder / "d.h5"); });
  return wrong;
}

TEST(FullFileSystem, CreatingAndOpeningReportAFullDisk) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      code = tryOnFullFileSystem(folder.path());
    } catch (const std::exception&) {
    }
    _exit(code);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(WEXITSTATUS(status), 0) << "number of calls that did not report a full disk";
}

}  // namespace
}  // namespace plastiscope
