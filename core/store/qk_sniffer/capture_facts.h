#pragma once
// plastiscope.json, beside the author's files: what their layout does not say about a capture
// (method.md 1.11), so that an exported capture comes back with its window, RoPE, lengths of texts and seeds.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Checked reading of a JSON object that a stranger may have written. What is absent is nothing; what is of
// another kind or out of range is an InputError that names file and key.
class CheckedObject {
 public:
  CheckedObject() = default;
  CheckedObject(std::filesystem::path file, std::string place, Json object);
  std::optional<std::string> text(const char* key) const;
  std::optional<std::int64_t> integer(const char* key, std::int64_t least, std::int64_t most) const;
  std::optional<double> number(const char* key) const;
  std::optional<bool> flag(const char* key) const;
  std::optional<Json> object(const char* key) const;
  CheckedObject part(const std::string& key) const;  // an empty one when absent

 private:
  const Json* find(const char* key) const;
  [[noreturn]] void fail(const char* key, const std::string& expected) const;

  std::filesystem::path m_file;
  std::string m_place;
  Json m_object = Json::object();
};

struct QkExampleFacts {
  std::int64_t seedId = 0, tokens = 0;
  std::string sha256;
};

struct CaptureFacts {
  CheckedObject model, capture, layers;             // layers by number, two digits
  std::map<std::int32_t, QkExampleFacts> examples;  // by the id of the rows
};

// The low 32 bits, as the layout keeps them.
std::int32_t storedExampleId(std::int64_t seedId);

std::string captureFactsText(const CaptureInfo& info, const std::string& point);
// All empty when the folder has no such file.
CaptureFacts readCaptureFacts(const std::filesystem::path& folder);

inline constexpr const char* kCaptureFactsFile = "plastiscope.json";

}  // namespace plastiscope
