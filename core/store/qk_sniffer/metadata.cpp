#include "core/store/qk_sniffer/metadata.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <sstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"
#include "core/store/schema.h"

namespace fs = std::filesystem;

namespace plastiscope {

// ---- _saver_state.json and README.md

namespace {

constexpr std::size_t kMaxStateBytes = std::size_t{16} << 20;
constexpr const char* kSaverStateFile = "_saver_state.json";

// Folder name that qk-sniffer makes from a model's name.
std::string folderNameOf(std::string model) {
  for (char& c : model) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return model;
}

bool isPlain(const Json& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}

// Adds plain values, and those one level deeper with the name of their block as prefix.
void addPlain(const Json& object, Json& metadata) {
  for (const auto& [key, value] : object.items()) {
    if (isPlain(value)) metadata[key] = value;
    if (!value.is_object()) continue;
    for (const auto& [inner, innerValue] : value.items()) {
      if (isPlain(innerValue)) metadata[key + "_" + inner] = innerValue;
    }
  }
}

// Takes the model's entry of the older form: the one with this folder's name, or the only one.
void readOldState(const Json& models, const std::string& folderName, std::string& model, Json& metadata) {
  for (const auto& [name, values] : models.items()) {
    if (!values.is_object() || (models.size() > 1 && folderNameOf(name) != folderName)) continue;
    model = name;
    addPlain(values, metadata);
  }
}

SaverState stateOf(const fs::path& file, const std::string& folderName) {
  const CheckedJson root(readJsonFile(file, kMaxStateBytes), file);
  if (!root.json().is_object()) root.refuse("a JSON object");
  const Json stated = root.object("model_metadata").json();
  Json metadata = Json::object();
  for (const auto& [key, value] : root.json().items()) {
    if (key != "model_name" && key != "model_metadata" && key != "bucket_counts" && isPlain(value))
      metadata[key] = value;
  }
  std::string model = root.textOr("model_name", "");
  if (root.has("model_name")) {
    addPlain(stated, metadata);
  } else {
    readOldState(stated, folderName, model, metadata);
  }
  return {model, CheckedJson(std::move(metadata), file)};
}

Json numberOrText(const std::string& text) {
  const auto value = parsedNumber<std::int64_t>(text);
  return value ? Json(*value) : Json(text);
}

// Parses lines such as "- `sampling_bucket_size`: `8192`".
SaverState readmeOf(const fs::path& file) {
  std::string model;
  Json metadata = Json::object();
  std::istringstream lines(textOfBytes(readFile(file, kMaxStateBytes)));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t nameEnd = line.find("`: `"), valueEnd = line.rfind('`');
    if (line.rfind("- `", 0) != 0 || nameEnd == std::string::npos || valueEnd < nameEnd + 4) continue;
    const std::string name = line.substr(3, nameEnd - 3),
                      value = line.substr(nameEnd + 4, valueEnd - nameEnd - 4);
    if (name == "model") {
      model = value == "unknown" ? "" : value;
    } else if (value != "unknown" && name != "captured_configs" && name != "captured_rows") {
      metadata[name] = numberOrText(value);
    }
  }
  return {model, CheckedJson(std::move(metadata), file)};
}

}  // namespace

SaverState readSaverState(const QkFolder& folder) {
  const std::string name = fs::absolute(folder.path).lexically_normal().filename().string();
  if (fs::exists(folder.path / kSaverStateFile)) return stateOf(folder.path / kSaverStateFile, name);
  if (fs::exists(folder.path / "README.md")) return readmeOf(folder.path / "README.md");
  // In the older layout the file lies next to the models' folders and to README.md, which describes several
  // models.
  if (!fs::exists(folder.parent / kSaverStateFile)) return {};
  SaverState state = stateOf(folder.parent / kSaverStateFile, name);
  return folder.olderLayout || folderNameOf(state.model) == name ? state : SaverState();
}

std::optional<std::int64_t> SaverState::integer(const std::vector<std::string>& names, std::int64_t least,
                                                std::int64_t most) const {
  for (const std::string prefix : {"", "head_sampling_"}) {
    for (const std::string& name : names) {
      if (const auto value = metadata.findInteger(prefix + name, least, most)) return value;
    }
  }
  return std::nullopt;
}

