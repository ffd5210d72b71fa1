// Data sets of a made-up Hugging Face cache, as huggingface_hub lays it out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/base/error.h"
#include "core/base/hub_cache.h"
#include "core/text/corpus_file.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

constexpr const char* kVariables[] = {"HOME",         "XDG_CACHE_HOME",        "HF_HOME",
                                      "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE"};

class RecordFiles : public testing::Test {
 protected:
  RecordFiles() {
    for (const char* name : kVariables) ::unsetenv(name);
    ::setenv("HOME", folder.path().c_str(), 1);
  }
  static void put(const fs::path& file, const std::string& content = "{}") {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  // A link into the blobs, as the hub's programs make it.
  fs::path addFile(const fs::path& cache, const std::string& entry, const std::string& name,
                   const std::string& hash = "aaaa1111") {
    const fs::path root = cache / entry, file = root / "snapshots" / hash / name;
    put(root / "blobs" / ("blob-" + fs::path(name).filename().string()), "[]");
    put(root / "refs/main", hash);
    fs::create_directories(file.parent_path());
    fs::create_symlink(root / "blobs" / ("blob-" + fs::path(name).filename().string()), file);
    return file;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const FoundRecords& each : findRecords()) all.push_back(each.name);
    return all;
  }

  test::TemporaryFolder folder;
};

TEST_F(RecordFiles, FindsLongBenchPro) {
  const fs::path hub = folder / ".cache/huggingface/hub";
  const fs::path file = addFile(hub, "datasets--caskcsg--LongBench-Pro", "longbench_pro.json");
  addFile(hub, "datasets--caskcsg--LongBench-Pro", "README.md");
  addFile(hub, "datasets--allenai--c4", "en/part.0.json");
  addFile(hub, "datasets--allenai--c4", "en/part.1.json");
  addFile(hub, "models--org--name", "config.json");
  const auto found = findRecords();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "caskcsg/LongBench-Pro") << "long-context benchmarks first";
  EXPECT_EQ(found[0].place, file);
  EXPECT_EQ(found[1].name, "allenai/c4");
  EXPECT_EQ(found[1].place, hub / "datasets--allenai--c4/snapshots/aaaa1111") << "several files";
  EXPECT_EQ(found[1].files, 2u);
}

TEST_F(RecordFiles, FollowsTheVariablesOfTheHub) {
  addFile(folder / "home/hub", "datasets--a--one", "x.parquet");
  addFile(folder / "sets", "datasets--b--two", "x.jsonl");
  EXPECT_TRUE(names().empty());
  ::setenv("HF_HOME", "~/home", 1);
  EXPECT_EQ(names(), std::vector<std::string>{"a/one"});
  ::setenv("HF_DATASETS_CACHE", (folder / "sets").c_str(), 1);
  EXPECT_EQ(names(), (std::vector<std::string>{"a/one", "b/two"}));
  ::setenv("HF_HUB_CACHE", (folder / "sets").c_str(), 1);
  EXPECT_EQ(names(), std::vector<std::string>{"b/two"}) << "one folder under two names";
}

TEST_F(RecordFiles, LeavesOutUnreadableFiles) {
  const fs::path hub = folder / ".cache/huggingface/hub";
  addFile(hub, "datasets--a--only-notes", "README.md");
  addFile(hub, "datasets--a--archive", "data.tar.gz");
  addFile(hub, "datasets--a--facts", "dataset_infos.json");
  fs::remove_all(fs::read_symlink(addFile(hub, "datasets--a--half", "x.json")));  // not fetched to its end
  put(hub / "datasets--a--begun/refs/main", "aaaa1111");
  put(hub / "datasets--a--file", "no folder");
  EXPECT_TRUE(names().empty());
}

TEST_F(RecordFiles, SearchesThreeFoldersDeep) {
  put(folder / "set/b.jsonl");
  put(folder / "set/1/2/3/a.parquet");
  put(folder / "set/1/2/3/4/too_deep.json");
  put(folder / "set/.hidden.json");
  EXPECT_EQ(recordFilesOf(folder / "set"), (Paths{folder / "set/1/2/3/a.parquet", folder / "set/b.jsonl"}));
  EXPECT_EQ(recordFilesOf(folder / "set/b.jsonl"), Paths{folder / "set/b.jsonl"});
  fs::create_directories(folder / "empty");
  EXPECT_THROW(recordFilesOf(folder / "empty"), InputError);
}

}  // namespace
}  // namespace plastiscope
