#include "core/store/table_folder.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/store/capture_output.h"
#include "core/store/output_place.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr const char* kProvenanceFile = "provenance.json";
constexpr const char* kTableSet = "table_set";
constexpr std::size_t kLargestProvenance = std::size_t{64} << 20;

std::string fileOf(const std::string& table) {
  return table + ".csv";
}

// Whether it is a plain file name of a table, so that nothing outside the folder is read or removed.
bool isTableFile(const std::string& name) {
  return name.ends_with(".csv") && name.find('/') == std::string::npos;
}

std::string checksumOf(const fs::path& file) {
  try {
    return sha256Hex(readFile(file));
  } catch (const InputError&) {
    return "";
  }
}

Json inputsJson(const std::vector<TableSource>& inputs) {
  Json list = Json::array();
  for (const TableSource& input : inputs)
    list.push_back({{"name", input.name}, {"identity", input.identity}});
  return list;
}

// "tables of `compare` of a.h5, b.h5"
std::string sentenceOf(const Json& set) {
  std::string text = "tables of `" + set["command"].get<std::string>() + "`";
  const Json& inputs = set["inputs"];
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text += (i == 0 ? " of " : ", ") + inputs[i]["name"].get<std::string>();
  return text;
}

std::vector<std::string> identitiesOf(const Json& set) {
  std::vector<std::string> identities;
  for (const Json& input : set["inputs"]) identities.push_back(input["identity"]);
  return identities;
}

bool isTableSet(const Json& set) {
  if (!set.is_object() || !set.value("command", Json()).is_string() ||
      !set.value("program_version", Json()).is_string() || !set.value("settings", Json()).is_object() ||
      !set.value("inputs", Json()).is_array() || !set.value("files", Json()).is_object())
    return false;
  const auto isText = [](const Json& value) { return value.is_string(); };
  const Json& inputs = set["inputs"];
  return std::all_of(set["files"].begin(), set["files"].end(), isText) &&
         std::all_of(inputs.begin(), inputs.end(), [&](const Json& input) {
           return input.is_object() && isText(input.value("name", Json())) &&
                  isText(input.value("identity", Json()));
         });
}

}  // namespace

TableFolder::TableFolder(fs::path folder, TableOrigin origin, TableRules rules,
                         const std::vector<std::string>& tables)
    : m_folder(std::move(folder)), m_origin(std::move(origin)), m_rules(std::move(rules)) {
  if (!m_folder.has_filename()) m_folder = m_folder.parent_path();  // "out/" is "out"
  std::error_code code;
  if (!fs::exists(fs::symlink_status(m_folder, code))) {
    requireWritableFolderOf(m_folder);
    return;
  }
  if (!fs::is_directory(m_folder, code)) throw InputError({m_folder, "", "a folder", "a file"});
  requireWritableFolderOf(m_folder / kProvenanceFile);
  const Json there = setThere();
  requireReplaceable(there);
  requireFree(there, tables);
}

// The "table_set" in the folder; null if there is none.
Json TableFolder::setThere() const {
  const fs::path file = m_folder / kProvenanceFile;
  std::error_code code;
  if (!fs::exists(fs::symlink_status(file, code))) return nullptr;
  std::string found = "a file of another program";
  try {
    const Json provenance = readJsonFile(file, kLargestProvenance);
    if (provenance.is_object()) {
      const Json set = provenance.value(kTableSet, Json());
      if (isTableSet(set)) return set;
      if (provenance.contains("program_version")) found = "one that an older version of this program wrote";
    }
  } catch (const InputError&) {
    if (!fs::is_regular_file(file, code)) throw;
  }
  if (m_rules.force) return nullptr;
  throw InputError(
      {file, "", "the provenance of " + sentenceOf(describe({})), found + ": " + m_rules.remedy});
}

