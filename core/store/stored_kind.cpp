#include "core/store/stored_kind.h"

#include "core/base/error.h"
#include "core/store/foreign_file.h"
#include "core/store/schema.h"
#include "core/store/trial_process.h"

namespace plastiscope {

StoredKind storedKindOf(const Hdf5Group& root) {
  if (!root.has(schema::kFormat)) return StoredKind::Other;
  const std::string format = root.text(schema::kFormat);
  if (format == schema::kCaptureFormat) return StoredKind::Capture;
  if (format == schema::kAnalysisFormat) return StoredKind::Analysis;
  return StoredKind::Other;
}

StoredKind storedKindOf(const std::filesystem::path& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) return StoredKind::Other;
  if (!hasHdf5Signature(file)) return StoredKind::Other;
  requireHarmless(file, [&] { storedKindOf(Hdf5Group::openFile(file)); });
  return storedKindOf(Hdf5Group::openFile(file));
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

}  // namespace plastiscope
