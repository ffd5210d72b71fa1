#include "core/model/discovery.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A home folder of its own, and no variables that point elsewhere.
class Discovery : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "TRANSFORMERS_CACHE",
                                 "XDG_CACHE_HOME", "OLLAMA_MODELS", "LLAMA_CACHE"}) {
      ::unsetenv(variable);
    }
    ::setenv("HOME", home.path().c_str(), 1);
  }

  // A snapshot whose files link into blobs, as the downloader leaves it.
  fs::path addToHub(const fs::path& hub, const std::string& entry, const std::string& hash,
                    const std::string& ref) {
    const fs::path folder = hub / entry;
    TinyLlama().write(folder / "made");
    fs::create_directories(folder / "blobs");
    fs::create_directories(folder / "snapshots" / hash);
    for (const char* file : {"config.json", "model.safetensors"}) {
      fs::rename(folder / "made" / file, folder / "blobs" / file);
      fs::create_symlink(fs::path("../../blobs") / file, folder / "snapshots" / hash / file);
    }
    fs::remove(folder / "made");
    if (!ref.empty()) put(folder / "refs" / ref, hash + "\n");
    return folder / "snapshots" / hash;
  }

  static std::vector<std::string> namesOf(const std::vector<FoundModel>& models) {
    std::vector<std::string> names;
    for (const FoundModel& model : models) names.push_back(model.name);
    return names;
  }

  static std::uint64_t modelBytes() {
    const TinyLlama tiny;
    return tiny.safetensors().size() + tiny.config.dump(2).size();
  }

  TemporaryFolder home;
};

TEST_F(Discovery, FindsNothingInAnEmptyHome) {
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre());
}

TEST_F(Discovery, ReadsTheHubCache) {
  const fs::path hub = home / ".cache/huggingface/hub";
  const fs::path snapshot = addToHub(hub, "models--org--name", "aaaa1111", "main");
  put(hub / "models--org--name/blobs/other.incomplete", "partial");
  addToHub(hub, "models--gpt9", "bbbb2222", "");
  put(hub / "datasets--org--data/snapshots/x/config.json", "{}");
  fs::create_directories(hub / ".locks/models--org--name");
  const auto models = findModels({});
  ASSERT_THAT(namesOf(models), ElementsAre("gpt9@bbbb2222", "org/name"));
  EXPECT_EQ(models[1].source, "Hugging Face cache");
  EXPECT_EQ(models[1].path, snapshot);
  EXPECT_EQ(models[1].bytes, modelBytes());
  EXPECT_EQ(models[1].problem, "");
  EXPECT_EQ(models[1].architecture, "llama");
  ASSERT_TRUE(models[1].card.has_value());
  EXPECT_EQ(models[1].card->spec.name, "org/name");
  EXPECT_EQ(models[1].card->spec.layerCount, 2);
}

TEST_F(Discovery, ListsSnapshotsByRefAndCountsSharedBlobsOnce) {
  const fs::path hub = home / "hub";
  ::setenv("HF_HUB_CACHE", hub.c_str(), 1);
  const fs::path first = addToHub(hub, "models--org--name", "aaaa1111", "main");
  const fs::path second = hub / "models--org--name/snapshots/cccc3333";
  fs::create_directories(second);
  fs::copy(first / "config.json", second / "config.json", fs::copy_options::copy_symlinks);
  fs::copy(first / "model.safetensors", second / "model.safetensors", fs::copy_options::copy_symlinks);
  fs::copy(first / "model.safetensors", second / "again.safetensors", fs::copy_options::copy_symlinks);
  put(hub / "models--org--name/refs/refs/pr/3", "cccc3333");
  const auto models = locateModels({});
  ASSERT_THAT(namesOf(models), ElementsAre("org/name", "org/name@refs/pr/3"));
  EXPECT_EQ(models[1].bytes, modelBytes());
  EXPECT_EQ(mainSnapshotOf(hub / "models--org--name"), first);
}

TEST_F(Discovery, DatesModelsByTheirNewestFile) {
  const fs::path snapshot =
      addToHub(home / ".cache/huggingface/hub", "models--org--name", "aaaa1111", "main");
  const auto at = [](const char* utc) {  // seconds since 1970 by `date -u -d ... +%s`
    return fs::file_time_type::clock::from_sys(
        std::chrono::sys_seconds(std::chrono::seconds(std::atoll(utc))));
  };
  fs::last_write_time(snapshot / "config.json", at("1748736000"));        // 2025-06-01 00:00
  fs::last_write_time(snapshot / "model.safetensors", at("1748735999"));  // a second before
  const auto models = locateModels({});
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].date, "2025-06-01");
  EXPECT_EQ(models[0].ref, "main");
}

