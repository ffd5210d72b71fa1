#include "core/store/analysis_tables.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {

TableSource captureSource(const std::filesystem::path& file, const std::string& fingerprint,
                          const std::string& settingsHash, const Json& facts) {
  const Json content = {{"fingerprint", fingerprint}, {"settings_hash", settingsHash}, {"capture", facts}};
  return {pathText(file.filename()), sha256Hex(canonicalJson(content)), file};
}

TableSource captureSource(const AnalysisProvenance& provenance) {
  return captureSource(provenance.captureFile, provenance.captureFingerprint, provenance.captureSettingsHash,
                       provenance.capture);
}

TableSource analysisSource(const std::filesystem::path& file, const AnalysisProvenance& provenance) {
  const Json content = {{"capture", captureSource(provenance).identity},
                        {"settings_hash", provenance.settingsHash},
                        {"program_version", provenance.programVersion}};
  return {pathText(file.filename()), sha256Hex(canonicalJson(content)), file};
}

TableOrigin analysisOrigin(const AnalysisProvenance& provenance) {
  return {"analyze", {captureSource(provenance)}, provenance.settings};
}

void exportCsv(const AnalysisFile& analysis, const std::filesystem::path& folder, const TableRules& rules) {
  std::vector<std::string> names;
  for (const Table& table : analysis.tables) names.push_back(table.name);
  TableFolder(folder, analysisOrigin(analysis.provenance), rules, names)
      .write(analysis.tables, analysis.provenance.toJson());
}

void exportCsv(const AnalysisFile& analysis, const std::filesystem::path& folder) {
  exportCsv(analysis, folder, {.otherSettings = true, .wayOut = "choose another folder"});
}

}  // namespace plastiscope
