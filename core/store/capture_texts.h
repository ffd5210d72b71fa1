#pragma once
// Inside core/store only: reading the tokens of a capture's texts (/texts; capture_writer.h, StoredTexts).
#include <cstdint>
#include <string>
#include <vector>

#include "core/store/capture_file.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {

class CaptureTexts {
 public:
  // Checks that there are as many tokens as the examples state, and reads the vocabulary. InputError.
  CaptureTexts(Hdf5Group group, const CaptureInfo& info);

  std::vector<std::int32_t> tokenIds(std::int64_t example) const;
  std::vector<std::int32_t> allTokenIds() const;  // of all examples, one after the other
  const std::vector<std::int32_t>& vocabulary() const { return m_vocabulary; }
  const std::vector<std::string>& pieces() const { return m_pieces; }
  // The bytes of every token of an example. InputError for a token outside the vocabulary.
  std::vector<std::string> of(std::int64_t example) const;

 private:
  Hdf5Group m_group;
  std::vector<std::int64_t> m_begins;  // [examples + 1]
  std::vector<std::int32_t> m_vocabulary;
  std::vector<std::string> m_pieces;  // [vocabulary]
};

}  // namespace plastiscope
