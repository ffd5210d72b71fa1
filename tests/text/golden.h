#pragma once
// What the reference libraries made of the texts (tests/data/text/make_*.py).
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/text/tokenizer.h"

namespace plastiscope::test {

inline std::filesystem::path textData(const std::string& name) {
  return std::filesystem::path(PLASTISCOPE_TEST_DATA) / "text" / name;
}

// About 2,300 texts, the same for every tokenizer.
inline const std::vector<std::string>& goldenTexts() {
  static const auto value = readJsonFile(textData("texts.json")).get<std::vector<std::string>>();
  return value;
}

// The one among them with many scripts, which the golden files' "special" is about.
inline const std::string& mixedText() {
  return goldenTexts().at(14);
}

// golden/NAME.json; its fields are described in tests/data/text/golden.py.
inline Json goldenOf(const std::string& name) {
  return readJsonFile(textData("golden") / (name + ".json"));
}

inline std::vector<std::string> goldenNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(textData("golden")))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

// begin, end, begin, end, ... as the golden files have them.
inline std::vector<std::int64_t> flatOffsets(const Encoding& encoding) {
  std::vector<std::int64_t> flat;
  for (const auto& [begin, end] : encoding.offsets) {
    flat.push_back(begin);
    flat.push_back(end);
  }
  return flat;
}

// As golden.py makes it.
inline std::string digest(const Encoding& encoding, bool withOffsets) {
  std::vector<std::int32_t> numbers = encoding.ids;
  if (withOffsets) {
    for (const std::int64_t edge : flatOffsets(encoding)) numbers.push_back(static_cast<std::int32_t>(edge));
  }
  return sha256Hex({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t)});
}

}  // namespace plastiscope::test
