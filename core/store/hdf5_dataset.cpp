#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {

static_assert(std::endian::native == std::endian::little, "stored bytes are little endian");

Hdf5Dataset::Hdf5Dataset(std::shared_ptr<const Hdf5Source> source, Hdf5Handle id, std::string name)
    : Hdf5Object(std::move(source), std::move(id), std::move(name)) {
  checkType();
  checkShape();
  checkStorage();
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

void Hdf5Dataset::checkShape() {
  const Hdf5Handle space = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
  m_rank = H5Sget_simple_extent_ndims(space.get());
  if (m_rank != 1 && m_rank != 2) fail("one or two dimensions", std::to_string(m_rank));
  std::array<hsize_t, 2> dims{0, 1};
  require(H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr));
  const std::uint64_t element = elementBytes();
  std::uint64_t count = 0, bytes = 0;
  if (__builtin_mul_overflow(dims[0], dims[1], &count) || __builtin_mul_overflow(count, element, &bytes) ||
      bytes > m_source->bytes || dims[1] == 0 || dims[1] > m_source->bytes) {
    fail("at most the file's " + byteText(m_source->bytes),
         "a shape of " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]));
  }
  m_rows = static_cast<std::int64_t>(dims[0]);
  m_width = static_cast<std::int64_t>(dims[1]);
}

void Hdf5Dataset::checkStorage() const {
  const Hdf5Handle list = hdf5Own(H5Dget_create_plist(m_id.get()), H5Pclose, m_source->path, m_name);
  if (H5Pget_nfilters(list.get()) != 0) fail("data without filters", "compressed or filtered data");
  if (H5Pget_external_count(list.get()) != 0) fail("data inside the file", "data in other files");
  const H5D_layout_t layout = H5Pget_layout(list.get());
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) {
    fail("data inside the file", "a virtual dataset");
  }
  const std::uint64_t element = elementBytes();
  const std::uint64_t declared =
      static_cast<std::uint64_t>(m_rows) * static_cast<std::uint64_t>(m_width) * element;
  const std::uint64_t stored = H5Dget_storage_size(m_id.get());
  if (stored < declared) fail(byteText(declared), byteText(stored) + " stored");
  if (layout == H5D_CONTIGUOUS && declared > 0) {
    const haddr_t offset = H5Dget_offset(m_id.get());
    if (offset == HADDR_UNDEF || offset > m_source->bytes || declared > m_source->bytes - offset) {
      fail("data inside the file", "data that reach beyond its end: the file is cut short");
    }
  }
}

// On disk; a text of variable length is a reference of 16 bytes.
std::size_t Hdf5Dataset::elementBytes() const {
  return m_element == Hdf5Element::VariableText ? 16 : H5Tget_size(m_type.get());
}

std::size_t Hdf5Dataset::rowBytes() const {
  return elementBytes() * static_cast<std::size_t>(m_width);
}

void Hdf5Dataset::requireRows(std::int64_t first, std::int64_t count) const {
  if (m_element == Hdf5Element::VariableText) fail("values of fixed length", "texts of variable length");
  if (first < 0 || count < 0 || first > m_rows || count > m_rows - first)
    fail("rows of the dataset", "others");
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
  require(H5Dread(m_id.get(), m_type.get(), block.get(), place.get(), H5P_DEFAULT, out));
}

std::vector<std::byte> Hdf5Dataset::bytes(std::int64_t first, std::int64_t count) const {
  requireRows(first, count);
  std::vector<std::byte> out(static_cast<std::size_t>(count) * rowBytes());
  readInto(out.data(), first, count);
  return out;
}

template <typename Value>
std::vector<Value> Hdf5Dataset::all(Hdf5Element element, const char* what) const {
  if (m_element != element) fail(what, "values of another type");
  std::vector<Value> values(static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_width));
  readInto(values.data(), 0, m_rows);
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
  const auto count = static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_width);
  const auto halves = std::make_unique_for_overwrite<std::uint16_t[]>(count);
  readInto(halves.get(), 0, m_rows);
  std::vector<float> values(count);
  halfToFloat({halves.get(), count}, values);
  return values;
}

std::vector<std::string> Hdf5Dataset::fixedTexts() const {
  const std::vector<std::byte> raw = bytes(0, m_rows);
  const std::string_view all(reinterpret_cast<const char*>(raw.data()), raw.size());
  std::vector<std::string> values;
  values.reserve(static_cast<std::size_t>(m_rows));
  for (std::size_t start = 0; start < all.size(); start += rowBytes()) {
    const std::string_view cell = all.substr(start, rowBytes());
    values.emplace_back(cell.substr(0, cell.find('\0')));
  }
  return values;
}

std::vector<std::string> Hdf5Dataset::texts() const {
  if (m_element == Hdf5Element::FixedText) return fixedTexts();
  if (m_element != Hdf5Element::VariableText) fail("texts", "numbers");
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle space = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
  hsize_t needed = 0;
  require(H5Dvlen_get_buf_size(m_id.get(), m_type.get(), space.get(), &needed));
  // Many elements may name one stored text; an honest file stores each.
  if (needed > m_source->bytes)
    fail("at most the file's " + byteText(m_source->bytes), byteText(needed) + " of text");
  std::vector<char*> pointers(static_cast<std::size_t>(m_rows), nullptr);
  if (m_rows > 0) {
    require(H5Dread(m_id.get(), m_type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
  }
  std::vector<std::string> values;
  values.reserve(pointers.size());
  for (char* text : pointers) {
    values.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  return values;
}

}  // namespace plastiscope
