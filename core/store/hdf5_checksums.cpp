// Comparing the values of a dataset with the checksums that it carries.
#include <algorithm>

#include "core/base/error.h"
#include "core/store/hdf5_checksums.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kChecksumBlockBytes = std::int64_t{4} << 20;

std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t to = std::min(path.find('/', from), path.size());
    if (to > from) parts.push_back(path.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

// "07" -> "7"
std::string plainNumber(const std::string& digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(first);
}

// Whose data a dataset of a capture holds: "query head L2H1", "key head 0 of layer 2", "the queries of layer
// 2"; "" for other datasets.
std::string ownerOf(const std::string& dataset) {
  const std::vector<std::string> parts = partsOf(dataset);
  if (parts.size() < 4 || parts[0] != schema::kLayers) return "";
  const bool query = parts[2].starts_with(schema::kRowSets[0]);
  const std::string layer = plainNumber(parts[1]);
  const std::string before = parts[2].ends_with("_pre_rope") ? " before RoPE" : "";
  if (parts.size() == 4) return (query ? "the queries of layer " : "the keys of layer ") + layer + before;
  const std::string head = plainNumber(parts[4]);
  return (query ? "query head L" + layer + "H" + head : "key head " + head + " of layer " + layer) + before;
}

}  // namespace

Hdf5Dataset::Comparison::Comparison(const Hdf5Dataset& dataset, Wanted wanted) : m_dataset(dataset) {
  if (dataset.m_source->isIntact(dataset.m_name)) return;
  if (dataset.has(schema::kCrc32)) m_crc32 = dataset.integer(schema::kCrc32);
  const bool slow = wanted == Wanted::All || !m_crc32;  // older files have the SHA-256 alone
  if (slow && dataset.has(schema::kSha256)) m_sha256 = dataset.text(schema::kSha256);
  if (needed()) m_found.emplace(m_sha256.has_value());
}

void Hdf5Dataset::Comparison::finish() {
  if (!needed()) return;
  if ((m_crc32 && m_found->crc32() != *m_crc32) || (m_sha256 && m_found->sha256() != *m_sha256))
    m_dataset.failDamaged("its values do not have their checksum: the file is damaged");
  m_dataset.m_source->foundIntact(m_dataset.m_name);
}

void Hdf5Dataset::failDamaged(const std::string& found) const {
  const std::string owner = ownerOf(m_name);
  throw InputError({m_source->path, owner.empty() ? m_name : m_name + " (" + owner + ")", "", found});
}

// Groups below those that a layer or a table is have no texts.
void Hdf5Group::collectTexts(int depth, std::map<std::string, std::string>& texts) const {
  for (const std::string& attribute : textAttributes()) {
    if (attribute != schema::kCreated) texts[m_name + "@" + attribute] = text(attribute);
  }
  if (depth == 2) return;
  for (const std::string& child : names()) {
    if (isGroup(child)) group(child).collectTexts(depth + 1, texts);
  }
}

void Hdf5Group::requireIntactTexts() const {
  if (!has(schema::kTextsCrc32)) return;
  std::map<std::string, std::string> texts;
  collectTexts(0, texts);
  if (crc32OfTexts(texts) != integer(schema::kTextsCrc32))
    throw InputError({m_source->path, "", "",
                      "the texts among its attributes do not have their checksum: the file is damaged"});
}

bool Hdf5Dataset::hasChecksum() const {
  return has(schema::kCrc32) || has(schema::kSha256);
}

// Block by block, whole chunks at once so that none is unpacked twice.
void Hdf5Dataset::compare(Comparison& comparison) const {
  if (m_element == Hdf5Element::VariableText) {
    for (const std::string& text : variableTexts())
      comparison.add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  } else {
    const auto blockRows = std::max<std::int64_t>(1, kChecksumBlockBytes / static_cast<std::int64_t>(rowBytes()));
    const std::int64_t rowsAtOnce = (blockRows + m_chunkRows - 1) / m_chunkRows * m_chunkRows;
    std::vector<std::byte> block(static_cast<std::size_t>(std::min(rowsAtOnce, m_rows)) * rowBytes());
    for (std::int64_t first = 0; first < m_rows; first += rowsAtOnce) {
      const std::int64_t count = std::min(rowsAtOnce, m_rows - first);
      readInto(block.data(), first, count);
      comparison.add(std::span(block).first(static_cast<std::size_t>(count) * rowBytes()));
    }
  }
  comparison.finish();
}

void Hdf5Dataset::requireIntact() const {
  Comparison comparison(*this, Comparison::Wanted::All);
  compare(comparison);
}

}  // namespace plastiscope
