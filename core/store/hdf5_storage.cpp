// Checks the storage layout, filters and declared size of a dataset.
#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {

namespace {

// Filters of the HDF5 library itself; szip if it was built in. Compression of real data saves at most half;
// index columns of equal numbers can shrink to almost nothing but are small. A dataset or chunk may therefore
// expand to at most kMaxExpansion times its stored size, or to kAlwaysAllowed.
constexpr std::array<std::pair<H5Z_filter_t, const char*>, 6> kFilters = {
    {{H5Z_FILTER_DEFLATE, "gzip"},
     {H5Z_FILTER_SHUFFLE, "shuffle"},
     {H5Z_FILTER_FLETCHER32, "fletcher32"},
     {H5Z_FILTER_SZIP, "szip"},
     {H5Z_FILTER_NBIT, "nbit"},
     {H5Z_FILTER_SCALEOFFSET, "scaleoffset"}}};
constexpr std::uint64_t kMaxExpansion = 16, kAlwaysAllowed = 64'000'000;

std::uint64_t productOf(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

}  // namespace

void Hdf5Dataset::checkFilters(hid_t list) {
  const int filters = H5Pget_nfilters(list);
  require(filters);
  for (unsigned i = 0; i < static_cast<unsigned>(filters); ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(list, i, &flags, &values, nullptr, 0, nullptr, &config);
    const auto known = std::find_if(kFilters.begin(), kFilters.end(),
                                    [filter](const auto& entry) { return entry.first == filter; });
    if (known == kFilters.end())
      fail("data without plugin filters", "data packed by the filter number " + std::to_string(filter));
    if (H5Zfilter_avail(filter) <= 0)
      fail("a filter of this HDF5 library", std::string(known->second) + ", which it was built without");
  }
  m_filtered = filters > 0;
}

void Hdf5Dataset::checkLayout() {
  const Hdf5Handle list = hdf5Own(H5Dget_create_plist(m_id.get()), H5Pclose, m_source->path, m_name);
  if (H5Pget_external_count(list.get()) != 0) fail("data inside the file", "data in other files");
  m_layout = H5Pget_layout(list.get());
  if (m_layout != H5D_CONTIGUOUS && m_layout != H5D_CHUNKED && m_layout != H5D_COMPACT)
    fail("data inside the file", "a virtual dataset");
  checkFilters(list.get());
  if (m_layout != H5D_CHUNKED) return;
  std::array<hsize_t, 2> chunk{1, 1};
  const int rank = H5Pget_chunk(list.get(), 2, chunk.data());
  if (rank != 1 && rank != 2) fail("chunks of one or two dimensions", std::to_string(rank));
  if (chunk[0] == 0 || chunk[1] == 0) fail("chunks that hold values", "empty ones");
  m_chunkRows = chunk[0];
  m_chunkWidth = chunk[1];
}

void Hdf5Dataset::checkShape() {
  const Hdf5Handle space = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
  m_rank = H5Sget_simple_extent_ndims(space.get());
  if (m_rank != 1 && m_rank != 2) fail("one or two dimensions", std::to_string(m_rank));
  std::array<hsize_t, 2> dims{0, 1};
  require(H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr));
  std::uint64_t most = m_source->bytes;
  if (m_filtered) {
    const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(m_id.get()), m_source->bytes);
    most = std::max(kAlwaysAllowed, productOf(stored, kMaxExpansion));
  }
  const std::uint64_t declared = productOf(productOf(dims[0], dims[1]), elementBytes());
  const std::uint64_t chunk = productOf(productOf(m_chunkRows, m_chunkWidth), elementBytes());
  if (declared > most || dims[1] == 0 || dims[1] > most) {
    fail("at most " + byteText(most) + (m_filtered ? " for its stored bytes" : ", the size of the file"),
         "a shape of " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]));
  }
  if (chunk > most) fail("chunks of at most " + byteText(most), byteText(chunk));
  m_rows = dims[0];
  m_width = dims[1];
}

std::uint64_t Hdf5Dataset::declaredBytes() const {
  return m_rows * rowBytes();
}

// Requires every value to be stored: HDF5 reads a missing one as 0.
void Hdf5Dataset::checkStored() const {
  const std::uint64_t declared = declaredBytes(), stored = H5Dget_storage_size(m_id.get());
  if (!m_filtered && stored < declared) fail(byteText(declared), byteText(stored) + " stored");
  if (m_layout == H5D_CONTIGUOUS && declared > 0) {
    const haddr_t offset = H5Dget_offset(m_id.get());
    if (offset == HADDR_UNDEF || offset > m_source->bytes || declared > m_source->bytes - offset) {
      fail("data inside the file", "data that reach beyond its end: the file is cut short");
    }
  }
  if (m_layout != H5D_CHUNKED || declared == 0) return;
  if (stored > m_source->bytes)
    fail("at most the file's " + byteText(m_source->bytes), byteText(stored) + " stored");
  const auto parts = [](std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; };
  const std::int64_t needed = parts(m_rows, m_chunkRows) * parts(m_width, m_chunkWidth);
  const Hdf5Handle space = hdf5Own(H5Dget_space(m_id.get()), H5Sclose, m_source->path, m_name);
  hsize_t found = 0;
  require(H5Dget_num_chunks(m_id.get(), space.get(), &found));
  if (found != static_cast<hsize_t>(needed))
    fail(withCommas(needed) + " chunks", withCommas(found) + " stored");
}

}  // namespace plastiscope
