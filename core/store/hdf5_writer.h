#pragma once
// Inside core/store only: writes a new HDF5 file with the types of resources/help/capture-format.md. Every
// dataset is contiguous, without filters, and has the SHA-256 and CRC-32 of its bytes as attributes.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/store/data_checksums.h"
#include "core/store/hdf5_handle.h"

namespace plastiscope {

class Hdf5Output;

// Fills a dataset block by block with whole rows, in order.
class Hdf5RowWriter {
 public:
  void append(std::span<const std::byte> rows);
  void finish();  // writes the checksums after all rows

 private:
  friend class Hdf5OutGroup;
  Hdf5Handle m_dataset;
  Hdf5Output* m_output = nullptr;
  hsize_t m_rows = 0, m_width = 0, m_done = 0;
  std::size_t m_elementBytes = 0;
  DataChecksums m_checksums;
};

// A group of the file (or its root), or a dataset when setting its attributes.
class Hdf5OutGroup {
 public:
  Hdf5OutGroup group(const std::string& name) const;

  void text(const std::string& name, const std::string& value) const;
  void integer(const std::string& name, std::int64_t value) const;
  void number(const std::string& name, double value) const;
  void flag(const std::string& name, bool value) const;

  void dataset(const std::string& name, std::span<const std::byte> values) const;  // uint8
  void dataset(const std::string& name, std::span<const std::int32_t> values) const;
  void dataset(const std::string& name, std::span<const std::int64_t> values) const;
  void dataset(const std::string& name, std::span<const float> values) const;
  void dataset(const std::string& name, std::span<const double> values) const;
  // [rows, width] of the same types
  void dataset(const std::string& name, std::span<const std::int32_t> values, std::size_t width) const;
  void dataset(const std::string& name, std::span<const double> values, std::size_t width) const;
  // Texts of variable length, or padded to the longest: HDF5 takes microseconds for each text of variable
  // length.
  void dataset(const std::string& name, const std::vector<std::string>& values) const;
  void fixedTexts(const std::string& name, const std::vector<std::string>& values) const;
  // Dataset [rows, width] of float16 or float32, filled through the result. `attributes` of the dataset: see
  // overflowed.
  Hdf5RowWriter vectors(const std::string& name, std::int64_t rows, std::int64_t width, bool half,
                        bool overflowed) const;

 private:
  friend class Hdf5Output;
  Hdf5OutGroup(Hdf5Output* output, Hdf5Handle id, std::string path)
      : m_output(output), m_id(std::move(id)), m_path(std::move(path)) {}
  Hdf5Handle create(const std::string& name, hid_t type, std::span<const hsize_t> dims) const;
  void column(const std::string& name, hid_t type, std::span<const std::byte> values,
              std::size_t count) const {
    write(name, type, values, std::array<hsize_t, 1>{count});
  }
  void write(const std::string& name, hid_t type, std::span<const std::byte> values,
             std::span<const hsize_t> dims) const;

  Hdf5Output* m_output;
  Hdf5Handle m_id;
  std::string m_path;
};

// The file. Without finish(), which closes it, it is abandoned (the caller removes it).
class Hdf5Output {
 public:
  // `finalName` is used in messages.
  Hdf5Output(const std::filesystem::path& temporary, std::filesystem::path finalName);
  Hdf5OutGroup& root() { return *m_root; }
  // Throws ResourceError or InputError if a write has failed; Error if HDF5 itself failed.
  void require(long long status, const std::string& place) const;
  void finish();

 private:
  friend class Hdf5OutGroup;
  std::filesystem::path m_finalName;
  std::map<std::string, std::string> m_texts;  // text attributes of the groups, for their checksum
  DiskFailure m_failure;
  Hdf5Handle m_file;
  std::unique_ptr<Hdf5OutGroup> m_root;
};

}  // namespace plastiscope
