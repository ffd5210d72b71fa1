#pragma once
// GGUF v2 and v3: metadata and tensor directory.
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "core/weights/tensor_directory.h"

namespace plastiscope {

// A metadata value. Nested arrays and unsigned values above int64 are refused.
using GgufValue = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>,
                               std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

class GgufFile final : public DirectorySource {
 public:
  GgufFile(std::filesystem::path path, std::map<std::string, GgufValue> metadata, TensorDirectory directory)
      : DirectorySource(std::move(path), std::move(directory)), m_metadata(std::move(metadata)) {}
  const std::map<std::string, GgufValue>& metadata() const { return m_metadata; }
  // Nothing when the key is absent; InputError when the value has another type.
  std::optional<std::int64_t> integer(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  std::optional<bool> flag(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;

 private:
  std::map<std::string, GgufValue> m_metadata;
};

// One part of a split model: "NAME-00002-of-00005.gguf".
struct GgufPart {
  std::string name;
  std::int64_t number = 0, count = 0;
  std::string fileName(std::int64_t ofNumber) const;
};
std::optional<GgufPart> ggufPartOf(const std::string& fileName);  // nothing for other names
// Whether the name is that of a model: no later part, no vision projector ("mmproj").
bool isGgufModelName(const std::string& fileName);

std::shared_ptr<const GgufFile> openGguf(const std::filesystem::path& file);
bool looksLikeGguf(const std::filesystem::path& file);  // by its first four bytes

}  // namespace plastiscope
