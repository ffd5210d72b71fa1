// Which file of a folder is opened, what is refused instead, and the index of shards.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/weights/tensor_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string shard(const std::string& tensor) {
  return safetensorsFile("{\"" + tensor + R"(":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
}

struct FolderCase {
  const char* name;
  std::vector<const char*> files;
  const char* complaint;
};

class FolderWithoutWeights : public testing::TestWithParam<FolderCase> {};

TEST_P(FolderWithoutWeights, GivesARemedy) {
  TemporaryFolder folder;
  for (const char* file : GetParam().files) put(folder / file, "x");
  const std::string message = inputErrorOf([&] { weightFileOf(folder.path()); });
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, HasSubstr(folder.path().string()));
}

INSTANTIATE_TEST_SUITE_P(
    Folders, FolderWithoutWeights,
    testing::ValuesIn(std::vector<FolderCase>{
        {"empty", {}, "there are no weights in this folder"},
        {"only_config", {"config.json"}, "there are no weights in this folder"},
        {"pickled", {"config.json", "pytorch_model.bin"}, "convert them to safetensors"},
        {"pickled_shards", {"config.json", "pytorch_model.bin.index.json"}, "convert them to safetensors"},
        {"adapter", {"adapter_config.json", "adapter_model.safetensors"}, "an adapter without its model"},
        {"consolidated",
         {"params.json", "consolidated.safetensors"},
         "only consolidated* in the publisher's own layout"},
        {"adapter_alone", {"adapter_model.bin"}, "an adapter without its model"},
        {"old_consolidated", {"params.json", "consolidated.00.pth"}, "download the Hugging Face files"},
        {"other_pickle", {"config.json", "model.pt"}, "convert them to safetensors"},
        {"trainer", {"config.json", "checkpoint-500/x", "training_args.bin"}, "open one of these folders"},
        {"deepspeed", {"config.json", "global_step10/x", "zero_to_fp32.py"}, "a DeepSpeed checkpoint"},
        {"unfinished", {"config.json", "model.safetensors.incomplete"}, "unfinished"},
        {"parts", {"a.gguf-split-a", "a.gguf-split-b"}, "join all of them"},
        {"consolidated_beside_shards",
         {"config.json", "consolidated.safetensors", "model-00001-of-00002.safetensors"},
         "no model.safetensors.index.json"},
        {"left_by_training", {"config.json", "training_args.bin"}, "there are no weights in this folder"},
        {"tensorflow", {"config.json", "tf_model.h5"}, "those of another program"},
        {"no_index", {"config.json", "model-00001-of-00002.safetensors"}, "no model.safetensors.index.json"},
        {"gguf_beside_config", {"config.json", "a.gguf"}, "open one of them by its own path"},
        {"two_ggufs", {"a.gguf", "b.gguf"}, "open one of them by its own path"},
        {"other_name", {"config.json", "weights.safetensors"}, "neither model.safetensors nor"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

TEST(WeightFiles, FindsTheWeights) {
  TemporaryFolder folder;
  put(folder / "single/model.safetensors", shard("a"));
  put(folder / "single/consolidated.safetensors", shard("b"));
  EXPECT_EQ(weightFileOf(folder / "single").file, folder / "single" / "model.safetensors");
  put(folder / "shards/model.safetensors.index.json", "{}");
  put(folder / "shards/consolidated.safetensors", shard("b"));
  EXPECT_EQ(weightFileOf(folder / "shards").kind, WeightKind::ShardIndex);
  put(folder / "gguf/README.md", "");
  put(folder / "gguf/model.gguf", ggufHead(0, 0));
  EXPECT_EQ(weightFileOf(folder / "gguf").kind, WeightKind::Gguf);
  put(folder / "blob", ggufHead(0, 0));
  EXPECT_EQ(weightFileOf(folder / "blob").kind, WeightKind::Gguf);
}

TEST(WeightFiles, ReportsASingleFileAlike) {
  TemporaryFolder folder;
  const auto complaintAbout = [&](const char* name) {
    put(folder / name, shard("a"));
    return inputErrorOf([&] { openTensors(folder / name); });
  };
  EXPECT_THAT(complaintAbout("pytorch_model.bin"), HasSubstr("convert them to safetensors"));
  EXPECT_THAT(complaintAbout("weights.ckpt"), HasSubstr("convert them to safetensors"));
  EXPECT_THAT(complaintAbout("adapter_model.safetensors"), HasSubstr("an adapter without its model"));
  EXPECT_THAT(complaintAbout("consolidated.safetensors"), HasSubstr("download the Hugging Face files"));
  EXPECT_THAT(complaintAbout("model.onnx"), HasSubstr("those of another program"));
  EXPECT_EQ(complaintAbout("model-00001-of-00002.safetensors"), "NO ERROR");
  EXPECT_EQ(complaintAbout("finetuned.safetensors"), "NO ERROR");
}

TEST(WeightFiles, RefusesOtherFiles) {
  TemporaryFolder folder;
  EXPECT_THAT(inputErrorOf([&] { openTensors(folder / "nowhere"); }),
              HasSubstr("there is no such file or folder"));
  put(folder / "note.txt", "hello");
  EXPECT_THAT(inputErrorOf([&] { openTensors(folder / "note.txt"); }), HasSubstr("expected a model folder"));
  put(folder / "bad.gguf", "hello");
  EXPECT_THAT(inputErrorOf([&] { openTensors(folder / "bad.gguf"); }), HasSubstr("expected a GGUF file"));
  ASSERT_EQ(::mkfifo((folder / "pipe.safetensors").c_str(), 0600), 0);
  EXPECT_THAT(inputErrorOf([&] { openTensors(folder / "pipe.safetensors"); }),
              HasSubstr("expected a regular file, found a named pipe"));
}

TEST(ShardIndex, JoinsTheListedTensors) {
  TemporaryFolder folder;
  put(folder / "one.safetensors", shard("a"));
  put(folder / "two.safetensors", shard("b"));
  put(folder / "model.safetensors.index.json",
      R"({"metadata":{"total_size":16},"weight_map":{"b":"two.safetensors","a":"one.safetensors"}})");
  const auto source = openTensors(folder.path());
  ASSERT_EQ(source->tensors().size(), 2u);
  EXPECT_EQ(source->tensors()[0].name, "a");
  EXPECT_EQ(source->find("b")->file, folder / "two.safetensors");
  EXPECT_EQ(source->find("b")->bytes, 8u);
}

TEST(ShardIndex, LeavesOutTensorsThatItDoesNotList) {
  TemporaryFolder folder;
  put(folder / "one.safetensors", shard("a"));
  put(folder / "two.safetensors", safetensorsFile(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                                  R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                                                  16));
  put(folder / "model.safetensors.index.json",
      R"({"weight_map":{"b":"two.safetensors","a":"one.safetensors"}})");
  const auto source = openTensors(folder.path());
  EXPECT_EQ(source->tensors().size(), 2u);
  EXPECT_EQ(source->find("a")->file, folder / "one.safetensors");
}

struct IndexCase {
  const char* name;
  std::string index;
  const char* complaint;
};

void readAll(const TensorSource& source) {
  for (const TensorInfo& tensor : source.tensors()) source.readBytes(tensor, 0, {});
}

class BadShardIndex : public testing::TestWithParam<IndexCase> {};

TEST_P(BadShardIndex, IsRefused) {
  TemporaryFolder folder;
  put(folder / "model/one.safetensors", shard("a"));
  put(folder / "outside.safetensors", shard("a"));
  fs::create_symlink(folder / "outside.safetensors", folder / "model" / "link.safetensors");
  fs::create_symlink("/dev/zero", folder / "model" / "device.safetensors");
  fs::create_directory(folder / "model" / "folder.safetensors");
  put(folder / "model/broken.safetensors", "x");
  put(folder / "model/model.safetensors.index.json", GetParam().index);
  // What a shard lacks matters where it is read.
  EXPECT_THAT(inputErrorOf([&] { readAll(*openTensors(folder / "model")); }),
              HasSubstr(GetParam().complaint));
}

std::string mapTo(const std::string& file) {
  return R"({"weight_map":{"a":")" + file + R"("}})";
}

INSTANTIATE_TEST_SUITE_P(
    Indexes, BadShardIndex,
    testing::ValuesIn(std::vector<IndexCase>{
        {"no_json", "{", "not valid JSON"},
        {"no_object", "[]", "expected an object with \"weight_map\""},
        {"no_map", "{}", "expected an object with \"weight_map\""},
        {"map_is_list", R"({"weight_map":[]})", "expected an object with \"weight_map\""},
        {"map_is_empty", R"({"weight_map":{}})", "expected at least one tensor"},
        {"name_is_number", R"({"weight_map":{"a":1}})",
         "expected a plain file name ending in .safetensors, found 1"},
        {"name_twice", R"({"weight_map":{"a":"one.safetensors","a":"one.safetensors"}})", "appears twice"},
        {"parent", mapTo("../outside.safetensors"), "expected a plain file name"},
        {"absolute", mapTo("/etc/x.safetensors"), "expected a plain file name"},
        {"sub_folder", mapTo("x/one.safetensors"), "expected a plain file name"},
        {"backslash", mapTo("x\\\\one.safetensors"), "expected a plain file name"},
        {"nul", mapTo("one.safetensors\\u0000.safetensors"), "expected a plain file name"},
        {"dot_file", mapTo(".safetensors"), "expected a plain file name"},
        {"hidden", mapTo(".one.safetensors"), "expected a plain file name"},
        {"other_ending", mapTo("one.bin"), "expected a plain file name"},
        {"upper_case", mapTo("one.SAFETENSORS"), "expected a plain file name"},
        {"long_name", mapTo(std::string(300, 'x') + ".safetensors"), "expected a plain file name"},
        {"empty_name", mapTo(""), "expected a plain file name"},
        {"link_outside", mapTo("link.safetensors"), "NO ERROR"},
        {"device", mapTo("device.safetensors"), "expected a regular file, found a device"},
        {"folder", mapTo("folder.safetensors"), "expected a regular file, found a folder"},
        {"absent", mapTo("two.safetensors"), "cannot be opened"},
        {"broken_shard", mapTo("broken.safetensors"), "it ends after 1 of at least 8 bytes"},
        {"tensor_not_there", R"({"weight_map":{"a":"one.safetensors","b":"one.safetensors"}})",
         "tensor b: expected present, as the index lists it, found none"},
    }),
    [](const auto& one) { return std::string(one.param.name); });

// Looking for each in all of them would not end.
TEST(ShardIndex, OneMissingTensorOfManyIsFound) {
  TemporaryFolder folder;
  std::string header, listed;
  for (int i = 0; i < 200'000; ++i) {
    const std::string name = std::to_string(1'000'000 - i);
    header += (i == 0 ? "\"" : ",\"") + name + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    listed += "\"" + name + R"(":"one.safetensors",)";
  }
  header = "{" + header + "}";
  const std::uint64_t length = header.size();
  put(folder / "one.safetensors",
      std::string(reinterpret_cast<const char*>(&length), sizeof length) + header);
  put(folder / "model.safetensors.index.json", R"({"weight_map":{)" + listed + R"("z":"one.safetensors"}})");
  EXPECT_THAT(inputErrorOf([&] { readAll(*openTensors(folder.path())); }),
              HasSubstr("tensor z: expected present, as the index lists it, found none"));
}

TEST(ShardIndex, FollowsLinksIntoTheBlobsOfTheCache) {
  TemporaryFolder cache;
  const fs::path entry = cache / "models--org--name";
  const fs::path snapshot = entry / "snapshots" / "abc";
  put(entry / "blobs" / "123", shard("a"));
  put(snapshot / "model.safetensors.index.json", mapTo("one.safetensors"));
  fs::create_symlink("../../blobs/123", snapshot / "one.safetensors");
  EXPECT_EQ(openTensors(snapshot)->tensors().size(), 1u);
  fs::remove(snapshot / "one.safetensors");
  put(cache / "models--org--other" / "blobs" / "123", shard("a"));
  fs::create_symlink("../../../models--org--other/blobs/123", snapshot / "one.safetensors");
  EXPECT_EQ(inputErrorOf([&] { readAll(*openTensors(snapshot)); }), "NO ERROR");
}

TEST(ShardIndex, FollowsLinksOfOtherUsersWhenAskedTo) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
  TemporaryFolder folder;
  put(folder / "elsewhere", shard("a"));
  put(folder / "model/model.safetensors.index.json", mapTo("one.safetensors"));
  const fs::path link = folder / "model" / "one.safetensors";
  fs::create_symlink(folder / "elsewhere", link);
  if (::lchown(link.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "the link cannot be given away";
  EXPECT_THAT(inputErrorOf([&] { readAll(*openTensors(folder / "model")); }), HasSubstr("--follow-links"));
  EXPECT_EQ(inputErrorOf([&] { readAll(*openTensors(folder / "model", true)); }), "NO ERROR");
  fs::remove(link);
  fs::create_symlink("../.git/annex/objects/x", link);
  EXPECT_THAT(inputErrorOf([&] { readAll(*openTensors(folder / "model")); }), HasSubstr("git annex get"));
}

// What stands where a file should be, and a word of the sentence that says what to do.
TEST(StandIns, AreNamed) {
  const std::string page = "<!DOCTYPE html><html>Sign in</html>", entry = "Entry not found",
                    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n";
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"model.safetensors", pointer, "git lfs pull"},
      {"a.gguf", pointer, "git lfs pull"},
      {"model.safetensors", page, "a web page"},
      {"a.gguf", page, "a web page"},
      {"model.safetensors", entry, "Entry not found"},
      {"a.gguf", R"({"error":"Unauthorized"})", "a message"},
      {"ggml-model.bin", "tjgg" + std::string(64, '\0'), "before GGUF"},
      {"model.safetensors", "# xet version 0\nfilesize = 9\nhash = 'ab'\n", "a git-xet pointer"},
      {"model.gguf", "lmgg" + std::string(64, '\0'), "before GGUF"},
      {"model.gguf-split-a", ggufHead(0, 0), "cat model.gguf-split-*"},
      {"model.gguf.part1of2", ggufHead(0, 0), "cat model.gguf.part*"},
      {"model.safetensors.00", "x", "cut into pieces"},
      {"model.safetensors.incomplete", "x", "unfinished"},
      {"model.safetensors", shard("a") + shard("b"), "joined into this one"},
      {"model.gguf", ggufHead(0, 0) + std::string(8, '\0') + ggufHead(0, 0), "joined into this one"},
      {"model.safetensors.index.json", pointer, "git lfs pull"},
      {"model.safetensors.index.json", entry, "Entry not found"},
      {"part-00001-of-00002.gguf", ggufHead(0, 0), ""},
  };
  for (const auto& [name, content, complaint] : cases) {
    TemporaryFolder folder;
    put(folder / name, content);
    EXPECT_THAT(inputErrorOf([&] { openTensors(folder / name); }), HasSubstr(complaint)) << name << content;
  }
}

}  // namespace
}  // namespace plastiscope::test
