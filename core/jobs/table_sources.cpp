#include "core/jobs/table_sources.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/benchmark.h"
#include "core/jobs/analysis_identity.h"
#include "core/store/analysis_tables.h"
#include "core/store/stored_file.h"

namespace plastiscope {

TableSource sourceOf(const CaptureFile& capture) {
  const CaptureInfo& info = capture.info();
  return captureSource(capture.path(), info.fingerprint, info.settingsHash, captureFacts(info));
}

TableSource sourceOfStudy(const std::filesystem::path& path) {
  const StoredFile file(path);
  if (file.kind() == StoredKind::Other) file.refuse();
  if (file.kind() == StoredKind::Analysis) return analysisSource(path, file.analysis()->provenance);
  const CaptureInfo& info = file.capture()->info();
  AnalysisProvenance provenance;
  provenance.programVersion = kVersion;
  provenance.captureFingerprint = info.fingerprint;
  provenance.captureSettingsHash = info.settingsHash;
  provenance.capture = captureFacts(info);
  provenance.settingsHash = settingsHashOf(resolvedSettings({}, info));
  return analysisSource(path, provenance);
}

TableSource sourceOfFile(const std::filesystem::path& file) {
  return {pathText(file.filename()), sha256Hex(readFile(file)), file};
}

TableSource sourceOfScores(const std::string& nameOrFile) {
  const std::vector<std::string> shipped = benchmarkNames();
  const bool known = std::find(shipped.begin(), shipped.end(), nameOrFile) != shipped.end();
  return known ? shippedSource(nameOrFile) : sourceOfFile(nameOrFile);
}

TableSource shippedSource(const std::string& name) {
  return {name, name + " " + kVersion, {}};
}

}  // namespace plastiscope
