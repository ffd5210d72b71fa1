#pragma once
// Metadata of a qk-sniffer data set: _saver_state.json, or the lines of README.md without that file; and
// plastiscope.json with facts that the layout cannot store.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/checked_json.h"
#include "core/store/capture_file.h"
#include "core/store/qk_sniffer/layout.h"

namespace plastiscope {

struct SaverState {
  std::string model;  // "" if not stated
  // Texts and numbers by name; those of a nested block have its name as a prefix.
  CheckedJson metadata;

  // The first of `names` that exists, also with the prefix head_sampling_. InputError if it is of another
  // type or out of range.
  std::optional<std::int64_t> integer(const std::vector<std::string>& names, std::int64_t least,
                                      std::int64_t most) const;
};

// Reads both forms of the file: {model_name, model_metadata: {...}} and, older, {model_metadata: {MODEL:
// {...}}}.
SaverState readSaverState(const QkFolder& folder);

// The text of _saver_state.json.
std::string saverStateText(const std::string& model, const Json& metadata,
                           const std::map<std::int64_t, std::int64_t>& bucketCounts);

// ---- Converts between the metadata of a capture and of the qk-sniffer layout.

// Key of an imported capture's settings for the metadata of its source.
inline constexpr const char* kSourceMetadata = "source_metadata";

// All metadata of the capture under the names of the layout; values stated by its source take precedence.
Json captureMetadata(const CaptureInfo& info, const std::string& point);

// Converts sampler names of this program to strategy names of the layout and back; keeps unknown names.
std::string strategyOf(const std::string& sampler);
std::string samplerOf(const std::string& strategy);

// README.md with the front matter of a data-set card: one configuration per head folder.
std::string qkReadmeText(const std::string& model, const Json& metadata,
                         const std::vector<std::string>& folders,
                         const std::map<std::int64_t, std::int64_t>& bucketCounts);

// ---- plastiscope.json, in addition to the files of the layout: facts that the layout cannot store, so that
// an exported capture can be imported with its window, RoPE, text lengths and seeds.

struct QkExampleFacts {
  std::int64_t seedId = 0, tokens = 0;
  std::string sha256;
};

struct CaptureFacts {
  CheckedJson model, capture, layers;               // layers by number, two digits
  std::map<std::int32_t, QkExampleFacts> examples;  // by the id of the rows
};

// The low 32 bits of the id, as stored in the layout.
std::int32_t storedExampleId(std::int64_t seedId);

std::string captureFactsText(const CaptureInfo& info, const std::string& point);
// Empty if the folder has no such file.
CaptureFacts readCaptureFacts(const std::filesystem::path& folder);

inline constexpr const char* kCaptureFactsFile = "plastiscope.json";

}  // namespace plastiscope
