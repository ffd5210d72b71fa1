// Reads config.json of every family as transformers does, with each key null or left out and with RoPE
// settings of every kind with keys of other kinds (tests/data/families/make_config_sweep.py).
//
// Where transformers raises, the program refuses the file or reads it as if it had not been changed.
// tie_word_embeddings is decided by the weights; a YaRN factor that is null or left out is the ratio of the
// two lengths.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iostream>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/forward/rope.h"
#include "core/model/model.h"
#include "tests/support/temporary_folder.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr std::int64_t kTokens = 40;  // as in the generator

struct Variant {
  std::string name;
  Json data;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

std::vector<Variant> variants() {
  std::ifstream stream(fs::path(PLASTISCOPE_TEST_DATA) / "families/config_sweep.json");
  std::vector<Variant> all;
  const Json whole = Json::parse(stream);
  for (const Json& one : whole["variants"]) all.push_back({one["name"], one});
  return all;
}

Json& languageOf(Json& config) {
  return config.contains("text_config") ? config["text_config"] : config;
}

Json edited(Json config, const Json& edits) {
  Json& language = languageOf(config);
  for (const Json& key : edits.value("drop", Json::array())) language.erase(key.get<std::string>());
  const Json set = edits.value("set", Json::object());
  for (const auto& [key, value] : set.items()) language[key] = value;
  return config;
}

// "null KEY", "without KEY" (KEY may be "rope_scaling.factor") or "with {...}".
Json changed(Json config, const std::string& change) {
  const std::string rest = change.substr(change.find(' ') + 1);
  if (change.starts_with("with "))
    return edited(config,
                  {{"drop", {"rope_parameters", "rope_scaling", "rope_theta"}}, {"set", Json::parse(rest)}});
  const auto dot = rest.find('.');
  Json& object = dot == std::string::npos ? languageOf(config) : languageOf(config)[rest.substr(0, dot)];
  const std::string key = rest.substr(dot == std::string::npos ? 0 : dot + 1);
  if (change.starts_with("null ")) {
    object[key] = nullptr;
  } else {
    object.erase(key);
  }
  return config;
}

double rounded(double value) {
  std::ostringstream text;
  text.precision(6);
  text << value;
  return std::stod(text.str());
}

// The same facts as the generator's.
Json factsOf(const ModelSpec& spec) {
  Json facts = {{"layers", Json::object()}, {"rope", Json::object()}, {"eps", rounded(spec.norm.eps)}};
  bool rotates = false;
  for (std::int64_t number = 0; number < spec.layerCount; ++number) {
    const LayerSpec& layer = spec.layer(number);
    std::ostringstream text;
    text.precision(6);
    text << nameOf(layer.attention) << " " << layer.window << " " << (layer.rope ? "rope" : "none") << " "
         << spec.queryHeads << " " << layer.keyHeads << " " << layer.headDim << " "
         << rounded(spec.scoreScale);
    facts["layers"][std::to_string(number)] = layer.hasVectors() ? text.str() : "-";
    rotates = rotates || (layer.hasVectors() && layer.rope);
  }
  for (const RopeSpec& rope : spec.ropes) {
    const RopeFrequencies frequencies = ropeFrequencies(rope, kTokens);
    Json& list = facts["rope"][rope.layerType];
    list.push_back(frequencies.attentionFactor);
    for (std::int64_t i = 0; i < frequencies.inverse.numel(); ++i)
      list.push_back(static_cast<double>(frequencies.inverse.data_ptr<float>()[i]));
  }
  if (!rotates) facts["rope"] = Json::object();
  const Multipliers& m = spec.multipliers;
  facts["other"] = {
      {"attn_logit_softcapping", spec.scoreSoftcap}, {"num_experts_per_tok", spec.experts.used},
      {"top_k_experts", spec.experts.used},          {"norm_topk_prob", spec.experts.renormalise},
      {"routed_scaling_factor", spec.experts.scale}, {"embedding_multiplier", spec.embeddingScale},
      {"residual_multiplier", spec.residualScale},   {"key_multiplier", m.key},
      {"attention_in_multiplier", m.attentionIn},    {"attention_out_multiplier", m.attentionOut},
      {"ssm_in_multiplier", m.recurrenceIn},         {"ssm_out_multiplier", m.recurrenceOut},
      {"mlp_multipliers", {m.mlpGate, m.mlpOut}},    {"ssm_multipliers", m.recurrence},
      {"rope_interleave", spec.latent.storedInPairs}};
  facts["other"].update({{"clip_qkv", spec.operandClip}, {"use_parallel_residual", spec.parallelBlock}});
  facts["other"].update(
      {{"altup_active_idx", spec.altUp.active}, {"altup_correct_scale", spec.altUp.scaled}});
  for (const LayerSpec& layer : spec.layers)
    facts["other"]["activation_sparsity_pattern"].push_back(layer.sparsity);
  return facts;
}

bool agree(const Json& expected, const Json& found) {
  if (expected.is_number() && found.is_number())
    return std::abs(expected.get<double>() - found.get<double>()) <= 2e-5 * std::abs(expected.get<double>());
  if (expected.is_array() && found.is_array() && expected.size() == found.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!agree(expected[i], found[i])) return false;
    return true;
  }
  if (!expected.is_object() || !found.is_object()) return expected == found;
  for (const auto& [key, value] : expected.items())
    if (!found.contains(key) || !agree(value, found[key])) return false;
  return true;
}