void TableFolder::requireReplaceable(const Json& there) const {
  if (there.is_null() || m_rules.force) return;
  const Json mine = describe({});
  if (there["command"] != mine["command"] || identitiesOf(there) != identitiesOf(mine)) {
    const bool alike = sentenceOf(there) == sentenceOf(mine);
    throw InputError({m_folder, "", sentenceOf(mine),
                      sentenceOf(there) + (alike ? " with other content" : "") + ": " + m_rules.remedy});
  }
  if (m_rules.otherSettings || there["settings"] == mine["settings"]) return;
  throw UsageError(pathText(m_folder) + " holds " + sentenceOf(there) + " with other settings (" +
                   settingDifferences(there["settings"], mine["settings"]) +
                   "); choose another folder, or --fresh replaces them");
}

// Requires that no file to be written is an input, or exists without belonging to the present set.
void TableFolder::requireFree(const Json& there, const std::vector<std::string>& tables) const {
  for (const std::string& table : tables) {
    const fs::path file = m_folder / fileOf(table);
    std::error_code code;
    const fs::file_status status = fs::symlink_status(file, code);
    if (!fs::exists(status)) continue;
    for (const TableSource& input : m_origin.inputs) {
      if (!input.file.empty() && isSameFile(file, input.file))
        throw InputError({file, "", "", "this file is an input: choose another folder"});
    }
    if (!fs::is_regular_file(status))
      throw InputError(
          {file, "", "a regular file", fs::is_directory(status) ? "a folder" : "a link or a device"});
    const bool listed = !there.is_null() && there["files"].contains(fileOf(table));
    if (!listed && !m_rules.force)
      throw InputError({file, "", "no file with the name of a table to be written",
                        "a file that is not part of a set of tables: " + m_rules.remedy});
  }
}

Json TableFolder::describe(const std::vector<Table>& tables) const {
  Json files = Json::object();
  for (const Table& table : tables) files[fileOf(table.name)] = sha256Hex(toCsv(table));
  return {{"command", m_origin.command},
          {"inputs", inputsJson(m_origin.inputs)},
          {"settings", m_origin.settings},
          {"program_version", kVersion},
          {"files", files}};
}

bool TableFolder::isFinished() const {
  if (m_rules.otherSettings) return false;
  const Json there = setThere();
  if (there.is_null() || there["files"].empty()) return false;
  Json mine = describe({});
  mine["files"] = there["files"];
  if (identitiesOf(there) != identitiesOf(mine)) return false;
  mine["inputs"] = there["inputs"];  // names of the files may differ
  const Json& files = there["files"];
  return there == mine && std::all_of(files.items().begin(), files.items().end(), [&](const auto& file) {
           return isTableFile(file.key()) && Json(checksumOf(m_folder / file.key())) == file.value();
         });
}

void TableFolder::write(const std::vector<Table>& tables, Json provenance) const {
  const Json mine = describe(tables), files = mine["files"];
  provenance[kTableSet] = mine;
  std::vector<NewFile> content;
  std::vector<std::string> names;
  for (const Table& table : tables) {
    names.push_back(table.name);
    content.push_back({fileOf(table.name), toCsv(table)});
  }
  NewFile description{kProvenanceFile, indentedJson(provenance) + "\n"};
  std::error_code code;
  if (!fs::exists(fs::symlink_status(m_folder, code))) {
    content.push_back(std::move(description));
    return writeFolderAtomically(m_folder, [&](const fs::path& temporary) {
      for (const NewFile& file : content) writeFileAtomically(temporary / file.name, file.content);
    });
  }
  const Json there = setThere();
  requireReplaceable(there);
  requireFree(there, names);
  // Order of writing: if the process is killed in between, the description matches the old tables or fails
  // its checksums.
  content.insert(there.is_null() ? content.begin() : content.end(), std::move(description));
  std::vector<std::string> obsolete;
  if (!there.is_null()) {
    for (const auto& [name, checksum] : there["files"].items()) {
      const bool gone = isTableFile(name) && !files.contains(name);
      if (gone && Json(checksumOf(m_folder / name)) == checksum)
        obsolete.push_back(name);  // unless changed by hand
    }
  }
  writeFilesTogether(m_folder, content, obsolete);
}

// ---- the tables of an analysis

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
  for (const auto& [name, rows] : analysis.rowsOfTables()) names.push_back(name);
  TableFolder(folder, analysisOrigin(analysis.provenance), rules, names)
      .write(wholeAnalysis(analysis).tables, analysis.provenance.toJson());
}

}  // namespace plastiscope
