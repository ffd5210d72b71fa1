// Reads the values of a dataset and compares them with its checksums.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/store/data_checksums.h"
#include "core/store/hdf5_reader.h"
#include "core/store/schema.h"

namespace plastiscope {

static_assert(std::endian::native == std::endian::little, "stored bytes are little endian");

// Compares the bytes of a dataset with its checksums.
class Hdf5Dataset::Comparison {
 public:
  // The fastest checksum, or all of them.
  enum class Wanted { One, All };
  // Compares nothing if that was done before or the dataset has no checksum.
  Comparison(const Hdf5Dataset& dataset, Wanted wanted);
  bool needed() const { return m_crc32 || m_sha256; }
  void add(std::span<const std::byte> bytes) {
    if (m_found) m_found->add(bytes);
  }
  void finish();  // InputError when they differ

 private:
  const Hdf5Dataset& m_dataset;
  std::optional<std::int64_t> m_crc32;
  std::optional<std::string> m_sha256;
  std::optional<DataChecksums> m_found;
};

Hdf5Dataset::Hdf5Dataset(std::shared_ptr<const Hdf5Source> source, Hdf5Handle id, std::string name)
    : Hdf5Object(std::move(source), std::move(id), std::move(name)) {
  checkType();
  checkLayout();
  checkShape();
  checkStored();
}

void Hdf5Dataset::checkType() {
  m_type = hdf5Own(H5Dget_type(m_id.get()), H5Tclose, m_source->path, m_name);
  if (H5Tget_class(m_type.get()) == H5T_STRING) {
    const bool variable = H5Tis_variable_str(m_type.get()) > 0;
    m_element = variable ? Hdf5Element::VariableText : Hdf5Element::FixedText;
    return;
  }
  const Hdf5Handle half = hdf5HalfType();
  const std::array<std::pair<hid_t, Hdf5Element>, 6> known = {{{H5T_STD_U8LE, Hdf5Element::UInt8},
                                                               {H5T_STD_I32LE, Hdf5Element::Int32},
                                                               {H5T_STD_I64LE, Hdf5Element::Int64},
                                                               {half.get(), Hdf5Element::Float16},
                                                               {H5T_IEEE_F32LE, Hdf5Element::Float32},
                                                               {H5T_IEEE_F64LE, Hdf5Element::Float64}}};
  for (const auto& [type, element] : known) {
    if (H5Tequal(m_type.get(), type) > 0) {
      m_element = element;
      return;
    }
  }
  fail("uint8, int32, int64, float16, float32, float64 or text", "values of another type");
}

// Bytes of an element on disk; a text of variable length is a reference of 16 bytes.
std::size_t Hdf5Dataset::elementBytes() const {
  return m_element == Hdf5Element::VariableText ? 16 : H5Tget_size(m_type.get());
}

std::size_t Hdf5Dataset::rowBytes() const {
  return elementBytes() * m_width;
}

void Hdf5Dataset::requireRows(std::int64_t first, std::int64_t count) const {
  if (m_element == Hdf5Element::VariableText) fail("values of fixed length", "texts of variable length");
  if (first < 0 || count < 0 || first > m_rows || count > m_rows - first)
    fail("rows of the dataset", "rows beyond its end");
}

// `out` has room for count * rowBytes() bytes.
void Hdf5Dataset::readInto(void* out, std::int64_t first, std::int64_t count) const {
  if (count == 0) return;
  const Hdf5Lock lock = hdf5Lock();
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(first), 0};
  const std::array<hsize_t, 2> size{static_cast<hsize_t>(count), static_cast<hsize_t>(m_width)};
  const Hdf5Handle place = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
  const Hdf5Handle block =
      hdf5Own(H5Screate_simple(m_rank, size.data(), nullptr), H5Sclose, m_source->path, m_name);
  require(H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  if (H5Dread(m_id.get(), m_type.get(), block.get(), place.get(), H5P_DEFAULT, out) >= 0) return;
  throwIfHdf5LackedMemory(m_source->path, m_name);
  failDamaged("its values cannot be read (" + hdf5Reason() + "): the file is damaged");
}

// Compares outside of the lock.
void Hdf5Dataset::readAll(void* out) const {
  readInto(out, 0, m_rows);
  Comparison comparison(*this, Comparison::Wanted::One);
  comparison.add({static_cast<const std::byte*>(out), declaredBytes()});
  comparison.finish();
}

std::vector<std::byte> Hdf5Dataset::bytes(std::int64_t first, std::int64_t count) const {
  requireRows(first, count);
  std::vector<std::byte> out(static_cast<std::size_t>(count) * rowBytes());
  if (count == m_rows) {
    readAll(out.data());
  } else {
    if (Comparison all(*this, Comparison::Wanted::One); all.needed()) compare(all);
    readInto(out.data(), first, count);
  }
  return out;
}

template <typename Value>
std::vector<Value> Hdf5Dataset::all(Hdf5Element element, const char* what) const {
  if (m_element != element) fail(what, "values of another type");
  std::vector<Value> values(m_rows * m_width);
  readAll(values.data());
  return values;
}

std::vector<std::int32_t> Hdf5Dataset::int32s() const {
  return all<std::int32_t>(Hdf5Element::Int32, "int32");
}
std::vector<std::int64_t> Hdf5Dataset::int64s() const {
  return all<std::int64_t>(Hdf5Element::Int64, "int64");
}
std::vector<double> Hdf5Dataset::doubles() const {
  return all<double>(Hdf5Element::Float64, "float64");
}

std::vector<float> Hdf5Dataset::floats() const {
  if (m_element != Hdf5Element::Float16) return all<float>(Hdf5Element::Float32, "float16 or float32");
  const std::size_t count = m_rows * m_width;
  const auto halves = std::make_unique_for_overwrite<std::uint16_t[]>(count);
  readAll(halves.get());
  std::vector<float> values(count);
  halfToFloat({halves.get(), count}, values);
  return values;
}

std::vector<float> Hdf5Dataset::floats(std::int64_t first, std::int64_t count) const {
  if (m_element != Hdf5Element::Float16 && m_element != Hdf5Element::Float32)
    fail("float16 or float32", "values of another type");
  const std::vector<std::byte> stored = bytes(first, count);
  std::vector<float> values(count * m_width);
  if (m_element == Hdf5Element::Float16)
    halfToFloat({reinterpret_cast<const std::uint16_t*>(stored.data()), values.size()}, values);
  else if (!stored.empty())
    std::memcpy(values.data(), stored.data(), stored.size());
  return values;
}

std::vector<std::string> Hdf5Dataset::fixedTexts() const {
  const std::vector<std::byte> raw = bytes(0, m_rows);
  return hdf5FixedTexts(m_type.get(), {reinterpret_cast<const char*>(raw.data()), raw.size()}, rowBytes());
}

namespace {

// Allocates memory for the texts that HDF5 reads, up to a limit.
struct TextMemory {
  std::uint64_t left = 0;
  std::vector<std::unique_ptr<char[]>> texts;
};

void* takeTextMemory(std::size_t bytes, void* memory) {
  auto& [left, texts] = *static_cast<TextMemory*>(memory);
  if (bytes > left) return nullptr;
  left -= bytes;
  return texts.emplace_back(std::make_unique_for_overwrite<char[]>(bytes)).get();
}

void keepTextMemory(void*, void*) {}

}  // namespace

std::vector<std::string> Hdf5Dataset::variableTexts() const {
  const Hdf5Lock lock = hdf5Lock();
  // A crafted file may refer to one stored text many times; the file size bounds valid texts.
  TextMemory memory{m_source->bytes, {}};
  const Hdf5Handle list = hdf5Own(H5Pcreate(H5P_DATASET_XFER), H5Pclose, m_source->path, m_name);
  require(H5Pset_vlen_mem_manager(list.get(), takeTextMemory, &memory, keepTextMemory, &memory));
  std::vector<char*> pointers(m_rows, nullptr);
  if (m_rows > 0 && H5Dread(m_id.get(), m_type.get(), H5S_ALL, H5S_ALL, list.get(), pointers.data()) < 0) {
    const Hdf5Handle space = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
    hsize_t needed = 0;
    require(H5Dvlen_get_buf_size(m_id.get(), m_type.get(), space.get(), &needed));
    if (needed > m_source->bytes)
      fail("at most the file's " + byteText(m_source->bytes), byteText(needed) + " of text");
    require(-1);
  }
  std::vector<std::string> values;
  values.reserve(pointers.size());
  for (const char* text : pointers) values.emplace_back(text == nullptr ? "" : text);
  return values;
}

std::vector<std::string> Hdf5Dataset::texts() const {
  if (m_element == Hdf5Element::FixedText) return fixedTexts();
  if (m_element != Hdf5Element::VariableText) fail("texts", "numbers");
  std::vector<std::string> values = variableTexts();
  Comparison comparison(*this, Comparison::Wanted::One);
  for (const std::string& text : values)
    comparison.add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  comparison.finish();
  return values;
}

// ---- checksums

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

// Owner of a capture's dataset for messages: "query head L2H1", "key head 0 of layer 2", "the queries of
// layer 2"; "" for other datasets.
std::string ownerOf(const std::string& dataset) {
  const std::vector<std::string> parts = partsOf(dataset);
  if (parts.size() < 4 || parts[0] != schema::kLayers) return "";
  const bool query = parts[2].find(schema::kRowSets[0]) != std::string::npos;
  const std::string layer = plainNumber(parts[1]);
  const std::string before = parts[2].ends_with("_pre_rope")  ? " before RoPE"
                             : parts[2].starts_with("dense_") ? " at every position"
                                                              : "";
  if (parts.size() == 4) return (query ? "the queries of layer " : "the keys of layer ") + layer + before;
  const std::string head = plainNumber(parts[4]);
  return (query ? "query head L" + layer + "H" + head : "key head " + head + " of layer " + layer) + before;
}

}  // namespace

