#include "core/store/stored_file.h"

#include <mutex>
#include <optional>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/stand_in.h"
#include "core/store/sandboxed_reader.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// Largest file whose seal is checked before it is opened: less than a tenth of a second.
constexpr std::uint64_t kMaxSealedAtOnce = 64'000'000;

std::string attributeOf(const Hdf5Object& object, const char* attribute) {
  return object.has(attribute) ? object.text(attribute) : std::string();
}

}  // namespace

// ---- identity of studies

std::string StudyId::digest() const {
  return sha256Hex(model + "\n" + capture + "\n" + analysis).substr(0, 16);
}

std::string StudyId::captureDigest() const {
  const StudyId told = ofCapture().knownOrEmpty();
  return told.known() ? told.digest() : std::string();
}

Json StudyId::toJson() const {
  Json result = {{"model", model}, {"capture", capture}};
  if (!analysis.empty()) result["analysis"] = analysis;
  return result;
}

StudyId StudyId::fromJson(const Json& value) {
  return StudyId{textOr(value, "model"), textOr(value, "capture"), textOr(value, "analysis")}.knownOrEmpty();
}

StudyId StudyId::knownOrEmpty() const {
  const bool tells = capture.find_first_not_of(capture.substr(0, 1)) != std::string::npos;
  return tells ? *this : StudyId();
}

std::string differenceOf(const StudyId& wanted, const StudyId& found) {
  if (!wanted.known()) return {};
  if (!found.known()) return "has no hash that identifies its capture";
  if (wanted.analysis.empty() && !found.analysis.empty()) return "is an analysis, not a capture";
  if (!wanted.analysis.empty() && found.analysis.empty()) return "is a capture, not an analysis";
  if (wanted.model != found.model) return "is of another model";
  if (wanted.capture != found.capture) return "was captured with other settings or texts";
  if (wanted.analysis != found.analysis) return "was analysed with other settings";
  return {};
}

// ---- files

FileType fileTypeOf(const Hdf5Group& root) {
  const std::string format = attributeOf(root, schema::kFormat);
  if (format == schema::kCaptureFormat) return FileType::Capture;
  if (format == schema::kAnalysisFormat) return FileType::Analysis;
  return FileType::Other;
}

void requireFormat(const Hdf5Group& root, const std::string& format) {
  const std::string found =
      root.has(schema::kFormat) ? "format " + root.text(schema::kFormat) : "no format attribute";
  if (found != "format " + format) throw InputError({root.file(), "", "a " + format + " file", found});
  const std::int64_t version = root.integer(schema::kFormatVersionName);
  if (version > schema::kFormatVersion) {
    throw InputError({root.file(), schema::kFormatVersionName,
                      "at most " + std::to_string(schema::kFormatVersion),
                      std::to_string(version) + ": the file was made by a newer version of this program"});
  }
  if (version < 1) root.fail("a format_version of at least 1", std::to_string(version));
}

void touchStored(const Hdf5Group& root) {
  const FileType kind = fileTypeOf(root);
  if (kind == FileType::Capture) touchCapture(root);
  if (kind == FileType::Analysis) analysisIn(root, DamagedTables::LeaveOut);
}

namespace {

// Error message of opening the file in this process, "" if there is none. Used without a sandbox.
std::string problemOf(const Hdf5Group& root) {
  try {
    touchStored(root);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

// `root`: set for HDF5 files.
struct StoredFile::Content {
  std::shared_ptr<const InputFile> input;
  std::optional<FileSeal> seal;
  std::string problem;  // error of a file without seal, found in the sandbox
  std::optional<Hdf5Group> root;
  FileType kind = FileType::Other;
  std::mutex mutex;  // guards members read later
  std::shared_ptr<const CaptureFile> capture;
  std::shared_ptr<const AnalysisFile> analysis;

  const Hdf5Group& hdf5() const {
    if (root) return *root;
    refuseStandIn(*input, true);
    throw InputError({input->path(), "", "an HDF5 file", foreignContentOf(input->path())});
  }
  FileSeal readSeal() {
    if (!seal) seal = sealOf(*input);
    return *seal;
  }
};

StoredFile::StoredFile(fs::path file) : m_content(std::make_unique<Content>()) {
  Content& content = *m_content;
  content.input = std::make_shared<const InputFile>(std::move(file));
  const InputFile& input = *content.input;
  if (!hasHdf5Signature(input)) return;
  requireNotCutShort(input);
  const bool sealed = input.size() <= kMaxSealedAtOnce && content.readSeal() == FileSeal::Intact;
  const std::optional<std::string> problem =
      sealed ? std::optional<std::string>("") : openInSandbox(input.path(), input.size());
  content.root = Hdf5Group::openFile(content.input);
  content.kind = fileTypeOf(*content.root);
  content.problem = problem ? *problem : problemOf(*content.root);
}

StoredFile::~StoredFile() = default;

const fs::path& StoredFile::path() const {
  return m_content->input->path();
}

FileType StoredFile::kind() const {
  return m_content->kind;
}

FileSeal StoredFile::seal() const {
  const std::lock_guard lock(m_content->mutex);
  return m_content->readSeal();
}

std::shared_ptr<const CaptureFile> StoredFile::capture() const {
  const std::lock_guard lock(m_content->mutex);
  if (!m_content->capture) {
    auto capture = captureIn(m_content->hdf5());
    if (!m_content->problem.empty()) throw InputError(m_content->problem);
    m_content->capture = std::move(capture);
  }
  return m_content->capture;
}

std::shared_ptr<const AnalysisFile> StoredFile::analysis(DamagedTables damaged) const {
  const std::lock_guard lock(m_content->mutex);
  std::shared_ptr<const AnalysisFile>& analysis = m_content->analysis;
  if (!analysis)
    analysis = std::make_shared<const AnalysisFile>(analysisIn(m_content->hdf5(), DamagedTables::LeaveOut));
  if (damaged == DamagedTables::Refuse && !analysis->leftOut.empty())
    throw InputError(analysis->leftOut.begin()->second);
  return analysis;
}

StudyId StoredFile::id() const {
  StudyId id;
  if (kind() == FileType::Other) refuse();
  const Hdf5Group& root = m_content->hdf5();
  const std::string own = attributeOf(root, schema::kSettingsHash);
  if (kind() == FileType::Capture)
    id = {attributeOf(root.group(schema::kModel), schema::kFingerprint), own, {}};
  else
    id = {attributeOf(root, schema::kCaptureFingerprint), attributeOf(root, schema::kCaptureSettingsHash),
          own};
  return id.knownOrEmpty();
}

std::string StoredFile::content() const {
  if (kind() == FileType::Other) return foreignContentOf(path());
  return kind() == FileType::Capture ? "a capture" : "an analysis";
}

void StoredFile::refuse(const std::string& expected) const {
  throw InputError({path(), "", expected, content()});
}

FileType fileTypeOf(const fs::path& file) {
  std::error_code code;
  return fs::is_directory(file, code) ? FileType::Other : StoredFile(file).kind();
}

StudyId studyIdOf(const fs::path& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) throw InputError({file, "", "", "there is no such file"});
  return StoredFile(file).id();
}

}  // namespace plastiscope
