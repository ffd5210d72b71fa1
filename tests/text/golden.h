#pragma once
// What the `tokenizers` library made of the texts (tests/data/text/make_tokenizers.py).
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/text/tokenizer.h"

namespace plastiscope::test {

inline std::filesystem::path textData(const std::string& name) {
  return std::filesystem::path(PLASTISCOPE_TEST_DATA) / "text" / name;
}

inline const Json& golden() {
  static const Json value = readJsonFile(textData("golden.json"));
  return value;
}

// begin, end, begin, end, ... as the golden file has them.
inline std::vector<std::int64_t> flatOffsets(const Encoding& encoding) {
  std::vector<std::int64_t> flat;
  for (const auto& [begin, end] : encoding.offsets) {
    flat.push_back(begin);
    flat.push_back(end);
  }
  return flat;
}

}  // namespace plastiscope::test
