#pragma once
// Inside core/store only: captures and analyses in an open HDF5 file. The checksums known for its datasets
// apply to them too.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/hdf5_reader.h"
#include "core/store/hdf5_writer.h"
#include "core/store/schema.h"
#include "core/store/stored_file.h"

namespace plastiscope {

// Throws InputError if the root's `format` is another one, or its version is newer than this program's.
void requireFormat(const Hdf5Group& root, const std::string& format);
FileType fileTypeOf(const Hdf5Group& root);

// Reads the root attributes of captures and analyses. `facts`: CaptureInfo or AnalysisProvenance.
template <typename Facts>
void writeRoot(const Hdf5OutGroup& root, const char* format, const Facts& facts) {
  root.text(schema::kFormat, format);
  root.integer(schema::kFormatVersionName, schema::kFormatVersion);
  root.text(schema::kProgramVersion, facts.programVersion);
  root.text(schema::kCreated, facts.created);
  root.text(schema::kSettings, canonicalJson(facts.settings));
  root.text(schema::kSettingsHash, facts.settingsHash);
}
template <typename Facts>
void readRoot(const Hdf5Group& root, Facts& facts) {
  facts.programVersion = root.text(schema::kProgramVersion);
  facts.created = root.text(schema::kCreated);
  facts.settings = parseJson(root.text(schema::kSettings), root.file());
  facts.settingsHash = root.text(schema::kSettingsHash);
}

// The group of a capture with the rows of a layer.
Hdf5Group rowGroupOf(const Hdf5Group& root, std::int64_t layer, RowSet set);
std::shared_ptr<const CaptureFile> captureIn(Hdf5Group root);  // InputError
// Large tables are read at their first use. InputError.
AnalysisFile analysisIn(const Hdf5Group& root, DamagedTables damaged);

// Reads the headers of all objects and all filtered data, as reading a capture or an analysis will; HDF5's
// filters do not check their input. InputError.
void touchCapture(Hdf5Group root);
void touchStored(const Hdf5Group& root);

// The tokens of a capture's texts (/texts; capture_writer.h, StoredTexts).
class CaptureTexts {
 public:
  // Checks the number of tokens against the examples and reads the vocabulary. InputError.
  CaptureTexts(Hdf5Group group, const CaptureInfo& info);

  std::vector<std::int32_t> tokenIds(std::int64_t example) const;
  std::vector<std::int32_t> allTokenIds() const;  // of all examples, concatenated
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
