// Damaged weight files: whatever bytes are flipped or missing, opening and reading end in values or a typed
// error. Built with the address sanitizer (preset asan) this also shows reads outside a buffer.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/weights/quantised.h"
#include "tests/support/temporary_folder.h"
#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

constexpr int kFiles = 400;
constexpr std::int64_t kMaxElements = 1 << 20;

std::string contentOf(const std::string& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

// A few bytes changed, near the front more often than not (the directory), or the end cut off.
std::string damaged(std::string content, std::mt19937& random) {
  if (random() % 4 == 0) content.resize(random() % content.size());
  if (content.empty()) return content;
  const std::size_t reach = random() % 3 == 0 ? content.size() : std::min<std::size_t>(content.size(), 2000);
  for (unsigned flips = random() % 4 + 1; flips > 0; --flips) {
    const unsigned kind = random() % 3;
    char& byte = content[random() % reach];
    byte = static_cast<char>(kind == 0   ? random()
                             : kind == 1 ? byte ^ (1 << random() % 8)
                                         : '0' + random() % 10);
  }
  return content;
}

// Reads everything; true when nothing was wrong.
bool readsAll(const std::filesystem::path& file, const Json& quantisation) {
  try {
    const auto source = withQuantisation(openTensors(file), quantisation, "config.json");
    for (const TensorInfo& tensor : source->tensors()) {
      if (tensor.elements() > kMaxElements) continue;
      std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
      readFloat32(*source, tensor, values);
    }
  } catch (const InputError&) {
    return false;
  }
  return true;
}

struct Fixture {
  const char* name;
  const char* file;
  const char* quantisation;  // a file, or ""
};

class DamagedFile : public testing::TestWithParam<Fixture> {};

TEST_P(DamagedFile, IsReadOrRefused) {
  const std::string quantisation = GetParam().quantisation;
  const Json config = quantisation.empty() ? Json() : readJsonFile(testData(quantisation));
  const std::string content = contentOf(testData(GetParam().file));
  const std::filesystem::path original = testData(GetParam().file);
  ASSERT_TRUE(readsAll(original, config));
  TemporaryFolder folder;
  std::mt19937 random(20260607);
  int refused = 0;
  for (int i = 0; i < kFiles; ++i) {
    const auto file = put(folder / ("m" + original.extension().string()), damaged(content, random));
    refused += readsAll(file, config) ? 0 : 1;
  }
  EXPECT_GT(refused, kFiles / 10);
  EXPECT_LT(refused, kFiles);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, DamagedFile,
                         testing::ValuesIn(std::vector<Fixture>{
                             {"gguf", "weights/blocks.gguf", ""},
                             {"safetensors", "weights/float8.safetensors", ""},
                             {"fp8", "weights/quantised/fp8_blocks.safetensors",
                              "weights/quantised/fp8_blocks.json"},
                             {"mxfp4", "weights/quantised/mxfp4.safetensors", "weights/quantised/mxfp4.json"},
                         }),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace plastiscope::test