TEST_F(Discovery, ShowsUnfinishedDownloadsOfTheHub) {
  const fs::path hub = home / ".cache/huggingface/hub";
  put(hub / "models--org--begun/blobs/abc.incomplete", "12345");
  put(hub / "models--org--begun/refs/main", "aaaa1111");
  put(hub / "models--org--half/snapshots/bbbb2222/config.json", "{}");
  put(hub / "models--org--half/blobs/abc.incomplete", "123");
  put(hub / "models--org--half/refs/main", "bbbb2222");
  put(hub / "models--org--shards/snapshots/cccc3333/config.json", "{}");
  put(hub / "models--org--shards/snapshots/cccc3333/model-00001-of-00002.safetensors", "1234");
  put(hub / "models--org--shards/snapshots/cccc3333/model.safetensors.index.json",
      R"({"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}})");
  put(hub / "models--org--shards/blobs/abc.incomplete", "123");
  put(hub / "models--org--untouched/refs/main", "dddd4444");
  addToHub(hub, "models--org--whole", "eeee5555", "main");
  put(hub / "models--org--whole/blobs/of-another-branch.incomplete", "123");
  const auto models = findModels({});
  ASSERT_THAT(namesOf(models), ElementsAre("org/begun", "org/half", "org/shards@cccc3333", "org/whole"));
  EXPECT_TRUE(models[0].unfinished && models[1].unfinished && models[2].unfinished);
  EXPECT_EQ(models[0].bytes, 5u);
  EXPECT_EQ(models[1].bytes, 5u);
  EXPECT_THAT(models[1].problem, HasSubstr("the download is unfinished (5 B so far)"));
  EXPECT_FALSE(models[3].unfinished);
  EXPECT_EQ(models[3].problem, "");
  EXPECT_THAT(inputErrorOf([] { resolveModelPath("org/begun"); }), HasSubstr("the download is unfinished"));
}

TEST_F(Discovery, ShowsUnfinishedDownloadsOfPlainFolders) {
  TinyLlama().write(home / "m/whole");
  put(home / "m/whole/.cache/huggingface/download/model.safetensors.metadata", "x");
  put(home / "m/half/config.json", "{}");
  put(home / "m/half/.cache/huggingface/download/model.safetensors.abc.incomplete", "123");
  put(home / "m/other/a.gguf.downloadInProgress", "1234");
  put(home / "m/other/b.gguf.part", "1234");
  put(home / "m/no-model/config.json", "{}");
  const auto models = findModels({home / "m"});
  ASSERT_THAT(namesOf(models),
              ElementsAre("half", "other/a.gguf.downloadInProgress", "other/b.gguf.part", "whole"));
  EXPECT_TRUE(models[0].unfinished && models[1].unfinished && models[2].unfinished);
  EXPECT_EQ(models[1].bytes, 4u);
  EXPECT_FALSE(models[3].unfinished);
  EXPECT_EQ(models[3].problem, "");
}

TEST_F(Discovery, ListsGgufFilesOfTheHubAndSplitOnesOnce) {
  const fs::path hub = home / ".cache/huggingface/hub";
  const fs::path snapshot = hub / "models--org--name-GGUF/snapshots/aaaa1111";
  put(hub / "models--org--name-GGUF/refs/main", "aaaa1111");
  fs::create_directories(snapshot / "Q4");
  put(hub / "models--org--name-GGUF/blobs/1", "12");
  put(hub / "models--org--name-GGUF/blobs/2", "345");
  fs::create_symlink("../../../blobs/1", snapshot / "Q4/name-Q4-00001-of-00002.gguf");
  fs::create_symlink("../../../blobs/2", snapshot / "Q4/name-Q4-00002-of-00002.gguf");
  fs::create_symlink("../../blobs/2", snapshot / "house-of-cards.gguf");
  put(snapshot / "mmproj-name.gguf", "x");
  put(snapshot / "name-mmproj-f16.gguf", "x");
  const auto models = locateModels({});
  ASSERT_THAT(namesOf(models), ElementsAre("org/name-GGUF/Q4/name-Q4-00001-of-00002.gguf",
                                           "org/name-GGUF/house-of-cards.gguf"));
  EXPECT_EQ(models[0].bytes, 5u);
  EXPECT_FALSE(models[0].unfinished);
  fs::remove(snapshot / "Q4/name-Q4-00002-of-00002.gguf");
  put(hub / "models--org--name-GGUF/blobs/3.incomplete", "3");
  EXPECT_TRUE(locateModels({})[0].unfinished);
}

