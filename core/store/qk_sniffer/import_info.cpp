#include "core/store/qk_sniffer/import_info.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/version.h"
#include "core/capture/position_sampler.h"
#include "core/model/model.h"
#include "core/model/rope_settings.h"
#include "core/store/qk_sniffer/capture_facts.h"
#include "core/store/qk_sniffer/capture_metadata.h"
#include "core/store/qk_sniffer/saver_state.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostPositions = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostCount = 100000;
constexpr const char* kUnknown = "unknown";

// A count from the first source that knows it. An option is asked after the data set: a given value that
// differs from what is stated there is not used, and that is said.
struct Count {
  std::int64_t value = 0;
  bool guessed = false;  // largest index + 1
};

class InfoMaker {
 public:
  InfoMaker(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index, Progress& progress)
      : m_request(request),
        m_folder(folder),
        m_index(index),
        m_progress(progress),
        m_state(readSaverState(folder)),
        m_facts(readCaptureFacts(folder.path)) {
    if (!request.model.empty()) {
      m_modelPath = resolveModelPath(request.model);
      m_spec = readModelSpec(m_modelPath);
    }
  }

  CaptureInfo make() {
    m_info.programVersion = kVersion;
    makeModel();
    makeWindow();
    makeSampling();
    makeLayers();
    makeRope();
    makeExamples();
    makeSettings();
    return std::move(m_info);
  }

 private:
  // ---- the model

  Count count(const char* option, std::int64_t ofModel, const char* fact,
              const std::vector<std::string>& stated, std::int64_t given, std::int64_t largestIndex) {
    std::optional<std::int64_t> known = m_spec ? std::optional(ofModel) : std::nullopt;
    if (!known) known = m_facts.model.integer(fact, 1, kMostCount);
    if (!known) known = m_state.integer(stated, 1, kMostCount);
    if (known && given > 0 && given != *known) {
      m_progress.warned(std::string(option) + " " + std::to_string(given) +
                        " is not used: the data set or its model has " + std::to_string(*known));
    }
    if (known) return {*known, false};
    return given > 0 ? Count{given, false} : Count{largestIndex + 1, true};
  }

  std::int64_t largestIndex(RowSet set) const {
    std::int64_t largest = -1;
    for (const auto& [key, heads] : m_index.heads) {
      if (key.second == set) largest = std::max(largest, heads.back());
    }
    return largest;
  }

  void makeModel() {
    const ModelSpec none, &spec = m_spec ? *m_spec : none;
    m_info.modelName = !m_state.model.empty() ? m_state.model
                       : m_spec
                           ? spec.name
                           : std::filesystem::absolute(m_folder.path).lexically_normal().filename().string();
    m_info.architecture = m_spec ? spec.architecture : m_facts.model.text("architecture").value_or(kUnknown);
    m_info.modelSource = m_spec
                             ? std::filesystem::absolute(m_modelPath).lexically_normal().filename().string()
                             : m_facts.model.text("source").value_or("");
    m_info.fingerprint = m_facts.model.text("fingerprint").value_or("");
    m_info.contextLength =
        m_spec ? spec.contextLength
               : m_facts.model.integer("context_length", 0, std::int64_t{1} << 40).value_or(0);
    m_info.config = m_spec ? spec.config : m_facts.model.object("config").value_or(Json::object());
    m_info.withoutVectors = m_facts.model.object("without_vectors").value_or(Json::object());
    m_info.headDim = m_index.headDim;
    if (m_spec && spec.headDim != m_info.headDim) {
      throw InputError({m_folder.path, "column vector",
                        std::to_string(spec.headDim) + " values in a row as " + m_request.model + " has",
                        std::to_string(m_info.headDim)});
    }
    const Count layers = count("--layers", spec.layerCount, "layers", {"num_layers", "num_hidden_layers"},
                               m_request.layers, m_index.heads.rbegin()->first.first);
    const Count query = count("--query-heads", spec.queryHeads, "query_heads",
                              {"num_attention_heads", "num_query_heads", "num_heads"}, m_request.queryHeads,
                              largestIndex(RowSet::Query));
    const Count key = count("--key-heads", spec.keyHeads, "key_heads",
                            {"num_key_value_heads", "num_key_heads", "num_kv_heads"}, m_request.keyHeads,
                            largestIndex(RowSet::Key));
    m_info.layers = layers.value;
    m_info.queryHeads = query.value;
    m_info.keyHeads = key.value;
    m_guessedHeads = query.guessed || key.guessed;
    requireHeads();
    const double usual = 1.0 / std::sqrt(static_cast<double>(m_info.headDim));
    m_info.scoreScale = m_spec ? spec.scoreScale : m_facts.capture.number("score_scale").value_or(usual);
  }

