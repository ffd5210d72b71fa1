#include "core/store/file_seal.h"

#include <fstream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"

namespace plastiscope {

namespace {

const std::string kPrefix = "plastiscope file sha256 ";
const std::size_t kSealBytes = kPrefix.size() + 64 + 1;

// SHA-256 of the first `count` bytes.
std::string sha256OfStart(std::ifstream& stream, std::uint64_t count, const std::filesystem::path& file) {
  std::vector<char> block(std::size_t{1} << 20);
  Sha256 hash;
  while (count > 0) {
    const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(count, block.size()));
    if (!stream.read(block.data(), static_cast<std::streamsize>(part))) {
      throw InputError({file, "", "", "cannot be read to its end"});
    }
    hash.add(std::string_view(block.data(), part));
    count -= part;
  }
  return hash.hex();
}

std::ifstream openStream(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError({file, "", "", "cannot be opened"});
  return stream;
}

}  // namespace

void appendFileSeal(const std::filesystem::path& file, const std::filesystem::path& finalName) {
  std::ifstream stream = openStream(file);
  const std::string digest = sha256OfStart(stream, std::filesystem::file_size(file), finalName);
  appendLineDurably(file, kPrefix + digest);
}

FileSeal checkFileSeal(const std::filesystem::path& file) {
  std::ifstream stream = openStream(file);
  const std::uint64_t size = std::filesystem::file_size(file);
  if (size < kSealBytes) return FileSeal::Absent;
  std::string line(kSealBytes, '\0');
  stream.seekg(static_cast<std::streamoff>(size - kSealBytes));
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  if (line.compare(0, kPrefix.size(), kPrefix) != 0 || line.back() != '\n') return FileSeal::Absent;
  stream.seekg(0);
  const std::string digest = sha256OfStart(stream, size - kSealBytes, file);
  return line.compare(kPrefix.size(), 64, digest) == 0 ? FileSeal::Intact : FileSeal::Broken;
}

}  // namespace plastiscope
