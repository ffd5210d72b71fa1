#include "core/weights/gguf.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/weights/gguf_reader.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxParts = 4096;

std::int64_t integerOr(const std::map<std::string, GgufValue>& metadata, const std::string& key,
                       std::int64_t otherwise) {
  const auto found = metadata.find(key);
  const auto* value = found == metadata.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? otherwise : *value;
}

// Opens all parts of a split model; metadata come from the first part.
std::shared_ptr<const GgufFile> openParts(const fs::path& file, std::int64_t count) {
  if (count > kMaxParts) throw InputError({file, "split.count", "at most 4096 parts", std::to_string(count)});
  const std::optional<GgufPart> names = ggufPartOf(file.filename().string());
  if (!names || names->count != count) {
    throw InputError({file, "file name", "the form NAME-00001-of-0000N.gguf of a split model",
                      "\"" + sanitized(file.filename().string()) + "\""});
  }
  TensorDirectory directory;
  std::map<std::string, GgufValue> metadata;
  for (std::int64_t number = 1; number <= count; ++number) {
    const fs::path name = file.parent_path() / names->fileName(number);
    if (std::error_code code; !fs::exists(name, code))
      throw InputError({name, "", "",
                        "this part of a model of " + std::to_string(count) +
                            " parts is missing: download it into the same folder"});
    const auto part = openBytes(name);
    GgufDirectory content = readGgufDirectory(*part);
    if (integerOr(content.metadata, "split.no", -1) != number - 1 ||
        integerOr(content.metadata, "split.count", -1) != count) {
      throw InputError({name, "split.no", "part " + std::to_string(number) + " of " + std::to_string(count),
                        "another part"});
    }
    directory.add(part, std::move(content.tensors));
    if (number == 1) metadata = std::move(content.metadata);
  }
  const std::int64_t expected = integerOr(metadata, "split.tensors.count", -1);
  if (expected >= 0 && expected != static_cast<std::int64_t>(directory.tensors().size())) {
    throw InputError({file, "split.tensors.count", std::to_string(expected) + " tensors in all parts",
                      std::to_string(directory.tensors().size())});
  }
  return std::make_shared<const GgufFile>(file.parent_path() / names->fileName(1), std::move(metadata),
                                          std::move(directory));
}

template <typename Value>
std::optional<Value> lookUp(const GgufFile& file, const std::string& key, const char* expected) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) return std::nullopt;
  const auto* value = std::get_if<Value>(&found->second);
  if (value == nullptr) throw InputError({file.path(), "metadata " + key, expected, "another type"});
  return *value;
}

}  // namespace

std::string GgufPart::fileName(std::int64_t ofNumber) const {
  char ending[64];
  std::snprintf(ending, sizeof ending, "-%05lld-of-%05lld.gguf", static_cast<long long>(ofNumber),
                static_cast<long long>(count));
  return name + ending;
}

std::optional<GgufPart> ggufPartOf(const std::string& fileName) {
  constexpr std::string_view kForm = "-#####-of-#####.gguf";
  if (fileName.size() <= kForm.size()) return std::nullopt;
  const std::string_view ending = std::string_view(fileName).substr(fileName.size() - kForm.size());
  const bool fits = std::equal(kForm.begin(), kForm.end(), ending.begin(), [](char form, char found) {
    return form == '#' ? found >= '0' && found <= '9' : found == form;
  });
  if (!fits) return std::nullopt;
  GgufPart part{fileName.substr(0, fileName.size() - kForm.size())};
  std::from_chars(ending.data() + 1, ending.data() + 6, part.number);
  std::from_chars(ending.data() + 10, ending.data() + 15, part.count);
  return part;
}

bool isGgufModelName(const std::string& fileName) {
  const auto part = ggufPartOf(fileName);
  return fileName.ends_with(".gguf") && (!part || part->number == 1) &&
         fileName.find("mmproj") == std::string::npos;
}

std::optional<std::int64_t> GgufFile::integer(const std::string& key) const {
  return lookUp<std::int64_t>(*this, key, "an integer");
}

std::optional<double> GgufFile::number(const std::string& key) const {
  const auto found = metadata().find(key);
  if (found != metadata().end() && std::holds_alternative<std::int64_t>(found->second)) {
    return static_cast<double>(std::get<std::int64_t>(found->second));
  }
  return lookUp<double>(*this, key, "a number");
}

std::optional<bool> GgufFile::flag(const std::string& key) const {
  return lookUp<bool>(*this, key, "a truth value");
}

std::optional<std::string> GgufFile::text(const std::string& key) const {
  return lookUp<std::string>(*this, key, "a text");
}

bool looksLikeGguf(const fs::path& file) {
  try {
    return readStart(file, 4) == "GGUF";
  } catch (const InputError&) {
    return false;  // missing or unreadable
  }
}

std::shared_ptr<const GgufFile> openGguf(const fs::path& path) {
  const auto file = openBytes(path);
  GgufDirectory content = readGgufDirectory(*file);
  const std::int64_t parts = integerOr(content.metadata, "split.count", 1);
  if (parts > 1) return openParts(path, parts);
  TensorDirectory directory;
  directory.add(file, std::move(content.tensors));
  return std::make_shared<const GgufFile>(path, std::move(content.metadata), std::move(directory));
}

}  // namespace plastiscope
