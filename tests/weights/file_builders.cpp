#include "tests/weights/file_builders.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/weights/tensor_source.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {

std::string safetensorsFile(std::string_view header, std::size_t dataBytes) {
  return little<std::uint64_t>(header.size()) + std::string(header) + std::string(dataBytes, '\0');
}

std::string ggufText(std::string_view text) {
  return little<std::uint64_t>(text.size()) + std::string(text);
}

std::string ggufHead(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version) {
  return "GGUF" + little(version) + little(tensors) + little(keys);
}

std::string ggufTextKey(std::string_view key, std::string_view value) {
  return ggufText(key) + little<std::uint32_t>(8) + ggufText(value);
}

std::string ggufIntegerKey(std::string_view key, std::uint32_t value) {
  return ggufText(key) + little<std::uint32_t>(4) + little(value);
}

std::string ggufFloatKey(std::string_view key, float value) {
  return ggufText(key) + little<std::uint32_t>(6) + little(value);
}

std::string ggufTensor(std::string_view name, std::initializer_list<std::uint64_t> shape, std::uint32_t type,
                       std::uint64_t offset) {
  std::string entry = ggufText(name) + little(static_cast<std::uint32_t>(shape.size()));
  for (const std::uint64_t size : shape) entry += little(size);
  return entry + little(type) + little(offset);
}

std::string padded(std::string content, std::size_t alignment) {
  content.resize((content.size() + alignment - 1) / alignment * alignment, '\0');
  return content;
}

std::filesystem::path put(const std::filesystem::path& file, std::string_view content) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  return file;
}

std::string testData(std::string_view relative) {
  return std::string(PLASTISCOPE_TEST_DATA "/") + std::string(relative);
}

void expectReadOrRefused(const FileCase& one, const char* fileName) {
  const TemporaryFolder folder;
  const auto file = put(folder / fileName, one.content);
  const std::string message = inputErrorOf([&] { openTensors(file); });
  if (*one.complaint == '\0') {
    EXPECT_EQ(message, "NO ERROR");
  } else {
    EXPECT_THAT(message, testing::HasSubstr(one.complaint));
    EXPECT_THAT(message, testing::HasSubstr(file.string()));
  }
}

}  // namespace plastiscope::test