Hdf5Dataset::Comparison::Comparison(const Hdf5Dataset& dataset, Wanted wanted) : m_dataset(dataset) {
  if (dataset.m_source->isIntact(dataset.m_name)) return;
  if (dataset.has(schema::kCrc32)) m_crc32 = dataset.integer(schema::kCrc32);
  const bool slow = wanted == Wanted::All || !m_crc32;  // older files have only the SHA-256
  if (slow && dataset.has(schema::kSha256)) m_sha256 = dataset.text(schema::kSha256);
  if (needed()) m_found.emplace(m_sha256.has_value());
}

void Hdf5Dataset::Comparison::finish() {
  if (!needed()) return;
  if ((m_crc32 && m_found->crc32() != *m_crc32) || (m_sha256 && m_found->sha256() != *m_sha256))
    m_dataset.failDamaged("the checksum of its values does not match: the file is damaged");
  m_dataset.m_source->foundIntact(m_dataset.m_name);
}

void Hdf5Dataset::failDamaged(const std::string& found) const {
  const std::string owner = ownerOf(m_name);
  throw InputError({m_source->path, owner.empty() ? m_name : m_name + " (" + owner + ")", "", found});
}

// Groups deeper than those of layers and tables have no text attributes.
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
    throw InputError(
        {m_source->path, "", "", "the checksum of its text attributes does not match: the file is damaged"});
}

bool Hdf5Dataset::hasChecksum() const {
  return has(schema::kCrc32) || has(schema::kSha256);
}

// Reads block by block, in whole chunks so that none is decompressed twice.
void Hdf5Dataset::compare(Comparison& comparison) const {
  if (m_element == Hdf5Element::VariableText) {
    for (const std::string& text : variableTexts())
      comparison.add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
  } else {
    const auto blockRows = std::max<std::int64_t>(1, kChecksumBlockBytes / rowBytes());
    const std::int64_t rowsAtOnce = (blockRows + m_chunkRows - 1) / m_chunkRows * m_chunkRows;
    std::vector<std::byte> block(static_cast<std::size_t>(std::min(rowsAtOnce, m_rows)) * rowBytes());
    for (std::int64_t first = 0; first < m_rows; first += rowsAtOnce) {
      const std::int64_t count = std::min(rowsAtOnce, m_rows - first);
      readInto(block.data(), first, count);
      comparison.add(std::span(block).first(count * rowBytes()));
    }
  }
  comparison.finish();
}

void Hdf5Dataset::requireIntact() const {
  Comparison comparison(*this, Comparison::Wanted::All);
  compare(comparison);
}

}  // namespace plastiscope