// The first expected fact that differs; "" when all agree.
std::string difference(const Json& expected, const Json& found) {
  for (const char* fact : {"layers", "rope", "eps", "other"}) {
    if (!agree(expected[fact], found[fact]))
      return std::string(fact) + " " + expected[fact].dump() + " expected, found " + found[fact].dump();
  }
  return "";
}

// The facts of the unchanged file, overwritten by those that differ.
Json laidOver(Json facts, const Json& differing) {
  for (const auto& [key, value] : differing.items()) {
    if (key == "layers") {
      facts[key].update(value);
    } else {
      facts[key] = value;
    }
  }
  return facts;
}

bool isOfTheWeightsOrALength(const std::string& change) {
  return change.find("tie_word_embeddings") != std::string::npos ||
         change == "without rope_parameters.factor" ||
         (change.starts_with("with ") && change.find("yarn") != std::string::npos &&
          change.find("\"factor\"") == std::string::npos);
}

class ConfigSweep : public testing::TestWithParam<Variant> {};

TEST_P(ConfigSweep, ReadsAsTransformersDoes) {
  const Json& data = GetParam().data;
  const fs::path families = fs::path(PLASTISCOPE_TEST_DATA) / "families";
  const test::TemporaryFolder folder;
  fs::copy_file(families / data["weights"].get<std::string>(), folder.path() / "model.safetensors");
  std::ifstream stream(families / data["folder"].get<std::string>() / "config.json");
  const Json base = edited(Json::parse(stream), data["edits"]);
  const auto factsAfter = [&](const Json& config) -> Json {
    std::ofstream(folder.path() / "config.json") << config.dump();
    try {
      return factsOf(openModel(folder.path())->spec);
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const Json whole = factsAfter(base);
  ASSERT_TRUE(whole.is_object()) << whole;
  EXPECT_EQ(difference(data["facts"], whole), "");
  int same = 0, differs = 0, refused = 0, kept = 0;
  for (const Json& result : data["results"]) {
    const Json& outcome = result[0];
    for (const Json& entry : result[1]) {
      const auto change = entry.get<std::string>();
      const Json found = factsAfter(changed(base, change));
      if (outcome == "error") {
        ++(found.is_string() ? refused : kept);
        const bool fine =
            found.is_string() || difference(whole, found).empty() || isOfTheWeightsOrALength(change);
        EXPECT_TRUE(fine) << change << " is an error in transformers, here " << difference(whole, found);
        continue;
      }
      ++(outcome == "same" ? same : differs);
      const bool otherTensors = outcome.is_object() && outcome.contains("more");  // unused by a layer
      if (found.is_string() && otherTensors) continue;
      ASSERT_TRUE(found.is_object()) << change << ": " << found;
      const Json expected = outcome.is_object() ? laidOver(data["facts"], outcome) : data["facts"];
      EXPECT_EQ(difference(expected, found), "") << change;
    }
  }
  std::cout << GetParam().name << ": " << same << " same, " << differs << " differ, " << refused
            << " refused and " << kept << " without effect where transformers raises\n";
}

INSTANTIATE_TEST_SUITE_P(Families, ConfigSweep, testing::ValuesIn(variants()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace plastiscope
