#include "core/store/analysis_file.h"

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/hdf5_writer.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace plastiscope {

namespace {

// Root attributes of an analysis beside those that every file has.
constexpr const char* kCaptureFile = "capture_file";
constexpr const char* kCaptureFacts = "capture";
constexpr const char* kWarnings = "warnings";

void writeProvenance(const AnalysisProvenance& provenance, const Hdf5OutGroup& root) {
  writeRoot(root, schema::kAnalysisFormat, provenance);
  root.text(kCaptureFile, provenance.captureFile);
  root.text(schema::kCaptureFingerprint, provenance.captureFingerprint);
  root.text(schema::kCaptureSettingsHash, provenance.captureSettingsHash);
  root.text(kCaptureFacts, canonicalJson(provenance.capture));
  root.text(kWarnings, canonicalJson(provenance.warnings));
}

AnalysisProvenance readProvenance(const Hdf5Group& root) {
  AnalysisProvenance provenance;
  readRoot(root, provenance);
  provenance.captureFile = root.text(kCaptureFile);
  provenance.captureFingerprint = root.text(schema::kCaptureFingerprint);
  provenance.captureSettingsHash = root.text(schema::kCaptureSettingsHash);
  provenance.capture = parseJson(root.text(kCaptureFacts), root.file());
  const Json warnings = parseJson(root.text(kWarnings), root.file());
  if (!warnings.is_array()) root.fail("a JSON array of warnings", warnings.type_name());
  for (const Json& warning : warnings) {
    if (!warning.is_string()) root.fail("warnings as texts", warning.type_name());
    provenance.warnings.push_back(warning.get<std::string>());
  }
  return provenance;
}

void writeTable(const Table& table, const Hdf5OutGroup& tables) {
  const Hdf5OutGroup group = tables.group(table.name);
  Json order = Json::array();
  for (const Column& column : table.columns) {
    order.push_back(column.name);
    std::visit(
        [&](const auto& values) {
          if (values.size() != table.rows()) {
            throw Error(ErrorKind::Internal, "table " + table.name + ": columns of unequal length");
          }
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>) {
            group.fixedTexts(column.name, values);
          } else {
            group.dataset(column.name, values);
          }
        },
        column.values);
  }
  group.text(schema::kColumns, canonicalJson(order));
  group.integer(schema::kRows, static_cast<std::int64_t>(table.rows()));
}

ColumnValues readColumn(const Hdf5Dataset& dataset) {
  switch (dataset.element()) {
    case Hdf5Element::Int64:
      return dataset.int64s();
    case Hdf5Element::Float64:
      return dataset.doubles();
    case Hdf5Element::FixedText:
      return dataset.texts();
    default:
      dataset.fail("int64, float64 or text", "values of another type");
  }
}

Table readTable(const Hdf5Group& group, const std::string& name) {
  Table table{name, {}};
  const std::int64_t rows = group.integer(schema::kRows);
  const Json order = parseJson(group.text(schema::kColumns), group.file());
  if (!order.is_array()) group.fail("columns as a JSON array", order.type_name());
  for (const Json& column : order) {
    if (!column.is_string()) group.fail("column names as texts", column.type_name());
    const Hdf5Dataset dataset = group.dataset(column.get<std::string>());
    if (dataset.rank() != 1 || dataset.rows() != rows) {
      dataset.fail(std::to_string(rows) + " values", std::to_string(dataset.rows()));
    }
    table.columns.push_back({column.get<std::string>(), readColumn(dataset)});
  }
  return table;
}

}  // namespace

AnalysisFile analysisIn(const Hdf5Group& root, DamagedTables damaged) {
  requireFormat(root, schema::kAnalysisFormat);
  AnalysisFile analysis;
  analysis.provenance = readProvenance(root);
  const Hdf5Group tables = root.group(schema::kTables);
  for (const std::string& name : tables.names()) {
    try {
      analysis.tables.push_back(readTable(tables.group(name), name));
    } catch (const InputError& error) {
      if (damaged == DamagedTables::Refuse) throw;
      analysis.leftOut[name] = error.what();
    }
  }
  root.requireIntactTexts();
  return analysis;
}

Json AnalysisProvenance::toJson() const {
  return {{"program_version", programVersion},
          {"created", created},
          {"capture_file", captureFile},
          {"capture_fingerprint", captureFingerprint},
          {"capture_settings_hash", captureSettingsHash},
          {"settings", settings},
          {"settings_hash", settingsHash},
          {"capture", capture},
          {"warnings", warnings}};
}

const Table* AnalysisFile::find(std::string_view name) const {
  if (const auto damaged = leftOut.find(std::string(name)); damaged != leftOut.end())
    throw InputError(damaged->second);
  return findTable(tables, name);
}

void writeAnalysis(const AnalysisFile& analysis, const std::filesystem::path& file) {
  requireWritableFolderOf(file);
  writeFileAtomically(file, [&](const std::filesystem::path& temporary) {
    Hdf5Output output(temporary, file);
    writeProvenance(analysis.provenance, output.root());
    {
      const Hdf5OutGroup tables = output.root().group(schema::kTables);
      for (const Table& table : analysis.tables) writeTable(table, tables);
    }
    output.finish();
    appendFileSeal(temporary, file);
  });
}

AnalysisFile readAnalysis(const std::filesystem::path& file, DamagedTables damaged) {
  return *StoredFile(file).analysis(damaged);
}

}  // namespace plastiscope
