#pragma once
// Inside core/store only: what a dataset states about its bytes beside what they are.
#include <optional>

#include "core/store/data_checksums.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {

class Hdf5Dataset::Comparison {
 public:
  // The quickest of its checksums, or each.
  enum class Wanted { One, All };
  // Nothing is compared when it was done before, or no checksum is stated.
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

}  // namespace plastiscope
