#include "core/store/hdf5_writer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/error.h"
#include "core/store/schema.h"

namespace plastiscope {

static_assert(std::endian::native == std::endian::little, "stored bytes are little endian");

namespace {

// Keeps attributes in the object header (no dense storage) and stores no times, so that the same content
// gives the same bytes.
Hdf5Handle creationList(hid_t listClass) {
  Hdf5Handle list(H5Pcreate(listClass), H5Pclose);
  H5Pset_attr_phase_change(list.get(), 64, 60);
  H5Pset_obj_track_times(list.get(), false);
  return list;
}

void writeAttribute(const Hdf5Output& output, hid_t object, const std::string& name, hid_t type,
                    const void* value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  output.require(attribute.get(), name);
  output.require(H5Awrite(attribute.get(), type, value), name);
}

void requireNoZeroByte(const std::string& text, const std::string& place) {
  if (text.find('\0') != std::string::npos) {
    throw InputError(
        {{}, place, "text without zero bytes", "a text with a zero byte, which HDF5 cannot hold"});
  }
}

void writeText(const Hdf5Output& output, hid_t object, const std::string& name, const std::string& value) {
  requireNoZeroByte(value, name);
  const Hdf5Handle type = hdf5TextType();
  const char* const pointer = value.c_str();
  writeAttribute(output, object, name, type.get(), &pointer);
}

void writeChecksums(const Hdf5Output& output, hid_t dataset, DataChecksums& checksums) {
  const std::int64_t crc32 = checksums.crc32();
  writeText(output, dataset, schema::kSha256, checksums.sha256());
  writeAttribute(output, dataset, schema::kCrc32, H5T_STD_I64LE, &crc32);
}

}  // namespace

// ---- the file

Hdf5Output::Hdf5Output(const std::filesystem::path& temporary, std::filesystem::path finalName)
    : m_finalName(std::move(finalName)) {
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle access = hdf5WriteAccess(&m_failure);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18,
                       H5F_LIBVER_V18);  // readable since HDF5 1.8, checksummed headers
  const Hdf5Handle creation = creationList(H5P_FILE_CREATE);
  m_file = {H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
  require(m_file.get(), "");
  Hdf5Handle root(H5Gopen2(m_file.get(), "/", H5P_DEFAULT), H5Gclose);
  require(root.get(), "/");
  m_root.reset(new Hdf5OutGroup(this, std::move(root), "/"));
}

void Hdf5Output::require(long long status, const std::string& place) const {
  throwDiskFailure(m_failure, m_finalName);
  if (status >= 0) return;
  throwIfHdf5LackedMemory(m_finalName, place);
  throw Error(ErrorKind::Internal,
              m_finalName.string() + ": " + place + ": HDF5 could not write: " + hdf5Reason());
}

void Hdf5Output::finish() {
  const Hdf5Lock lock = hdf5Lock();
  m_root->integer(schema::kTextsCrc32, crc32OfTexts(m_texts));
  m_root.reset();
  require(H5Fflush(m_file.get(), H5F_SCOPE_GLOBAL), "flush");
  m_file.close();
  require(0, "close");
}

// ---- groups and attributes

Hdf5OutGroup Hdf5OutGroup::group(const std::string& name) const {
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle creation = creationList(H5P_GROUP_CREATE);
  Hdf5Handle id(H5Gcreate2(m_id.get(), name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
  m_output->require(id.get(), name);
  return {m_output, std::move(id), hdf5ChildPath(m_path, name)};
}

void Hdf5OutGroup::text(const std::string& name, const std::string& value) const {
  const Hdf5Lock lock = hdf5Lock();
  writeText(*m_output, m_id.get(), name, value);
  if (name != schema::kCreated) m_output->m_texts[m_path + "@" + name] = value;
}

void Hdf5OutGroup::integer(const std::string& name, std::int64_t value) const {
  const Hdf5Lock lock = hdf5Lock();
  writeAttribute(*m_output, m_id.get(), name, H5T_STD_I64LE, &value);
}

void Hdf5OutGroup::number(const std::string& name, double value) const {
  const Hdf5Lock lock = hdf5Lock();
  writeAttribute(*m_output, m_id.get(), name, H5T_IEEE_F64LE, &value);
}

void Hdf5OutGroup::flag(const std::string& name, bool value) const {
  const Hdf5Lock lock = hdf5Lock();
  const std::uint8_t byte = value ? 1 : 0;
  writeAttribute(*m_output, m_id.get(), name, H5T_STD_U8LE, &byte);
}

// ---- datasets

Hdf5Handle Hdf5OutGroup::create(const std::string& name, hid_t type, std::span<const hsize_t> dims) const {
  const Hdf5Handle space(H5Screate_simple(dims.size(), dims.data(), nullptr), H5Sclose);
  const Hdf5Handle creation = creationList(H5P_DATASET_CREATE);
  if (H5Tget_class(type) != H5T_STRING) H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  Hdf5Handle id(
      H5Dcreate2(m_id.get(), name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  m_output->require(id.get(), name);
  return id;
}

void Hdf5OutGroup::write(const std::string& name, hid_t type, std::span<const std::byte> values,
                         std::span<const hsize_t> dims) const {
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle id = create(name, type, dims);
  if (!values.empty()) {
    m_output->require(H5Dwrite(id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  }
  DataChecksums checksums;
  checksums.add(values);
  writeChecksums(*m_output, id.get(), checksums);
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const std::byte> values) const {
  column(name, H5T_STD_U8LE, values, values.size());
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const std::int32_t> values) const {
  column(name, H5T_STD_I32LE, std::as_bytes(values), values.size());
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const std::int64_t> values) const {
  column(name, H5T_STD_I64LE, std::as_bytes(values), values.size());
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const float> values) const {
  column(name, H5T_IEEE_F32LE, std::as_bytes(values), values.size());
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const double> values) const {
  column(name, H5T_IEEE_F64LE, std::as_bytes(values), values.size());
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const std::int32_t> values,
                           std::size_t width) const {
  write(name, H5T_STD_I32LE, std::as_bytes(values), std::array<hsize_t, 2>{values.size() / width, width});
}

void Hdf5OutGroup::dataset(const std::string& name, std::span<const double> values, std::size_t width) const {
  write(name, H5T_IEEE_F64LE, std::as_bytes(values), std::array<hsize_t, 2>{values.size() / width, width});
}

void Hdf5OutGroup::dataset(const std::string& name, const std::vector<std::string>& values) const {
  const Hdf5Lock lock = hdf5Lock();
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  DataChecksums checksums;
  for (const std::string& value : values) {
    requireNoZeroByte(value, name);
    pointers.push_back(value.c_str());
    checksums.add(std::as_bytes(std::span(value.c_str(), value.size() + 1)));
  }
  const Hdf5Handle type = hdf5TextType();
  const std::array<hsize_t, 1> dims{values.size()};
  const Hdf5Handle id = create(name, type.get(), dims);
  if (!values.empty()) {
    m_output->require(H5Dwrite(id.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), name);
  }
  writeChecksums(*m_output, id.get(), checksums);
}

void Hdf5OutGroup::fixedTexts(const std::string& name, const std::vector<std::string>& values) const {
  std::size_t width = 1;
  for (const std::string& value : values) {
    requireNoZeroByte(value, name);
    width = std::max(width, value.size());
  }
  std::vector<std::byte> cells(width * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::transform(values[i].begin(), values[i].end(), cells.begin() + i * width,
                   [](char c) { return static_cast<std::byte>(c); });
  }
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle type = hdf5FixedTextType(width);
  column(name, type.get(), cells, values.size());
}

Hdf5RowWriter Hdf5OutGroup::vectors(const std::string& name, std::int64_t rows, std::int64_t width, bool half,
                                    bool overflowed) const {
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle halfType = hdf5HalfType();
  Hdf5RowWriter writer;
  writer.m_output = m_output;
  writer.m_rows = rows;
  writer.m_width = width;
  writer.m_elementBytes = half ? 2 : 4;
  const std::array<hsize_t, 2> dims{writer.m_rows, writer.m_width};
  writer.m_dataset = create(name, half ? halfType.get() : H5T_IEEE_F32LE, dims);
  if (overflowed) {
    const std::uint8_t yes = 1;
    writeAttribute(*m_output, writer.m_dataset.get(), schema::kHalfOverflow, H5T_STD_U8LE, &yes);
  }
  return writer;
}

void Hdf5RowWriter::append(std::span<const std::byte> rows) {
  const Hdf5Lock lock = hdf5Lock();
  const hsize_t count = rows.size() / (m_elementBytes * m_width);
  if (count == 0) return;
  const std::array<hsize_t, 2> start{m_done, 0}, size{count, m_width};
  const Hdf5Handle place(H5Dget_space(m_dataset.get()), H5Sclose);
  const Hdf5Handle block(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  const Hdf5Handle type(H5Dget_type(m_dataset.get()), H5Tclose);
  m_output->require(
      H5Sselect_hyperslab(place.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
      "vectors");
  m_output->require(H5Dwrite(m_dataset.get(), type.get(), block.get(), place.get(), H5P_DEFAULT, rows.data()),
                    "vectors");
  m_checksums.add(rows);
  m_done += count;
}

void Hdf5RowWriter::finish() {
  const Hdf5Lock lock = hdf5Lock();
  if (m_done != m_rows) throw Error(ErrorKind::Internal, "a vectors dataset was not filled completely");
  writeChecksums(*m_output, m_dataset.get(), m_checksums);
}

}  // namespace plastiscope