TEST_F(Discovery, FollowsTheVariablesOfTheHub) {
  const auto found = [&] { return locateModels({}).size(); };
  addToHub(home / "a", "models--m--a", "1", "main");
  addToHub(home / "b/hub", "models--m--b", "1", "main");
  addToHub(home / "c/huggingface/hub", "models--m--c", "1", "main");
  addToHub(home / "d", "models--m--d", "1", "main");
  EXPECT_EQ(found(), 0u);
  ::setenv("XDG_CACHE_HOME", (home / "c").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/c"));
  ::setenv("HF_HOME", "~/b", 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/b"));
  ::setenv("HUGGINGFACE_HUB_CACHE", (home / "a").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/a"));
  ::setenv("TRANSFORMERS_CACHE", (home / "d").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/a", "m/d"));
}

TEST_F(Discovery, SearchesFoldersOfOtherPrograms) {
  fs::create_directories(home / ".lmstudio/models/org/repo");
  fs::copy(testData("model/tiny.gguf"), home / ".lmstudio/models/org/repo/tiny.gguf");
  put(home / ".lmstudio/models/org/repo/mmproj-tiny.gguf", "x");
  put(home / ".cache/llama.cpp/m-00001-of-00002.gguf", "12");
  put(home / ".cache/llama.cpp/m-00002-of-00002.gguf", "345");
  const auto models = findModels({});
  ASSERT_THAT(namesOf(models), ElementsAre("org/repo/tiny.gguf", "m-00001-of-00002.gguf"));
  EXPECT_EQ(models[0].source, "LM Studio");
  EXPECT_EQ(models[0].card->container, "GGUF");
  EXPECT_EQ(models[1].source, "llama.cpp cache");
  EXPECT_EQ(models[1].bytes, 5u);
  EXPECT_FALSE(models[1].card.has_value());
  EXPECT_THAT(models[1].problem, HasSubstr("the file is cut short: it ends after 2 of at least 4 bytes"));
}

TEST_F(Discovery, ReadsOllamaManifests) {
  const fs::path models = home / ".ollama/models";
  std::ifstream stream(testData("model/tiny.gguf"), std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(stream)), {});
  const std::string hash = sha256Hex(content);
  put(models / "blobs" / ("sha256-" + hash), content);
  const auto manifest = [](const std::string& digest) {
    return R"({"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:0"},)"
           R"({"mediaType":"application/vnd.ollama.image.model","digest":")" +
           digest + "\"}]}";
  };
  put(models / "manifests/registry.ollama.ai/library/tiny/1b", manifest("sha256:" + hash));
  put(models / "manifests/registry.ollama.ai/someone/tiny/latest", manifest("sha256:" + hash));
  put(models / "manifests/registry.ollama.ai/library/gone/1", manifest("sha256:" + std::string(64, 'a')));
  put(models / "manifests/registry.ollama.ai/library/bad/1", manifest("sha256:../../etc/passwd"));
  put(models / "manifests/registry.ollama.ai/library/bad/2", "no json");
  put(models / "manifests/registry.ollama.ai/library/bad/3", "[]");
  const auto found = findModels({});
  ASSERT_THAT(namesOf(found), ElementsAre("gone:1", "someone/tiny:latest", "tiny:1b"));
  EXPECT_THAT(found[0].problem, HasSubstr("there is no such file"));
  EXPECT_EQ(found[2].source, "Ollama");
  EXPECT_EQ(found[2].bytes, content.size());
  EXPECT_EQ(found[2].card->spec.layerCount, 2);
  EXPECT_EQ(resolveModelPath("tiny:1b"), found[2].path);
  EXPECT_EQ(resolveModelPath("someone/tiny"), found[1].path);
}

TEST_F(Discovery, SearchesFoldersOfTheUser) {
  addToHub(home / "a-hub", "models--m--a", "1", "main");
  TinyLlama().write(home / "one-model");
  TinyLlama().write(home / "many/x/model-x");
  TinyLlama().write(home / "many/.hidden/model-y");
  EXPECT_THAT(namesOf(locateModels({home / "a-hub"})), ElementsAre("m/a"));
  EXPECT_THAT(namesOf(locateModels({home / "one-model"})), ElementsAre("one-model"));
  EXPECT_THAT(namesOf(locateModels({home / "many", home / "many"})), ElementsAre("x/model-x"));
  EXPECT_THAT(namesOf(locateModels({home / "nowhere"})), ElementsAre());
}

TEST_F(Discovery, ListsAnUnknownFamilyWithItsTypeForTheEngineTransformers) {
  TinyLlama tiny;
  tiny.config["model_type"] = "rwkv";
  tiny.write(home / "m/strange");
  const auto models = findModels({home / "m"});
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].problem, "");
  EXPECT_EQ(models[0].architecture, "rwkv");
  EXPECT_FALSE(models[0].card.has_value());
}