std::string saverStateText(const std::string& model, const Json& metadata,
                           const std::map<std::int64_t, std::int64_t>& bucketCounts) {
  Json counts = Json::object();
  for (const auto& [bucket, count] : bucketCounts) counts[std::to_string(bucket)] = count;
  const Json state{{"model_name", model}, {"model_metadata", metadata}, {"bucket_counts", counts}};
  return indentedJson(state) + "\n";
}

// ---- between a capture and the layout

namespace {

struct StrategyName {
  const char *strategy, *sampler, *bucketKey;
};
constexpr std::array kStrategies{StrategyName{"uniform", "uniform", "sampling_bucket_size"},
                                 StrategyName{"log", "log_uniform", "sampling_min_bucket_size"},
                                 StrategyName{"all", "all", "sampling_bucket_size"}};

const char* bucketKeyOf(const std::string& sampler) {
  for (const StrategyName& name : kStrategies) {
    if (sampler == name.sampler) return name.bucketKey;
  }
  return "sampling_bucket_size";
}

// Adds the head choice if the settings state it: "300", "all", "stratified:5" or a list.
void addHeadChoice(const CaptureInfo& info, Json& metadata) {
  const Json heads = info.settings->is_object() ? info.settings->value("heads", Json()) : Json();
  if (!heads.is_string()) return;
  const std::string text = heads;
  const bool count =
      !text.empty() && text.size() < 10 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  metadata["head_sampling_strategy"] = count ? "random_query" : text;
  if (count) metadata["head_sampling_requested_query_heads"] = std::stoll(text);
}

// Formats untrusted metadata as inline code of Markdown, on one line.
std::string inlineText(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : canonicalJson(value);
  for (char& c : text) {
    if (c == '`' || static_cast<unsigned char>(c) < 32) c = ' ';
  }
  return text;
}

}  // namespace

std::string strategyOf(const std::string& sampler) {
  for (const StrategyName& name : kStrategies) {
    if (sampler == name.sampler) return name.strategy;
  }
  return sampler;
}

std::string samplerOf(const std::string& strategy) {
  for (const StrategyName& name : kStrategies) {
    if (strategy == name.strategy) return name.sampler;
  }
  return strategy;
}

Json captureMetadata(const CaptureInfo& info, const std::string& point) {
  std::int64_t queryHeads = 0, keyHeads = 0, sliding = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    queryHeads += std::ssize(layer.queryHeads);
    keyHeads += std::ssize(layer.keyHeads);
    sliding += layer.attention == "full" ? 0 : 1;
  }
  Json metadata{{"attention_scope", sliding == 0 ? "full_only" : "all_attention"},
                {"sampling_strategy", strategyOf(info.sampler)},
                {bucketKeyOf(info.sampler), info.bucketSize},
                {"sampling_base_rate", info.rate},
                {"capture_pre_rope", point == "pre-rope" ? 1 : 0},
                {"max_length", info.window},
                {"head_sampling_seed", info.headSeed},
                {"head_sampling_num_layers", info.layers},
                {"head_sampling_num_query_heads", info.queryHeads},
                {"head_sampling_num_key_heads", info.keyHeads},
                {"head_sampling_selected_query_heads", queryHeads},
                {"head_sampling_selected_key_heads", keyHeads}};
  addHeadChoice(info, metadata);
  const Json source = info.settings->is_object() ? info.settings->value(kSourceMetadata, Json()) : Json();
  if (source.is_object()) metadata.update(source);
  return metadata;
}

