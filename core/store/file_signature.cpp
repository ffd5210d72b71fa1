#include "core/store/file_signature.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/text/corpus_file.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
constexpr std::uint64_t kFirstUserBlock = 512;  // each further one at twice the offset

// "Disk Format: Level 0A - Format Signature and Superblock" of the HDF5 File Format Specification: where each
// version keeps the size of its addresses and the end-of-file address.
struct Superblock {
  std::size_t sizeOfOffsets, endOfFile;
};
constexpr std::array<Superblock, 4> kSuperblocks = {{{13, 40}, {13, 44}, {9, 28}, {9, 28}}};
constexpr std::size_t kVersionAt = 8, kHead = 52;

constexpr std::string_view kSealPrefix = "plastiscope file sha256 ";
constexpr std::size_t kSealBytes = kSealPrefix.size() + 64 + 1;

std::string textAt(const InputFile& file, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '\0');
  text.resize(file.read(offset, std::as_writable_bytes(std::span(text))));
  return text;
}

// End of the HDF5 data as the superblock states it; nothing if it does not (other versions, user blocks).
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

std::string sha256OfStart(const InputFile& input, std::uint64_t count, const fs::path& finalName) {
  std::vector<std::byte> block(std::size_t{1} << 20);
  Sha256 hash;
  for (std::uint64_t done = 0; done < count;) {
    const auto part = std::span(block).first(std::min<std::uint64_t>(count - done, block.size()));
    if (input.read(done, part) < part.size())
      throw InputError({finalName, "", "", "cannot be read to its end"});
    hash.add(part);
    done += part.size();
  }
  return hash.hex();
}

bool hasHdf5Signature(const InputFile& file) {
  for (std::uint64_t at = 0; at < file.size(); at = at == 0 ? kFirstUserBlock : 2 * at) {
    if (textAt(file, at, kSignature.size()) == kSignature) return true;
  }
  return false;
}

std::string foreignContentOf(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return "a folder";
  if (fs::is_empty(file, ignored)) return "an empty file";
  if (hasHdf5Signature(InputFile(file))) return "an HDF5 file of another program";
  return looksLikeText(file) ? "a text file" : "a file of another format";
}

void requireNotCutShort(const InputFile& file) {
  const std::string head = textAt(file, 0, kHead);
  if (!head.starts_with(kSignature)) return;
  if (head.size() < kHead) throw InputError({file.path(), "", "", cutShort(file.size(), kHead)});
  const auto stated = endStatedBy(head);
  if (!stated || file.size() >= *stated) return;
  throw InputError({file.path(), "", "", cutShort(file.size(), *stated) + "; copy it again"});
}

void appendFileSeal(const fs::path& file, const fs::path& finalName) {
  const InputFile input(file);
  appendLineDurably(file, std::string(kSealPrefix) + sha256OfStart(input, input.size(), finalName));
}

FileSeal sealOf(const InputFile& file) {
  const std::uint64_t size = file.size(), data = size - std::min<std::uint64_t>(size, kSealBytes);
  const std::string line = textAt(file, data, kSealBytes);
  if (line.size() == kSealBytes && line.starts_with(kSealPrefix) && line.back() == '\n') {
    const bool same = line.compare(kSealPrefix.size(), 64, sha256OfStart(file, data, file.path())) == 0;
    return same ? FileSeal::Intact : FileSeal::Broken;
  }
  const auto end = endStatedBy(textAt(file, 0, kHead));
  return end && size > *end ? FileSeal::CutShort : FileSeal::Absent;
}

}  // namespace plastiscope