TEST_F(Discovery, ListsUnreadableModelsWithTheReason) {
  TinyLlama packed;
  packed.config["quantization_config"] = {{"quant_method", "awq"}, {"bits", 4}};
  packed.write(home / "m/a-awq");
  put(home / "m/b-adapter/adapter_config.json", "{}");
  put(home / "m/b-adapter/adapter_model.safetensors", "x");
  TinyLlama().write(home / "m/c-pickled");
  fs::rename(home / "m/c-pickled/model.safetensors", home / "m/c-pickled/pytorch_model.bin");
  put(home / "m/c-pickled/consolidated.00.pth", "not counted");
  const auto models = findModels({home / "m"});
  ASSERT_THAT(namesOf(models), ElementsAre("a-awq", "b-adapter", "c-pickled"));
  EXPECT_THAT(models[0].problem, HasSubstr("the quantisation awq is not supported"));
  EXPECT_THAT(models[1].problem, HasSubstr("an adapter without its model"));
  EXPECT_THAT(models[2].problem, HasSubstr("convert them to safetensors"));
  EXPECT_EQ(models[2].bytes, modelBytes());
}

TEST_F(Discovery, OpensModelsOfEightBitFloats) {
  TinyLlama tiny;
  tiny.config["quantization_config"] = {{"quant_method", "fp8"}};
  put(home / "m/tiny-fp8/config.json", tiny.config.dump());
  // The bytes of one weight become 1,024 numbers of 8 bits, their scale, and scales of activations.
  put(home / "m/tiny-fp8/model.safetensors", tiny.safetensors([](Json& header) {
    const std::string name = "model.layers.0.self_attn.q_proj.";
    const std::int64_t begin = header[name + "weight"]["data_offsets"][0];
    const auto entry = [&](const char* type, Json shape, std::int64_t from, std::int64_t to) {
      return Json{{"dtype", type}, {"shape", shape}, {"data_offsets", {begin + from, begin + to}}};
    };
    header[name + "weight"] = entry("F8_E4M3", {32, 32}, 0, 1024);
    header[name + "weight_scale_inv"] = entry("F32", Json::array(), 1024, 1028);
    header[name + "activation_scale"] = entry("F32", {767}, 1028, 4096);
  }));
  const auto models = findModels({home / "m"});
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].problem, "");
  ASSERT_TRUE(models[0].card.has_value());
  EXPECT_THAT(models[0].card->weightTypes, HasSubstr("F8_E4M3"));
}

TEST_F(Discovery, ResolvesNamesAndPaths) {
  const fs::path hub = home / ".cache/huggingface/hub";
  const fs::path snapshot = addToHub(hub, "models--org--SmolLM", "1", "main");
  addToHub(hub, "models--other--Llama-3", "2", "main");
  addToHub(hub, "models--org--Llama-3", "3", "main");
  EXPECT_EQ(resolveModelPath("org/SmolLM"), snapshot);
  EXPECT_EQ(resolveModelPath("ORG/smollm"), snapshot);
  EXPECT_EQ(resolveModelPath("SmolLM"), snapshot);
  EXPECT_EQ(resolveModelPath(snapshot.string()), snapshot);
  EXPECT_EQ(resolveModelPath((hub / "models--org--SmolLM").string()), snapshot);
  EXPECT_EQ(resolveModelPath("other/Llama-3"), hub / "models--other--Llama-3/snapshots/2");
  EXPECT_THAT(inputErrorOf([] { resolveModelPath("Llama-3"); }),
              HasSubstr("several models have this name: org/Llama-3, other/Llama-3"));
  EXPECT_THAT(inputErrorOf([] { resolveModelPath("SmolML"); }), HasSubstr("near names: org/SmolLM"));
  EXPECT_THAT(inputErrorOf([] { resolveModelPath("llama"); }),
              AllOf(HasSubstr("org/Llama-3"), HasSubstr("other/Llama-3")));
  EXPECT_EQ(
      inputErrorOf([] { resolveModelPath("zzzzzzzzzzzzzzzzzzzz"); }),
      "zzzzzzzzzzzzzzzzzzzz: there is no such file or folder, and no model of this name in the usual places");
}

}  // namespace
}  // namespace plastiscope::test
