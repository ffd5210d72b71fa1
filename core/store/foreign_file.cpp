#include "core/store/foreign_file.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/text_sniff.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);

// "Disk Format: Level 0A - Format Signature and Superblock" of the HDF5 File Format Specification: where each
// version keeps the size of its addresses and the end-of-file address.
struct Superblock {
  std::size_t sizeOfOffsets, endOfFile;
};
constexpr std::array<Superblock, 4> kSuperblocks = {{{13, 40}, {13, 44}, {9, 28}, {9, 28}}};
constexpr std::size_t kVersionAt = 8, kHead = 52;

std::optional<std::uint64_t> endStatedBy(const std::string& head) {
  if (!head.starts_with(kSignature) || head.size() < kHead) return {};
  const auto version = static_cast<unsigned char>(head[kVersionAt]);
  if (version >= kSuperblocks.size()) return {};
  const Superblock& layout = kSuperblocks[version];
  std::uint64_t end = 0;
  if (head[layout.sizeOfOffsets] != sizeof end) return {};
  std::memcpy(&end, head.data() + layout.endOfFile, sizeof end);
  if (end == ~std::uint64_t{0}) return {};
  return end;
}

}  // namespace

std::optional<std::uint64_t> statedEndOf(const fs::path& file) {
  return endStatedBy(readStart(file, kHead));
}

bool hasHdf5Signature(const fs::path& file) {
  return readStart(file, kSignature.size()) == kSignature;
}

std::string foreignContentOf(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return "a folder";
  if (fs::is_empty(file, ignored)) return "an empty file";
  if (hasHdf5Signature(file)) return "an HDF5 file of another program";
  return looksLikeText(file) ? "a text file" : "a file of another format";
}

void requireNotCutShort(const fs::path& file, std::uint64_t bytes) {
  const std::string head = readStart(file, kHead);
  if (!head.starts_with(kSignature)) return;
  if (head.size() < kHead) throw InputError({file, "", "", cutShort(bytes, kHead)});
  const auto stated = endStatedBy(head);
  if (!stated || bytes >= *stated) return;
  throw InputError({file, "", "", cutShort(bytes, *stated) + "; copy it again"});
}

}  // namespace plastiscope