  std::string askForHeads() const {
    return m_guessedHeads
               ? "; the data set does not state its numbers of heads: give --query-heads and --key-heads"
               : "";
  }

  // Every index below its count, and for each query head its key head.
  void requireHeads() const {
    for (const auto& [key, heads] : m_index.heads) {
      const bool query = key.second == RowSet::Query;
      const std::int64_t most = query ? m_info.queryHeads : m_info.keyHeads;
      if (key.first < m_info.layers && heads.back() < most) continue;
      throw InputError({m_folder.path / qkFolderName(key.first, heads.back(), key.second), "",
                        std::to_string(m_info.layers) + " layers of " + std::to_string(most) +
                            (query ? " query" : " key") + " heads",
                        "layer " + std::to_string(key.first) + ", head " + std::to_string(heads.back())});
    }
    if (m_index.layers().empty())
      throw InputError({m_folder.path, "", "folders of queries such as l03h07q", "none"});
    if (m_info.queryHeads % m_info.keyHeads != 0) {
      throw InputError(
          {m_folder.path, "",
           "a multiple of the " + std::to_string(m_info.keyHeads) + " key heads as number of query heads",
           std::to_string(m_info.queryHeads) + askForHeads()});
    }
    for (const std::int64_t layer : m_index.layers()) {
      for (const std::int64_t head : m_index.heads.at({layer, RowSet::Query})) requireKeyHead(layer, head);
    }
  }

  void requireKeyHead(std::int64_t layer, std::int64_t head) const {
    const std::int64_t key = head / (m_info.queryHeads / m_info.keyHeads);
    const auto found = m_index.heads.find({layer, RowSet::Key});
    if (found != m_index.heads.end() && std::binary_search(found->second.begin(), found->second.end(), key))
      return;
    throw InputError({m_folder.path / qkFolderName(layer, head, RowSet::Query), "",
                      "its key head in the folder " + qkFolderName(layer, key, RowSet::Key),
                      "no such folder" + askForHeads()});
  }

  // ---- window and sampling

  void makeWindow() {
    std::optional<std::int64_t> window;
    if (m_request.window > 0) window = m_request.window;
    if (!window) window = m_facts.capture.integer("window", 1, kMostPositions);
    if (!window) window = m_state.integer({"window", "max_length"}, 1, kMostPositions);
    if (!window && m_info.contextLength > 0) {
      window = m_info.contextLength;
      m_progress.warned("the window is not stated: the model's context of " + withCommas(*window) +
                        " tokens is taken; give --window if the texts were cut elsewhere");
    }
    if (!window) {
      const auto next = std::bit_ceil(static_cast<std::uint64_t>(m_index.lastPosition) + 1);
      throw UsageError(
          "the qk-sniffer layout does not state the window to which texts were cut: give --window (the rows "
          "reach position " +
          withCommas(m_index.lastPosition) + ", so perhaps --window " + std::to_string(next) +
          ") or --model");
    }
    if (*window > kMostPositions)
      throw UsageError("--window: expected at most " + withCommas(kMostPositions) + " tokens");
    m_info.window = *window;
    requirePositionsBelow(m_index, m_info.window);
  }

