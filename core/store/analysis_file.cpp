#include "core/store/analysis_file.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/hdf5_writer.h"
#include "core/store/sandboxed_reader.h"
#include "core/store/schema.h"
#include "core/store/stored_content.h"

namespace plastiscope {

namespace {

// Root attributes of an analysis in addition to those of every file.
constexpr const char* kCaptureFile = "capture_file";
constexpr const char* kCaptureFacts = "capture";
constexpr const char* kWarnings = "warnings";
constexpr const char* kImported = "imported";  // only if columns were imported

void writeProvenance(const AnalysisProvenance& provenance, const Hdf5OutGroup& root) {
  writeRoot(root, schema::kAnalysisFormat, provenance);
  root.text(kCaptureFile, provenance.captureFile);
  root.text(schema::kCaptureFingerprint, provenance.captureFingerprint);
  root.text(schema::kCaptureSettingsHash, provenance.captureSettingsHash);
  root.text(kCaptureFacts, canonicalJson(provenance.capture));
  root.text(kWarnings, canonicalJson(provenance.warnings));
  if (!provenance.imported->is_null()) root.text(kImported, canonicalJson(provenance.imported));
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
  if (!root.has(kImported)) return provenance;
  provenance.imported = parseJson(root.text(kImported), root.file());
  if (!provenance.imported->is_array())
    root.fail("a JSON array of imports", provenance.imported->type_name());
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
  group.integer(schema::kRows, table.rows());
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

}  // namespace

// A table whose columns were checked but not read.
struct StoredTable {
  std::string name;
  std::int64_t rows = 0;
  std::vector<std::pair<std::string, Hdf5Dataset>> columns;

  StoredTable(const Hdf5Group& group, std::string tableName)
      : name(std::move(tableName)), rows(group.integer(schema::kRows)) {
    const Json order = parseJson(group.text(schema::kColumns), group.file());
    if (!order.is_array()) group.fail("columns as a JSON array", order.type_name());
    for (const Json& column : order) {
      if (!column.is_string()) group.fail("column names as texts", column.type_name());
      Hdf5Dataset dataset = group.dataset(column.get<std::string>());
      if (dataset.rank() != 1 || dataset.rows() != rows) {
        dataset.fail(std::to_string(rows) + " values", std::to_string(dataset.rows()));
      }
      columns.emplace_back(column.get<std::string>(), std::move(dataset));
    }
  }

  // Whether reading waits for the first use: large tables, unless filtered or of variable-length text, which
  // HDF5 reads without checks.
  bool canWait() const {
    constexpr std::uint64_t kLarge = 16'000'000;
    std::uint64_t bytes = 0;
    for (const auto& [column, dataset] : columns) {
      if (dataset.filtered() || dataset.element() == Hdf5Element::VariableText) return false;
      bytes += rows * dataset.rowBytes();
    }
    return bytes > kLarge;
  }

  // Bytes in memory after reading.
  std::uint64_t memory() const {
    std::uint64_t row = 0;
    for (const auto& [column, dataset] : columns)
      row += dataset.element() == Hdf5Element::FixedText ? sizeof(std::string) + dataset.rowBytes()
                                                         : dataset.rowBytes();
    return rows * row;
  }

  Table read() const {
    Table table{name, {}};
    for (const auto& [column, dataset] : columns) table.columns.push_back({column, readColumn(dataset)});
    return table;
  }
};

class UnreadTables {
 public:
  void add(StoredTable table) {
    std::string name = table.name;
    m_slots.try_emplace(std::move(name), std::make_unique<Slot>(std::move(table)));
  }
  const Table* find(std::string_view name) const {
    const auto found = m_slots.find(name);
    if (found == m_slots.end()) return nullptr;
    Slot& slot = *found->second;
    const std::lock_guard lock(slot.mutex);
    if (!slot.table) slot.table = slot.stored.read();
    return &*slot.table;
  }
  std::map<std::string, std::int64_t> rows() const {
    std::map<std::string, std::int64_t> rows;
    for (const auto& [name, slot] : m_slots) rows[name] = slot->stored.rows;
    return rows;
  }

 private:
  struct Slot {
    explicit Slot(StoredTable of) : stored(std::move(of)) {}
    std::mutex mutex;
    StoredTable stored;
    std::optional<Table> table;
  };
  std::map<std::string, std::unique_ptr<Slot>, std::less<>> m_slots;
};

AnalysisFile analysisIn(const Hdf5Group& root, DamagedTables damaged) {
  requireFormat(root, schema::kAnalysisFormat);
  AnalysisFile analysis;
  analysis.provenance = readProvenance(root);
  auto unread = std::make_shared<UnreadTables>();
  // Tables beyond this limit are read at once, first by another process.
  std::uint64_t room = readingLimits(root.fileBytes()).memoryBytes;
  const Hdf5Group tables = root.group(schema::kTables);
  for (const std::string& name : tables.names()) {
    try {
      StoredTable table(tables.group(name), name);
      const std::uint64_t memory = table.canWait() ? table.memory() : room + 1;
      if (memory <= room) {
        room -= memory;
        unread->add(std::move(table));
        continue;
      }
      analysis.tables.push_back(table.read());
    } catch (const InputError& error) {
      if (damaged == DamagedTables::Refuse) throw;
      analysis.leftOut[name] = error.what();
    }
  }
  root.requireIntactTexts();
  if (!unread->rows().empty()) analysis.unread = std::move(unread);
  return analysis;
}

AnalysisFile wholeAnalysis(AnalysisFile analysis, DamagedTables damaged) {
  if (!analysis.unread) return analysis;
  for (const auto& [name, rows] : analysis.unread->rows()) {
    try {
      analysis.tables.push_back(*analysis.unread->find(name));
    } catch (const InputError& error) {
      if (damaged == DamagedTables::Refuse) throw;
      analysis.leftOut[name] = error.what();
    }
  }
  std::ranges::sort(analysis.tables, {}, &Table::name);
  analysis.unread = nullptr;
  return analysis;
}

Json AnalysisProvenance::toJson() const {
  Json json = {{"program_version", programVersion},
               {"created", created},
               {"capture_file", captureFile},
               {"capture_fingerprint", captureFingerprint},
               {"capture_settings_hash", captureSettingsHash},
               {"settings", settings},
               {"settings_hash", settingsHash},
               {"capture", capture},
               {"warnings", warnings}};
  if (!imported->is_null()) json[kImported] = imported;
  return json;
}

const Table* AnalysisFile::find(std::string_view name) const {
  if (const auto damaged = leftOut.find(std::string(name)); damaged != leftOut.end())
    throw InputError(damaged->second);
  const Table* table = findTable(tables, name);
  return table == nullptr && unread ? unread->find(name) : table;
}

std::map<std::string, std::int64_t> AnalysisFile::rowsOfTables() const {
  std::map<std::string, std::int64_t> rows;
  if (unread) rows = unread->rows();
  for (const Table& table : tables) rows[table.name] = table.rows();
  return rows;
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
  return wholeAnalysis(*StoredFile(file).analysis(damaged), damaged);
}

}  // namespace plastiscope
