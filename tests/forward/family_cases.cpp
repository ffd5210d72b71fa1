#include "tests/forward/family_cases.h"

#include <fstream>
#include <map>
#include <stdexcept>

#include "core/base/json.h"
#include "tests/support/temporary_folder.h"

namespace fs = std::filesystem;

namespace plastiscope::testing_support {

namespace {

const fs::path kFamilies = fs::path(PLASTISCOPE_TEST_DATA) / "families";

FamilyLayer readLayer(const Json& json) {
  FamilyLayer layer;
  layer.attention = json["attention"];
  layer.hasVectors = json.contains("query");
  if (!layer.hasVectors) return layer;
  layer.window = json["window"];
  layer.rope = json["rope"];
  layer.queryHeads = json["query_heads"];
  layer.keyHeads = json["key_heads"];
  layer.headDim = json["head_dim"];
  layer.query = json["query"];
  layer.key = json["key"];
  return layer;
}

FamilyCase readFamilyCase(const Json& json) {
  FamilyCase family;
  family.name = json["name"];
  family.model = kFamilies / family.name;
  family.reference = kFamilies / json.value("same_as", family.name) / "reference.f32";
  family.sameAs = json.value("same_as", "");
  family.tokens = json["tokens"];
  family.positions = json["positions"].get<std::vector<std::int32_t>>();
  for (const Json& layer : json["layers"]) family.layers.push_back(readLayer(layer));
  family.scoreScale = json["score_scale"];
  const Json& half = json["bfloat16"];
  family.half = {half["tokens"], half["query_error"], half["key_error"]};
  return family;
}

}  // namespace

std::vector<FamilyCase> familyCases() {
  std::ifstream stream(kFamilies / "families.json");
  const Json all = Json::parse(stream);
  std::map<std::string, Json> byName;
  for (const Json& json : all["cases"]) byName[json["name"]] = json;
  std::vector<FamilyCase> cases;
  for (const Json& json : all["cases"]) {
    Json whole = json.contains("same_as") ? byName.at(json["same_as"]) : json;
    whole.update(json);
    cases.push_back(readFamilyCase(whole));
    const fs::path gguf = kFamilies / cases.back().name / "model.gguf";
    if (!fs::exists(gguf)) continue;
    cases.push_back(readFamilyCase(whole));
    cases.back().name += "_gguf";
    cases.back().model = gguf;
    cases.back().sameAs.clear();
  }
  return cases;
}

FamilyCase familyCase(const std::string& name) {
  for (const FamilyCase& family : familyCases()) {
    if (family.name == name) return family;
  }
  throw std::runtime_error("no case " + name);
}

std::shared_ptr<const Model> openFamily(const FamilyCase& family) {
  const fs::path weights = family.reference.parent_path() / "model.safetensors";
  if (!fs::is_directory(family.model) || fs::exists(family.model / "model.safetensors"))
    return openModel(family.model);
  const test::TemporaryFolder folder;  // the weights stay mapped after its deletion
  fs::copy_file(family.model / "config.json", folder.path() / "config.json");
  fs::copy_file(weights, folder.path() / "model.safetensors");
  return openModel(folder.path());
}

}  // namespace plastiscope::testing_support