  // Whether every row's bucket is the one that the sampler would give it.
  template <typename BucketOf>
  bool bucketsAre(const BucketOf& bucketOf) const {
    for (const auto& [key, shared] : m_index.shared) {
      for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
        if (shared.rows.bucket[i] != bucketOf(shared.rows.position[i])) return false;
      }
    }
    return true;
  }

  // The thesis' own buckets when the rows agree, the author's default sampler when they agree with that.
  void guessSampling() {
    const std::int64_t usual = std::max<std::int64_t>(1, m_info.window / 16);
    if (bucketsAre([&](std::int64_t position) { return position / usual; })) {
      m_info.sampler = "uniform";
      m_info.bucketSize = usual;
      return;
    }
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& [key, shared] : m_index.shared) {
      for (const std::int32_t bucket : shared.rows.bucket) least = std::min<std::int64_t>(least, bucket);
    }
    const auto logBucket = [&](std::int64_t position) {
      return std::max<std::int64_t>(least, std::bit_width(static_cast<std::uint64_t>(position) + 1) - 1);
    };
    if (least < 31 && bucketsAre(logBucket)) {
      m_info.sampler = "log_uniform";
      m_info.bucketSize = std::int64_t{1} << least;
      return;
    }
    throw UsageError(
        "the data set does not state its sampler and bucket size, and its buckets are not those of window / "
        "16: "
        "give --sampler and --bucket-size");
  }

  void makeSampling() {
    std::optional<std::string> sampler, point;
    if (!m_request.sampler.empty()) sampler = m_request.sampler;
    if (!sampler) sampler = m_facts.capture.text("sampler");
    if (!sampler) sampler = m_state.text({"sampling_strategy"});
    std::optional<std::int64_t> bucket;
    if (m_request.bucketSize > 0) bucket = m_request.bucketSize;
    if (!bucket) bucket = m_facts.capture.integer("bucket_size", 1, kMostPositions);
    if (!bucket)
      bucket = m_state.integer(
          {"sampling_bucket_size", "sampling_min_bucket_size", "bucket_size", "min_bucket_size"}, 1,
          kMostPositions);
    if (sampler && bucket) {
      m_info.sampler = positionSampler(samplerOf(*sampler)).name;
      m_info.bucketSize = *bucket;
    } else {
      guessSampling();
      if (sampler) m_info.sampler = positionSampler(samplerOf(*sampler)).name;
      if (bucket) m_info.bucketSize = *bucket;
    }
    m_info.rate =
        m_request.rate
            ? *m_request.rate
            : m_facts.capture.number("rate").value_or(m_state.number("sampling_base_rate").value_or(1));
    m_info.headSeed =
        m_facts.capture.integer("head_seed", INT64_MIN, INT64_MAX)
            .value_or(m_state.integer({"head_sampling_seed"}, INT64_MIN, INT64_MAX).value_or(0));
    if (!m_request.point.empty()) point = m_request.point;
    if (!point) point = m_facts.capture.text("point");
    if (!point && m_state.integer({"capture_pre_rope"}, 0, 1).value_or(0) == 1) point = "pre-rope";
    m_info.point = point.value_or("post-rope");
    if (m_info.point != "post-rope" && m_info.point != "pre-rope") {
      throw UsageError("--point: expected post-rope or pre-rope, found \"" + m_info.point + "\"");
    }
    m_info.computeDtype = m_facts.capture.text("compute_dtype").value_or(kUnknown);
    m_info.device = m_facts.capture.text("device").value_or(kUnknown);
  }

  // ---- layers

  bool ropeOf(std::int64_t number) const {
    if (m_request.nopeLayers) {
      return std::find(m_request.nopeLayers->begin(), m_request.nopeLayers->end(), number) ==
             m_request.nopeLayers->end();
    }
    if (m_spec) return m_spec->layers.at(static_cast<std::size_t>(number)).rope;
    return m_facts.layers.part(schema::number(number)).flag("rope").value_or(true);
  }

  // The column sliding_window is what the author's tool saw; it may be missing where a model has windows.
  void setWindow(CaptureLayerInfo& layer) const {
    const auto found = m_index.slidingWindows.find(layer.layer);
    if (found == m_index.slidingWindows.end() || !found->second || *found->second == layer.window) return;
    if (m_spec) {
      m_progress.warned("layer " + std::to_string(layer.layer) + ": the rows have a window of " +
                        withCommas(*found->second) + " tokens, the model has " +
                        (layer.window > 0 ? withCommas(layer.window) : "none") +
                        "; that of the rows is kept");
    }
    layer.window = *found->second;
    if (layer.attention == "full") layer.attention = "sliding";
  }

  void makeLayers() {
    for (const std::int64_t number : m_index.layers()) {
      CaptureLayerInfo layer;
      layer.layer = number;
      if (m_spec) {
        const LayerSpec& spec = m_spec->layers.at(static_cast<std::size_t>(number));
        layer.attention = nameOf(spec.attention);
        layer.window = spec.window;
        layer.queryScale = spec.queryScale;
      } else {
        const CheckedObject facts = m_facts.layers.part(schema::number(number));
        layer.attention = facts.text("attention").value_or("full");
        layer.window = facts.integer("window", 0, std::int64_t{1} << 40).value_or(0);
        layer.queryScale = facts.flag("query_scale").value_or(false);
      }
      layer.rope = ropeOf(number);
      setWindow(layer);
      layer.queryHeads = m_index.heads.at({number, RowSet::Query});
      layer.keyHeads = m_index.heads.at({number, RowSet::Key});
      layer.queryRows = m_index.rows(number, RowSet::Query);
      layer.keyRows = m_index.rows(number, RowSet::Key);
      m_info.layerInfos.push_back(layer);
    }
    for (const auto& [key, heads] : m_index.heads) {
      if (key.second == RowSet::Key && !m_index.heads.contains({key.first, RowSet::Query})) {
        m_progress.warned("layer " + std::to_string(key.first) + " has keys but no queries and is left out");
      }
    }
  }

  // ---- RoPE, examples, settings

  void makeRope() {
    if (!m_request.rope.is_null()) {
      try {
        const std::int64_t positions = m_info.contextLength > 0 ? m_info.contextLength : m_info.window;
        m_info.rope = readRope(normalRopeSettings(m_request.rope, "--rope"),
                               {"--rope", m_info.headDim, positions, 0, {}})
                          .toJson();
      } catch (const InputError& error) {
        throw UsageError(error.what());
      }
    } else if (m_spec) {
      m_info.rope = ropeJson(m_spec->ropes);
    } else if (const auto rope = m_facts.model.object("rope")) {
      m_info.rope = *rope;
    } else {
      m_info.rope = {{"rope_type", kUnknown}};
      m_progress.warned("the RoPE settings are not known; --model or --rope would tell them");
    }
  }

  // Lengths of texts are not in the layout: the last row of an example is then taken as its end.
  void makeExamples() {
    std::vector<std::int64_t> tokens(m_index.exampleIds.size(), 1);
    for (const auto& [key, shared] : m_index.shared) {
      for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
        std::int64_t& length = tokens[static_cast<std::size_t>(shared.rows.example[i])];
        length = std::max<std::int64_t>(length, shared.rows.position[i] + std::int64_t{1});
      }
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::int32_t id = m_index.exampleIds[i];
      CaptureExampleInfo example{std::to_string(id), id, tokens[i], ""};
      if (const auto facts = m_facts.examples.find(id); facts != m_facts.examples.end()) {
        example.seedId = facts->second.seedId;
        example.tokens = std::clamp(facts->second.tokens, tokens[i], m_info.window);
        example.sha256 = facts->second.sha256;
      }
      m_info.examples.push_back(example);
    }
  }

  std::string digestOfRows() const {
    Sha256 hash;
    for (const auto& [key, shared] : m_index.shared) {
      for (const auto* column : {&shared.rows.position, &shared.rows.example, &shared.rows.bucket}) {
        hash.add(std::as_bytes(std::span(*column)));
      }
    }
    hash.add(std::as_bytes(std::span(m_index.exampleIds)));
    return hash.hex();
  }

  void makeSettings() {
    m_info.settings = {{"import", "qk-sniffer"},
                       {"model", m_info.modelName},
                       {"window", m_info.window},
                       {"sampler", m_info.sampler},
                       {"bucket_size", m_info.bucketSize},
                       {"rate", m_info.rate},
                       {"point", m_info.point},
                       {"store", "float32"},
                       {"examples", m_info.examples.size()},
                       {"rows_sha256", digestOfRows()},
                       {kSourceMetadata, m_state.metadata}};
    m_info.settings[kSourceMetadata] = captureMetadata(m_info, m_info.point);
    m_info.settingsHash = sha256Hex(canonicalJson(m_info.settings));
  }

  const QkImportRequest& m_request;
  const QkFolder& m_folder;
  const QkIndex& m_index;
  Progress& m_progress;
  SaverState m_state;
  CaptureFacts m_facts;
  std::filesystem::path m_modelPath;
  std::optional<ModelSpec> m_spec;
  bool m_guessedHeads = false;
  CaptureInfo m_info;
};

}  // namespace

CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress) {
  return InfoMaker(request, folder, index, progress).make();
}

}  // namespace plastiscope
