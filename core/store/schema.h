#pragma once
// All names in stored files (resources/help/capture-format.md), and the list of attributes of a capture.
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "core/store/capture_file.h"

namespace plastiscope::schema {

inline constexpr std::int64_t kFormatVersion = 1;
inline constexpr const char* kCaptureFormat = "plastiscope-capture";
inline constexpr const char* kAnalysisFormat = "plastiscope-analysis";

// Root attributes of every file.
inline constexpr const char* kFormat = "format";
inline constexpr const char* kFormatVersionName = "format_version";
inline constexpr const char* kProgramVersion = "program_version";
inline constexpr const char* kCreated = "created";
inline constexpr const char* kSettings = "settings";
inline constexpr const char* kSettingsHash = "settings_hash";
// Dataset attribute: SHA-256 of the little-endian bytes (texts of variable length: their UTF-8 bytes, each
// ended by one zero byte).
inline constexpr const char* kSha256 = "sha256";
// Dataset attribute: CRC-32 of the same bytes, compared whenever the dataset is read.
inline constexpr const char* kCrc32 = "crc32";
// Root attribute: CRC-32 of the text attributes of all groups, for which HDF5 keeps no checksum of its own:
// "PATH@NAME", zero byte, text, zero byte, in ascending order. `created` is left out, so that the same
// content has the same value.
inline constexpr const char* kTextsCrc32 = "texts_crc32";
// Attribute of a vectors dataset: 1 = values of some example overflowed float16, so the head is float32.
inline constexpr const char* kHalfOverflow = "float16_overflow";

// Attributes of /model, and of a layer that differs from it.
inline constexpr const char* kHeadDim = "head_dim";
inline constexpr const char* kKeyHeads = "key_heads";

// Attributes of a layer with dense heads, if its model has them.
inline constexpr const char* kScoreSoftcap = "score_softcap";
inline constexpr const char* kLearnedSinks = "learned_sinks";

// Groups of a capture.
inline constexpr const char* kModel = "model";
inline constexpr const char* kFingerprint = "fingerprint";  // attribute of /model
inline constexpr const char* kCapture = "capture";
// Attribute of /capture, missing in older files: tokens up to which the model was trained, and a warning if
// the window is longer.
inline constexpr const char* kTrainedContext = "trained_context";
inline constexpr const char* kWarning = "warning";
inline constexpr const char* kExamples = "examples";
inline constexpr const char* kLayers = "layers";
inline constexpr const char* kVectors = "vectors";
// One name per RowSet, in the same order.
inline constexpr std::array<const char*, 6> kRowSets = {"query",        "key",         "query_pre_rope",
                                                        "key_pre_rope", "dense_query", "dense_key"};
// Datasets that all heads of one layer and kind share.
inline constexpr const char* kPosition = "position";
inline constexpr const char* kExample = "example";
inline constexpr const char* kBucket = "bucket";
// Datasets of /examples.
inline constexpr const char* kId = "id";
inline constexpr const char* kSeedId = "seed_id";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kFields = "fields";  // JSON objects; missing in files of version 1.0
// Datasets of /texts, missing in captures without their texts.
inline constexpr const char* kTexts = "texts";
inline constexpr const char* kTokenIds = "token_ids";              // of all examples, concatenated
inline constexpr const char* kVocabularyIds = "vocabulary_ids";    // the ids that occur, ascending
inline constexpr const char* kVocabularyEnds = "vocabulary_ends";  // end offsets of their bytes
inline constexpr const char* kVocabularyBytes = "vocabulary_bytes";

// Datasets of /loss, in captures with --loss: all tokens, texts concatenated.
inline constexpr const char* kLoss = "loss";
inline constexpr const char* kNll = "nll";
inline constexpr const char* kFirstPlace = "first_place";

// Groups with a group per captured layer, missing in older files: head scores of the texts, and of the probe,
// which counts as one text. Numbers of evaluated queries: [texts, 3] as ScoredQueries (head_scores.h); sums
// over them: [heads * texts, scores], texts of a head together.
inline constexpr const char* kScores = "scores";
inline constexpr const char* kProbe = "probe";  // with token_ids
inline constexpr const char* kQueries = "queries";
inline constexpr const char* kSums = "sums";
inline constexpr const char* kScoreNames = "scores";  // attribute of both groups: JSON array, order of sums

// The settings in a folder of unfinished work.
inline constexpr const char* kWorkSettings = "settings.json";

// Root attributes of an analysis that identify its capture.
inline constexpr const char* kCaptureFingerprint = "capture_fingerprint";
inline constexpr const char* kCaptureSettingsHash = "capture_settings_hash";
// Groups of an analysis.
inline constexpr const char* kTables = "tables";
inline constexpr const char* kColumns = "columns";  // JSON array: the order of a table's columns
inline constexpr const char* kRows = "rows";

// Layer and head numbers in names: decimal, at least two digits.
inline std::string number(std::int64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%02lld", static_cast<long long>(value));
  return text;
}

// "scores/05/queries", in units and states of unfinished groups.
inline std::string scoresName(std::int64_t layer, const char* what) {
  return std::string(kScores) + "/" + number(layer) + "/" + what;
}

}  // namespace plastiscope::schema

