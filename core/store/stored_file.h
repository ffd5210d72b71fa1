#pragma once
// Opens captures and analyses. A file is opened once; its type, identity and seal are read once and kept.
//
// A file with this program's seal is read directly. A file that another program wrote or rewrote, that is
// damaged, or that is too large to check its seal at once is opened by another process first
// (sandboxed_reader.h): InputError if that crashes, hangs or needs too much memory.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/json_value.h"
#include "core/store/file_signature.h"

namespace plastiscope {

class CaptureFile;
struct AnalysisFile;

enum class FileType { Capture, Analysis, Other };

// Treatment of damaged tables of an analysis. Refuse: the file cannot be read. LeaveOut: the other tables can
// be shown. Damage in a large table is found at its first use.
enum class DamagedTables { Refuse, LeaveOut };

// Identifies a capture or an analysis independently of the path of its file.
struct StudyId {
  std::string model;     // fingerprint of the model; may be empty
  std::string capture;   // settings hash of the capture, texts included; "" = not known
  std::string analysis;  // settings hash of an analysis; "" = a capture
  bool operator==(const StudyId&) const = default;

  // An empty id if the capture's hash is a placeholder of another writer, such as zeros.
  StudyId knownOrEmpty() const;
  bool known() const { return !capture.empty(); }
  StudyId ofCapture() const { return {model, capture, {}}; }
  std::string digest() const;         // 16 hex digits, for file names
  std::string captureDigest() const;  // digest of the capture, equal for its analyses; "" if not known

  Json toJson() const;
  static StudyId fromJson(const Json& value);  // not known if the value is not valid
};

// Why `found` is not `wanted`, as a phrase after a file name: "is of another model"; "" if they agree or
// `wanted` is not known.
std::string differenceOf(const StudyId& wanted, const StudyId& found);

// Thread-safe.
class StoredFile {
 public:
  // InputError: missing, no regular file, HDF5 that cannot be read.
  explicit StoredFile(std::filesystem::path file);
  ~StoredFile();

  const std::filesystem::path& path() const;
  // From the root attribute `format`; Other: not HDF5, or of another program.
  FileType kind() const;
  // Checks the seal, whatever the size of the file.
  FileSeal seal() const;

  // InputError: another kind, damaged, newer format version, unsupported HDF5 features (external links,
  // filters, ...).
  std::shared_ptr<const CaptureFile> capture() const;
  std::shared_ptr<const AnalysisFile> analysis(DamagedTables damaged = DamagedTables::Refuse) const;
  // Reads only attributes. InputError if the file is of another kind.
  StudyId id() const;
  // "a capture", "an analysis", "a text file", ...
  std::string content() const;
  // Throws InputError that names the content and the expected one.
  [[noreturn]] void refuse(const std::string& expected = "a capture or an analysis of this program") const;

 private:
  struct Content;
  std::unique_ptr<Content> m_content;
};

// For a single query of a file. Folders are Other.
FileType fileTypeOf(const std::filesystem::path& file);
StudyId studyIdOf(const std::filesystem::path& file);

}  // namespace plastiscope
