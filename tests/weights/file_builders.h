#pragma once
// Weight files put together byte by byte, so that tests can break any part of them.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace plastiscope::test {

template <typename Number>
std::string little(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A safetensors file: header length, header, `dataBytes` zero bytes.
std::string safetensorsFile(std::string_view header, std::size_t dataBytes);

// GGUF pieces. Texts carry their 64-bit length.
std::string ggufText(std::string_view text);
std::string ggufHead(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3);
std::string ggufTextKey(std::string_view key, std::string_view value);
std::string ggufIntegerKey(std::string_view key, std::uint32_t value);
std::string ggufFloatKey(std::string_view key, float value);
// Directory entry: dimensions innermost first, as in the file.
std::string ggufTensor(std::string_view name, std::initializer_list<std::uint64_t> shape, std::uint32_t type,
                       std::uint64_t offset);
// Zero bytes up to a multiple of `alignment`.
std::string padded(std::string content, std::size_t alignment = 32);

// Writes `content` to `file` (folders are made) and returns the path.
std::filesystem::path put(const std::filesystem::path& file, std::string_view content);
std::string testData(std::string_view relative);

// A file that is read, or refused with a message.
struct FileCase {
  const char* name;
  std::string content;
  const char* complaint;  // part of the message; "" when the file is fine
};
// Opens the content as a file of that name.
void expectReadOrRefused(const FileCase& one, const char* fileName);

// The message of the InputError that `action` throws; a note instead when it throws none or another error.
template <typename Action>
std::string inputErrorOf(Action action);

}  // namespace plastiscope::test

#include "core/base/error.h"

template <typename Action>
std::string plastiscope::test::inputErrorOf(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("ANOTHER ERROR: ") + error.what();
  }
  return "NO ERROR";
}
