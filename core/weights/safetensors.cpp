#include "core/weights/safetensors.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/weights/safetensors_header.h"
#include "core/weights/tensor_directory.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::size_t kMaxSafetensorsRank = 64;

std::string headerOf(const ByteSource& file) {
  if (file.size() < 8) {
    throw InputError({file.path(), "", "", cutShort(file.size(), 8)});
  }
  std::uint64_t length = 0;
  file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > kMaxHeader) {
    throw InputError({file.path(), "header length", "at most 100,000,000", std::to_string(length)});
  }
  if (length > file.size() - 8) {
    throw InputError({file.path(), "header", "", cutShort(file.size(), 8 + length)});
  }
  std::string header(length, '\0');
  file.read(8, std::as_writable_bytes(std::span(header)));
  return header;
}

// One declared tensor, checked by itself.
TensorInfo checked(SafetensorsEntry entry, std::uint64_t dataStart, const std::filesystem::path& file) {
  const std::string place = "tensor " + sanitized(entry.name);
  if (entry.shape.size() > kMaxSafetensorsRank) {
    throw InputError({file, place, "at most 64 dimensions", std::to_string(entry.shape.size())});
  }
  const auto bytes = byteCount(*entry.format, entry.shape);
  if (!bytes) throw InputError({file, place, "a shape whose size fits 63 bits", "a larger one"});
  if (entry.begin > entry.end) {
    throw InputError({file, place, "data_offsets in ascending order",
                      std::to_string(entry.begin) + ", " + std::to_string(entry.end)});
  }
  if (entry.end - entry.begin != *bytes) {
    throw InputError({file, place, std::to_string(*bytes) + " bytes by its shape and type",
                      std::to_string(entry.end - entry.begin) + " by its data_offsets"});
  }
  return {std::move(entry.name),   entry.format->type,
          std::move(entry.shape),  *bytes,
          entry.begin + dataStart, file};
}

// The data must follow without gap or overlap up to the end of the file.
void checkCoverage(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataStart,
                   std::uint64_t dataSize, const std::filesystem::path& file) {
  std::uint64_t reached = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != reached) {
      throw InputError({file, "tensor " + sanitized(entry.name),
                        "data from offset " + std::to_string(reached),
                        "offset " + std::to_string(entry.begin) +
                            (entry.begin < reached ? " (overlapping data)" : " (a gap in the data)")});
    }
    reached = entry.end;
  }
  if (reached > dataSize)
    throw InputError({file, "data", "", cutShort(dataStart + dataSize, dataStart + reached)});
  if (reached < dataSize) {
    throw InputError(
        {file, "data", std::to_string(reached) + " bytes by the header", std::to_string(dataSize)});
  }
}

}  // namespace

std::vector<TensorInfo> readSafetensorsDirectory(const ByteSource& file) {
  const std::string header = headerOf(file);
  const std::uint64_t dataStart = 8 + header.size();
  std::vector<SafetensorsEntry> entries = parseSafetensorsHeader(header, file.path());
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  checkCoverage(entries, dataStart, file.size() - dataStart, file.path());
  std::vector<TensorInfo> tensors;
  tensors.reserve(entries.size());
  for (SafetensorsEntry& entry : entries)
    tensors.push_back(checked(std::move(entry), dataStart, file.path()));
  return tensors;
}

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& path) {
  const auto file = openBytes(path);
  TensorDirectory directory;
  directory.add(file, readSafetensorsDirectory(*file));
  return std::make_shared<const DirectorySource>(path, std::move(directory));
}

}  // namespace plastiscope