std::string qkReadmeText(const std::string& model, const Json& metadata,
                         const std::vector<std::string>& folders,
                         const std::map<std::int64_t, std::int64_t>& bucketCounts) {
  std::string text = "---\nconfigs:\n", buckets;
  for (const std::string& folder : folders) {
    text += "- config_name: " + folder + "\n  data_files: " + folder + "/*.parquet\n";
  }
  std::int64_t rows = 0;
  for (const auto& [bucket, count] : bucketCounts) {
    buckets += (buckets.empty() ? "b" : ", b") + std::to_string(bucket) + "=" + std::to_string(count);
    rows += count;
  }
  text += "---\n\n# Queries and keys of " + inlineText(model) +
          "\n\nQuery and key vectors of attention heads in the layout of qk-sniffer, written by Plastiscope: "
          "one folder "
          "`lLLhHHq` or `lLLhHHk` a layer, head and kind, each with `data.parquet`. The head numbers of keys "
          "are those "
          "of key heads.\n\n## Metadata\n\n- `model`: `" +
          inlineText(model) + "`\n";
  for (const auto& [key, value] : metadata.items())
    text += "- `" + inlineText(key) + "`: `" + inlineText(value) + "`\n";
  text += "- `captured_configs`: `" + std::to_string(folders.size()) + "`\n- `captured_rows`: `" +
          std::to_string(rows) + "`\n- `bucket_counts`: " + buckets + "\n";
  text +=
      "\n## Columns\n\n| column | type | meaning |\n| --- | --- | --- |\n"
      "| `bucket` | int32 | position bucket of the sampler |\n"
      "| `example_id` | int32 | low 32 bits of the example's id |\n"
      "| `position` | int32 | token position in the example, from 0 |\n"
      "| `vector` | list of float32 | query or key vector as it enters the dot product |\n"
      "| `sliding_window` | int32 or null | tokens of the attention window; null: full attention |\n\n"
      "`plastiscope.json` holds what this layout has no place for: window, RoPE, lengths of the texts, "
      "seeds.\n\n"
      "## Loading\n\n```python\nfrom datasets import load_dataset\n\nheads = load_dataset(\"parquet\", "
      "data_files=\"" +
      (folders.empty() ? std::string("l00h00q") : folders.front()) + "/*.parquet\", split=\"train\")\n```\n";
  return text;
}

namespace {

constexpr const char* kFormat = "plastiscope-qk-sniffer";
constexpr std::int64_t kFactsVersion = 1;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

}  // namespace

std::int32_t storedExampleId(std::int64_t seedId) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(seedId)));
}

std::string captureFactsText(const CaptureInfo& info, const std::string& point) {
  Json layers = Json::object(), examples = Json::object();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    layers[schema::number(layer.layer)] = {{"attention", layer.attention},
                                           {"window", layer.window},
                                           {"rope", layer.rope},
                                           {"query_scale", layer.queryScale}};
  }
  for (const CaptureExampleInfo& example : info.examples) {
    examples[std::to_string(storedExampleId(example.seedId))] = {{"id", example.id},
                                                                 {"seed_id", example.seedId},
                                                                 {"tokens", example.tokens},
                                                                 {"sha256", example.sha256}};
  }
  Json model = modelFieldsJson(info), capture = captureFieldsJson(info);
  model.erase("name");  // stored in _saver_state.json
  capture["point"] = point;
  const Json facts{{"format", kFormat}, {"format_version", kFactsVersion},
                   {"model", model},    {"capture", capture},
                   {"layers", layers},  {"examples", examples}};
  return indentedJson(facts, 1) + "\n";
}

CaptureFacts readCaptureFacts(const fs::path& folder) {
  const fs::path file = folder / kCaptureFactsFile;
  if (!fs::exists(file)) return {};
  const CheckedJson root(readJsonFile(file, kMaxBytes), file);
  if (const std::string format = root.findText("format").value_or("none"); format != kFormat)
    root.refuse("format", kFormat, format);
  root.findInteger("format_version", 1, kFactsVersion);
  CaptureFacts facts{root.object("model"), root.object("capture"), root.object("layers"), {}};
  const CheckedJson examples = root.object("examples");
  for (const auto& [id, value] : examples.json().items()) {
    const CheckedJson example = examples.object(id);
    const std::optional<std::int64_t> seed = example.findInteger("seed_id", INT64_MIN, INT64_MAX);
    if (!seed || std::to_string(storedExampleId(*seed)) != id) {
      example.refuse("seed_id", "a number whose low 32 bits are " + id,
                     seed ? std::to_string(*seed) : "none");
    }
    facts.examples[storedExampleId(*seed)] = {
        *seed, example.integerOr("tokens", 0, 0, std::numeric_limits<std::int32_t>::max()),
        example.findText("sha256").value_or("")};
  }
  return facts;
}

}  // namespace plastiscope
