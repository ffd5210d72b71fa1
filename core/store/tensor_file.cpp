#include "core/store/tensor_file.h"

#include <algorithm>
#include <cstdio>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/schema.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr const char* kFacts = "__metadata__";

// A kind of checksum: its name, the placeholder while it is computed, and the computation.
struct Crc32Sum {
  static constexpr const char* kName = schema::kCrc32;
  static std::string none() { return std::string(8, '0'); }
  void add(std::span<const std::byte> bytes) { m_sum = crc32Of(bytes, m_sum); }
  std::string text() const {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(m_sum));
    return text;
  }

 private:
  std::uint32_t m_sum = 0;
};

// Used in files of version 1.0.0.
struct Sha256Sum {
  static constexpr const char* kName = schema::kSha256;
  static std::string none() { return std::string(64, '0'); }
  void add(std::span<const std::byte> bytes) { m_hash.add(bytes); }
  std::string text() { return m_hash.hex(); }

 private:
  Sha256 m_hash;
};

// Padded so that the data start at a multiple of 8 bytes.
std::string textOf(const Json& header) {
  std::string text = canonicalJson(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

Json headerOf(const TensorFileFacts& facts, const std::vector<StateTensor>& tensors) {
  Json header = Json::object();
  header[kFacts] = facts;
  std::uint64_t offset = 0;
  for (const StateTensor& tensor : tensors) {
    std::uint64_t bytes = 0;
    for (const auto& piece : tensor.pieces) bytes += piece.size();
    header[tensor.name] = {
        {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  return header;
}

// Collects small pieces into larger writes.
class PieceWriter {
 public:
  explicit PieceWriter(TemporaryFile& file) : m_file(file) {}
  void add(std::span<const std::byte> piece) {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    if (m_small.size() + piece.size() >= kLarge) flush();
    if (piece.size() >= kLarge) return m_file.write(piece);
    m_small.insert(m_small.end(), piece.begin(), piece.end());
  }
  void flush() {
    m_file.write(m_small);
    m_small.clear();
  }

 private:
  TemporaryFile& m_file;
  std::vector<std::byte> m_small;
};

// The JSON header as stored.
std::string headerText(const ByteSource& file) {
  std::uint64_t length = 0;
  if (file.size() >= 8) file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (file.size() < 8 || length > std::min(kMaxHeader, file.size() - 8))
    throw InputError(
        {file.path(), "header length", "at most the bytes that follow", "the file is cut short"});
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(8, std::as_writable_bytes(std::span(text)));
  return text;
}

TensorFileFacts factsIn(const Json& header, const fs::path& file) {
  try {
    return header.at(kFacts).get<TensorFileFacts>();
  } catch (const Json::exception&) {
    throw InputError({file, kFacts, "an object of texts", "none"});
  }
}

}  // namespace

std::string writeTensorFile(const fs::path& file, const TensorFileFacts& facts,
                            const std::vector<StateTensor>& tensors) {
  Json header = headerOf(facts, tensors);
  header[kFacts][Crc32Sum::kName] = Crc32Sum::none();
  Crc32Sum sum;
  const std::string unsummed = textOf(header);
  sum.add(std::as_bytes(std::span(unsummed)));
  for (const StateTensor& tensor : tensors) {
    for (const auto& piece : tensor.pieces) sum.add(piece);
  }
  const std::string checksum = sum.text();
  header[kFacts][Crc32Sum::kName] = checksum;
  const std::string text = textOf(header);
  const std::uint64_t length = text.size();
  TemporaryFile temporary(file);
  PieceWriter out(temporary);
  out.add(std::as_bytes(std::span(&length, 1)));
  out.add(std::as_bytes(std::span(text)));
  for (const StateTensor& tensor : tensors) {
    for (const auto& piece : tensor.pieces) out.add(piece);
  }
  out.flush();
  temporary.finish();
  temporary.takeBeforeSync();
  return checksum;
}

namespace {

// Checksum of the whole file.
template <typename Sum>
std::string checksumOf(const ByteSource& bytes, Json header, Progress& progress) {
  header[kFacts][Sum::kName] = Sum::none();
  const std::string text = textOf(header);
  Sum sum;
  sum.add(std::as_bytes(std::span(text)));
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (std::uint64_t at = 8 + text.size(); at < bytes.size(); at += block.size()) {
    progress.throwIfStopped();
    const std::span<std::byte> part(
        block.data(), static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), bytes.size() - at)));
    bytes.read(at, part);
    sum.add(part);
  }
  return sum.text();
}

}  // namespace

TensorFile::TensorFile(const fs::path& file, Progress& progress) : m_source(openSafetensors(file)) {
  const auto bytes = openBytes(file);
  const Json header = parseJson(headerText(*bytes), file);
  m_facts = factsIn(header, file);
  const bool isOld = !m_facts.contains(Crc32Sum::kName);
  m_checksum = fact(isOld ? Sha256Sum::kName : Crc32Sum::kName);
  const std::string found = isOld ? checksumOf<Sha256Sum>(*bytes, header, progress)
                                  : checksumOf<Crc32Sum>(*bytes, header, progress);
  if (found != m_checksum)
    throw InputError({file, "checksum", m_checksum.substr(0, 12), found.substr(0, 12)});
}

const std::string& TensorFile::fact(const std::string& name) const {
  const auto found = m_facts.find(name);
  if (found == m_facts.end()) throw InputError({m_source->path(), kFacts, "an entry " + name, "none"});
  return found->second;
}

const TensorInfo& TensorFile::tensor(const std::string& name) const {
  const TensorInfo* info = m_source->find(name);
  if (info == nullptr) throw InputError({m_source->path(), "tensor " + name, "one", "none"});
  return *info;
}

void TensorFile::read(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const {
  m_source->readBytes(tensor, first, out);
}

TensorFileFacts TensorFile::factsOf(const fs::path& file) {
  return factsIn(parseJson(headerText(*openBytes(file)), file), file);
}

}  // namespace plastiscope
