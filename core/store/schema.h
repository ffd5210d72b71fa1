#pragma once
// All names in stored files (resources/help/capture-format.md).
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

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
// Of every dataset: SHA-256 of its little-endian bytes (texts of variable length: their UTF-8 bytes, each
// ended by one zero byte).
inline constexpr const char* kSha256 = "sha256";
// Of every dataset: CRC-32 of the same bytes, cheap enough to be compared whenever the dataset is read.
inline constexpr const char* kCrc32 = "crc32";
// Of the root: CRC-32 of the texts among the attributes of all groups, which HDF5 keeps without a checksum of
// its own: "PATH@NAME", zero byte, text, zero byte, in ascending order. `created` is left out, so that the
// same content has the same value.
inline constexpr const char* kTextsCrc32 = "texts_crc32";
// Of a vectors dataset: 1 = some example's values overflowed float16, so the head is stored as float32.
inline constexpr const char* kHalfOverflow = "float16_overflow";

// Of /model, and of a layer that is not like the model.
inline constexpr const char* kHeadDim = "head_dim";
inline constexpr const char* kKeyHeads = "key_heads";

// Of a layer with dense heads, where its model has them.
inline constexpr const char* kScoreSoftcap = "score_softcap";
inline constexpr const char* kLearnedSinks = "learned_sinks";

// Groups of a capture.
inline constexpr const char* kModel = "model";
inline constexpr const char* kFingerprint = "fingerprint";  // attribute of /model
inline constexpr const char* kCapture = "capture";
// Of /capture, in files that know it: tokens up to which the model was trained, and a warning where the
// window is longer.
inline constexpr const char* kTrainedContext = "trained_context";
inline constexpr const char* kWarning = "warning";
inline constexpr const char* kExamples = "examples";
inline constexpr const char* kLayers = "layers";
inline constexpr const char* kVectors = "vectors";
// One per RowSet, in its order.
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
// Datasets of /texts, which captures without their texts lack.
inline constexpr const char* kTexts = "texts";
inline constexpr const char* kTokenIds = "token_ids";              // of all examples, one after the other
inline constexpr const char* kVocabularyIds = "vocabulary_ids";    // the ids that occur, ascending
inline constexpr const char* kVocabularyEnds = "vocabulary_ends";  // where their bytes end
inline constexpr const char* kVocabularyBytes = "vocabulary_bytes";

// Datasets of /loss, which captures with --loss have: of all tokens, one text after the other.
inline constexpr const char* kLoss = "loss";
inline constexpr const char* kNll = "nll";
inline constexpr const char* kFirstPlace = "first_place";

// The settings in a folder of unfinished work.
inline constexpr const char* kWorkSettings = "settings.json";

// Root attributes of an analysis: the capture that it was made of.
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

}  // namespace plastiscope::schema
