#pragma once
// The one door to captures and analyses: a file is opened once, and what it is, what it says of itself and
// whether it is whole are read once, however often they are asked for.
//
// A file with the seal of this program is read as it is. One that another program wrote or wrote again, that
// is damaged, or that is too large for its seal to be compared at once is opened by another process first
// (sandboxed_reader.h): InputError when that crashes, hangs or needs too much memory.
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

// What to do about damaged tables of an analysis. Refuse: one makes the file unreadable. LeaveOut: what does
// not need it can still be shown. Damage inside a large table is found when it is asked for.
enum class DamagedTables { Refuse, LeaveOut };

// What tells a capture or an analysis from others wherever its file lies and whatever it is called.
struct StudyId {
  std::string model;     // fingerprint of the model; may be empty
  std::string capture;   // settings hash of the capture, which its texts decide too; "" = not known
  std::string analysis;  // settings hash of an analysis; "" = a capture
  bool operator==(const StudyId&) const = default;

  // Nothing, where the hash of the capture is one that other writers put in its place, such as zeros.
  StudyId ifTelling() const;
  bool known() const { return !capture.empty(); }
  StudyId ofCapture() const { return {model, capture, {}}; }
  std::string digest() const;  // 16 hex digits, for file names
  std::string print() const;   // of the capture, the same for its analyses; "" when it is not known

  Json toJson() const;
  static StudyId fromJson(const Json& value);  // not known where it is none
};

// Why `found` cannot be taken for `wanted`, to follow the name of its file: "is of another model"; "" when
// they agree, or nothing is known of what is wanted.
std::string differenceOf(const StudyId& wanted, const StudyId& found);

// Thread-safe.
class StoredFile {
 public:
  // InputError: missing, no regular file, HDF5 that cannot be read.
  explicit StoredFile(std::filesystem::path file);
  ~StoredFile();

  const std::filesystem::path& path() const;
  // By the root attribute `format`; Other: not HDF5, or of another program.
  FileType kind() const;
  // Of a file of any size.
  FileSeal seal() const;

  // InputError: another kind, damaged, newer format version, foreign HDF5 features (external links, filters,
  // ...).
  std::shared_ptr<const CaptureFile> capture() const;
  std::shared_ptr<const AnalysisFile> analysis(DamagedTables damaged = DamagedTables::Refuse) const;
  // From a few attributes. InputError when it is of another kind.
  StudyId id() const;
  // "a capture", "an analysis", "a text file", ...
  std::string content() const;
  // InputError with what it is.
  [[noreturn]] void refuse(const std::string& expected = "a capture or an analysis of this program") const;

 private:
  struct Content;
  std::unique_ptr<Content> m_content;
};

// Of a single question. Folders are Other.
FileType fileTypeOf(const std::filesystem::path& file);
StudyId studyIdOf(const std::filesystem::path& file);

}  // namespace plastiscope
