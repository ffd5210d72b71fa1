#include "core/model/discovery.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "core/base/hash.h"
#include "core/model/model_places.h"
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
  EXPECT_EQ(models[1].card->name, "org/name");
  EXPECT_EQ(models[1].card->layers, 2);
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

TEST_F(Discovery, VariablesMoveTheHub) {
  const auto found = [&] { return locateModels({}).size(); };
  addToHub(home / "a", "models--m--a", "1", "main");
  addToHub(home / "b/hub", "models--m--b", "1", "main");
  addToHub(home / "c/huggingface/hub", "models--m--c", "1", "main");
  addToHub(home / "d", "models--m--d", "1", "main");
  EXPECT_EQ(found(), 0u);
  ::setenv("XDG_CACHE_HOME", (home / "c").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/c"));
  ::setenv("HF_HOME", (home / "b").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/b"));
  ::setenv("HUGGINGFACE_HUB_CACHE", (home / "a").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/a"));
  ::setenv("TRANSFORMERS_CACHE", (home / "d").c_str(), 1);
  EXPECT_THAT(namesOf(locateModels({})), ElementsAre("m/a", "m/d"));
}

TEST_F(Discovery, WalksOtherProgramsFolders) {
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
  EXPECT_THAT(models[1].problem, HasSubstr("expected a GGUF file"));
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
  put(models / "manifests/registry.ollama.ai/library/bad/1", manifest("sha256:../../etc/passwd"));
  put(models / "manifests/registry.ollama.ai/library/bad/2", "no json");
  put(models / "manifests/registry.ollama.ai/library/bad/3", "[]");
  const auto found = findModels({});
  ASSERT_THAT(namesOf(found), ElementsAre("someone/tiny:latest", "tiny:1b"));
  EXPECT_EQ(found[1].source, "Ollama");
  EXPECT_EQ(found[1].bytes, content.size());
  EXPECT_EQ(found[1].card->layers, 2);
}

TEST_F(Discovery, ExtraFoldersMayBeAnything) {
  addToHub(home / "a-hub", "models--m--a", "1", "main");
  TinyLlama().write(home / "one-model");
  TinyLlama().write(home / "many/x/model-x");
  TinyLlama().write(home / "many/.hidden/model-y");
  EXPECT_THAT(namesOf(locateModels({home / "a-hub"})), ElementsAre("m/a"));
  EXPECT_THAT(namesOf(locateModels({home / "one-model"})), ElementsAre("one-model"));
  EXPECT_THAT(namesOf(locateModels({home / "many", home / "many"})), ElementsAre("x/model-x"));
  EXPECT_THAT(namesOf(locateModels({home / "nowhere"})), ElementsAre());
}

TEST_F(Discovery, SaysWhyAModelCannotBeOpened) {
  TinyLlama tiny;
  tiny.config["model_type"] = "rwkv";
  tiny.write(home / "m/strange");
  const auto models = findModels({home / "m"});
  ASSERT_EQ(models.size(), 1u);
  EXPECT_THAT(models[0].problem, HasSubstr("found model_type \"rwkv\""));
  EXPECT_EQ(models[0].architecture, "");
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
