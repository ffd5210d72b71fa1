#pragma once
// GGUF v2 and v3: metadata and tensor directory.
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "core/weights/tensor_source.h"

namespace plastiscope {

// Metadata value; arrays are flat (GGUF allows nesting, which is refused). Unsigned values above int64 are
// refused.
using GgufValue = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>,
                               std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

class GgufFile : public TensorSource {
 public:
  virtual const std::map<std::string, GgufValue>& metadata() const = 0;
  // Typed look-ups: nothing when the key is absent, InputError when it has another type.
  std::optional<std::int64_t> integer(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  std::optional<bool> flag(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
};

// "NAME-00002-of-00005.gguf": one part of a split model.
struct GgufPart {
  std::string name;
  std::int64_t number = 0, count = 0;
  std::string fileName(std::int64_t ofNumber) const;
};
std::optional<GgufPart> ggufPartOf(const std::string& fileName);  // nothing for a file of another name
// A model by its file name: not a later part, nor the image part of a vision model ("mmproj").
bool isGgufModelName(const std::string& fileName);

std::shared_ptr<const GgufFile> openGguf(const std::filesystem::path& file);
bool looksLikeGguf(const std::filesystem::path& file);  // by its first four bytes

}  // namespace plastiscope
