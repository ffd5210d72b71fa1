#include <gmock/gmock.h>

#include <fstream>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "core/model/rope_kinds.h"
#include "core/model/rope_settings.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_llama.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

const RopeContext kContext{"file", 8, 4096, 0, {}};

RopeSpec overridden(const char* settings, const char* override) {
  return readRope(overriddenRopeSettings(Json::parse(settings), Json::parse(override), "override"), kContext);
}

TEST(RopeOverride, ChangesSingleValues) {
  const RopeSpec rope = overridden(R"({"rope_type":"yarn","factor":4,"rope_theta":5000})", R"({"factor":8})");
  EXPECT_EQ(rope.kind, "yarn");
  EXPECT_EQ(rope.factor, 8);
  EXPECT_EQ(rope.theta, 5000);
}

TEST(RopeOverride, ANewKindDropsTheOldKindsSettings) {
  const char* llama3 = R"({"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,
                           "original_max_position_embeddings":1024,"rope_theta":5000})";
  EXPECT_EQ(overridden(llama3, R"({"type":"yarn","factor":2})").originalContext, 4096);
  EXPECT_EQ(
      overridden(llama3, R"({"rope_type":"default"})").toJson(),
      Json::parse(
          R"({"rope_type":"default","rope_theta":5000.0,"rotary_dim":8,"max_position_embeddings":4096})"));
  EXPECT_TRUE(overridden(R"({"frequency_factors":[1,1,1,1]})", R"({"rope_type":"linear","factor":2})")
                  .frequencyFactors.empty());
}

TEST(RopeOverride, NullRemovesASetting) {
  EXPECT_EQ(overridden(R"({"frequency_factors":[1,1,2,2]})", "{}").frequencyFactors.size(), 4u);
  EXPECT_TRUE(overridden(R"({"frequency_factors":[1,1,2,2]})", R"({"frequency_factors":null})")
                  .frequencyFactors.empty());
}

TEST(RopeOverride, NamesTypesOfLayersThatHaveARopeOfTheirOwn) {
  const auto folder = testData("families/gemma3_text");
  const auto model = openModel(folder, Json::parse(R"({"sliding_attention":{"rope_theta":5}})"));
  EXPECT_EQ(model->spec.ropes.front().theta, 1e6);
  EXPECT_EQ(model->spec.ropes.back().theta, 5);
  EXPECT_THAT(
      inputErrorOf([&] { openModel(folder, Json::parse(R"({"chunked_attention":{"rope_theta":5}})")); }),
      HasSubstr("RoPE override: expected settings by layer type (full_attention, sliding_attention), found "
                "chunked_attention"));
}

TEST(RopeOverride, IsCheckedLikeAConfiguration) {
  TemporaryFolder folder;
  TinyLlama().write(folder.path());
  const auto open = [&](const char* override) {
    return inputErrorOf([&] { openModel(folder.path(), Json::parse(override)); });
  };
  EXPECT_THAT(open(R"({"rope_type":"ntk"})"), HasSubstr("RoPE override over"));
  EXPECT_THAT(open(R"({"rope_type":"ntk"})"), HasSubstr("expected one of default, linear"));
  EXPECT_THAT(open(R"({"rope_type":"linear"})"), HasSubstr("factor: expected a value"));
  EXPECT_THAT(open(R"({"rope_tetha":1})"), HasSubstr("such as rope_theta"));
  EXPECT_EQ(open(R"({"rope_type":"linear","factor":2})"), "NO ERROR");
  EXPECT_THROW(openModel(folder.path(), Json::parse("[1]")), UsageError);
  EXPECT_EQ(openModel(folder.path(), Json::parse(R"({"rope_theta":7e5})"))->spec.rope().theta, 7e5);
}

// Settings of config.json that cannot be computed: refused with the way out, which then works.
TEST(RopeOverride, ReplacesRefusedSettings) {
  const std::pair<const char*, const char*> cases[] = {
      {"qwen2", R"({"rope_scaling":{"type":"mrope","mrope_section":[1,1,2],"some":3}})"},
      {"qwen2", R"({"rope_scaling":"linear"})"},
      {"qwen2", R"({"rope_scaling":{"full_attention":{"type":"linear","factor":2}}})"},
      {"qwen2", R"({"rope_scaling":{"type":"linear"}})"},
      {"qwen2", R"({"rope_scaling":{"type":"linear","factor":2},"partial_rotary_factor":0.5})"},
      {"phi3", R"({"rope_parameters":{"rope_type":"linear","factor":2,"rope_theta":1e4}})"}};
  for (const auto& [family, changes] : cases) {
    std::ifstream stream(testData(std::string("families/") + family + "/config.json"));
    Json config = Json::parse(stream);
    if (std::string(family) == "qwen2") config.erase("rope_parameters");
    config.update(Json::parse(changes));
    TemporaryFolder folder;
    put(folder / "config.json", config.dump());
    std::filesystem::copy_file(testData(std::string("families/") + family + "/model.safetensors"),
                               folder / "model.safetensors");
    const auto open = [&](const char* override) {
      return inputErrorOf([&] { openModel(folder.path(), Json::parse(override)); });
    };
    EXPECT_THAT(open("null"), HasSubstr("--rope-override")) << changes;
    EXPECT_EQ(open(R"({"rope_type":"default","rope_theta":1e4})"), "NO ERROR") << changes;
    EXPECT_EQ(open(R"({"rope_type":"yarn","factor":4,"rope_theta":1e4})"), "NO ERROR") << changes;
  }
}

// Every kind: its needs are demanded one by one, and what toJson writes reads back to the same.
class EveryRopeKind : public testing::TestWithParam<RopeKind> {};

Json exampleOf(const RopeKind& kind) {
  const Json examples =
      Json::parse(R"({"factor":4,"original_max_position_embeddings":1024,"low_freq_factor":1,
    "high_freq_factor":4,"beta_fast":20,"beta_slow":2,"truncate":false,"attention_factor":1.25,"mscale":0.5,
    "mscale_all_dim":0.75,"short_factor":[1,1.5,2,2.5],"long_factor":[1,2,4,8],"frequency_factors":[1,1,4,8],
    "partial_rotary_factor":0.5})");
  Json settings = {{"rope_type", kind.name}, {"rope_theta", 12345}};
  for (const auto& names : {kind.needs, kind.may}) {
    for (const auto name : names) settings[std::string(name)] = examples.at(std::string(name));
  }
  return settings;
}

TEST_P(EveryRopeKind, ReadsItsSettingsAndWritesThemBack) {
  const Json settings = exampleOf(GetParam());
  const Json written = readRope(settings, kContext).toJson();
  for (const auto& [key, value] : settings.items()) EXPECT_EQ(written[key], value) << key;
  EXPECT_EQ(readRope(written, kContext).toJson(), written);
}

TEST_P(EveryRopeKind, RequiresItsSettings) {
  const RopeContext noContext{"file", 8, 0, 0, {}};  // so that nothing is filled in
  for (const auto name : GetParam().needs) {
    Json settings = exampleOf(GetParam());
    settings.erase(std::string(name));
    EXPECT_THAT(inputErrorOf([&] { readRope(settings, noContext); }),
                HasSubstr("RoPE setting " + std::string(name)));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryRopeKind, testing::ValuesIn(ropeKinds()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(RopeKinds, NameOnlyKnownSettings) {
  for (const RopeKind& kind : ropeKinds()) {
    for (const auto& names : {kind.needs, kind.may}) {
      for (const auto name : names) EXPECT_NE(findRopeSetting(name), nullptr) << name;
    }
  }
}

}  // namespace
}  // namespace plastiscope::test