namespace plastiscope {

inline const char* nameOf(RowSet set) {
  return schema::kRowSets[static_cast<std::size_t>(set)];
}

// ---- Attributes of a capture and its model, with names and order of the file. This list is used to write,
// read, compare and show them. A visitor takes (name, value, limits) with values of type std::string,
// std::int64_t, double and JsonValue.

struct FieldLimits {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool required = true;  // false: missing in older files; 0, "" and null are not written
};
inline constexpr std::int64_t kMaxLayers = 100000, kMaxHeads = 100000, kMaxHeadDim = 1 << 20,
                              kMaxContext = std::int64_t{1} << 40, kMaxPositions = 2147483647;

template <typename Info, typename Visit>
void visitModelFields(Info& info, const Visit& visit) {
  visit("name", info.modelName, FieldLimits{});
  visit("architecture", info.architecture, FieldLimits{});
  visit("source", info.modelSource, FieldLimits{});
  visit(schema::kFingerprint, info.fingerprint, FieldLimits{});
  visit("layers", info.layers, FieldLimits{1, kMaxLayers});
  visit("query_heads", info.queryHeads, FieldLimits{1, kMaxHeads});
  visit(schema::kKeyHeads, info.keyHeads, FieldLimits{1, info.queryHeads});
  visit(schema::kHeadDim, info.headDim, FieldLimits{1, kMaxHeadDim});
  visit("rope", info.rope, FieldLimits{});
  visit("context_length", info.contextLength, FieldLimits{0, kMaxContext});
  visit("config", info.config, FieldLimits{});
  visit("positions", info.positions, FieldLimits{.required = false});
  visit("without_vectors", info.withoutVectors, FieldLimits{.required = false});
}

template <typename Info, typename Visit>
void visitCaptureFields(Info& info, const Visit& visit) {
  visit("window", info.window, FieldLimits{1, kMaxPositions});
  visit("sampler", info.sampler, FieldLimits{});
  visit("bucket_size", info.bucketSize, FieldLimits{1, kMaxPositions});
  visit("rate", info.rate, FieldLimits{});
  visit("head_seed", info.headSeed, FieldLimits{});
  visit("point", info.point, FieldLimits{});
  visit("compute_dtype", info.computeDtype, FieldLimits{});
  visit("device", info.device, FieldLimits{});
  visit("score_scale", info.scoreScale, FieldLimits{});
  visit(schema::kTrainedContext, info.trainedContext, FieldLimits{0, kMaxContext, false});
  visit("engine", info.engine, FieldLimits{.required = false});
}

// The fields as JSON objects.
Json modelFieldsJson(const CaptureInfo& info);
Json captureFieldsJson(const CaptureInfo& info);

}  // namespace plastiscope
