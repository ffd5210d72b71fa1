#include "core/store/file_seal.h"

#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"

namespace plastiscope {

namespace {

const std::string kPrefix = "plastiscope file sha256 ";
const std::size_t kSealBytes = kPrefix.size() + 64 + 1;

// SHA-256 of the first `count` bytes.
std::string sha256OfStart(const InputFile& input, std::uint64_t count, const std::filesystem::path& file) {
  std::vector<std::byte> block(std::size_t{1} << 20);
  Sha256 hash;
  for (std::uint64_t done = 0; done < count;) {
    const auto part =
        std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(count - done, block.size())));
    if (input.read(done, part) < part.size()) throw InputError({file, "", "", "cannot be read to its end"});
    hash.add(part);
    done += part.size();
  }
  return hash.hex();
}

}  // namespace

void appendFileSeal(const std::filesystem::path& file, const std::filesystem::path& finalName) {
  const InputFile input(file);
  appendLineDurably(file, kPrefix + sha256OfStart(input, input.size(), finalName));
}

FileSeal checkFileSeal(const std::filesystem::path& file) {
  const InputFile input(file);
  const std::uint64_t size = input.size();
  if (size < kSealBytes) return FileSeal::Absent;
  std::string line(kSealBytes, '\0');
  input.read(size - kSealBytes, std::as_writable_bytes(std::span(line)));
  if (line.compare(0, kPrefix.size(), kPrefix) != 0 || line.back() != '\n') return FileSeal::Absent;
  const std::string digest = sha256OfStart(input, size - kSealBytes, file);
  return line.compare(kPrefix.size(), 64, digest) == 0 ? FileSeal::Intact : FileSeal::Broken;
}

}  // namespace plastiscope
