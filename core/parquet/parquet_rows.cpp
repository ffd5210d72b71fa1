#include "core/parquet/parquet_rows.h"

#include <algorithm>
#include <array>

#include "core/base/json.h"
#include "core/parquet/parquet_input.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kRowsAtOnce = 16;  // texts can be megabytes long

Json jsonOf(bool value, const parquet::ColumnDescriptor&) {
  return value;
}
Json jsonOf(double value, const parquet::ColumnDescriptor&) {
  return value;
}
Json jsonOf(float value, const parquet::ColumnDescriptor&) {
  return value;
}

bool isUnsigned(const parquet::ColumnDescriptor& column) {
  const auto& logical = column.logical_type();
  return logical != nullptr && logical->is_int() &&
         !static_cast<const parquet::IntLogicalType&>(*logical).is_signed();
}

Json jsonOf(std::int32_t value, const parquet::ColumnDescriptor& column) {
  return isUnsigned(column) ? Json(static_cast<std::uint32_t>(value)) : Json(value);
}

Json jsonOf(std::int64_t value, const parquet::ColumnDescriptor& column) {
  return isUnsigned(column) ? Json(static_cast<std::uint64_t>(value)) : Json(value);
}

// Copies the bytes, because the next read may free their page.
Json jsonOf(const parquet::ByteArray& value, const parquet::ColumnDescriptor&) {
  return std::string(reinterpret_cast<const char*>(value.ptr), value.len);
}

// Appends up to `rows` values of a flat column; null for missing values.
template <typename Type>
void readValues(parquet::ColumnReader& reader, std::int64_t rows, std::vector<Json>& out) {
  auto& typed = static_cast<parquet::TypedColumnReader<Type>&>(reader);
  const bool nullable = typed.descr()->max_definition_level() == 1;
  std::array<std::int16_t, kRowsAtOnce> levels{};
  std::array<typename Type::c_type, kRowsAtOnce> values{};
  while (rows > 0 && typed.HasNext()) {
    std::int64_t count = 0;
    const std::int64_t got =
        typed.ReadBatch(rows, nullable ? levels.data() : nullptr, nullptr, values.data(), &count);
    if (got <= 0) return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
      const bool there = (!nullable || levels[i] == 1) && next < static_cast<std::size_t>(count);
      out.push_back(there ? jsonOf(values[next++], *typed.descr()) : Json(nullptr));
    }
    rows -= got;
  }
}

struct ValueKind {
  parquet::Type::type type;
  void (*read)(parquet::ColumnReader& reader, std::int64_t rows, std::vector<Json>& out);
};

constexpr std::array kKinds{
    ValueKind{parquet::Type::BOOLEAN, readValues<parquet::BooleanType>},
    ValueKind{parquet::Type::INT32, readValues<parquet::Int32Type>},
    ValueKind{parquet::Type::INT64, readValues<parquet::Int64Type>},
    ValueKind{parquet::Type::FLOAT, readValues<parquet::FloatType>},
    ValueKind{parquet::Type::DOUBLE, readValues<parquet::DoubleType>},
    ValueKind{parquet::Type::BYTE_ARRAY, readValues<parquet::ByteArrayType>},
};

const ValueKind* kindOf(const parquet::ColumnDescriptor& column) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const ValueKind& kind) { return kind.type == column.physical_type(); });
  const bool flat = column.max_repetition_level() == 0 && column.path()->ToDotVector().size() == 1;
  return flat && found != kKinds.end() ? &*found : nullptr;
}

struct PlainColumn {
  int leaf = 0;
  std::string name;
  const ValueKind* kind = nullptr;
};

std::vector<PlainColumn> plainColumns(const ParquetInput& input, const std::vector<std::string>& wanted) {
  std::vector<PlainColumn> columns;
  for (int leaf = 0; leaf < input.schema().num_columns(); ++leaf) {
    const parquet::ColumnDescriptor& column = *input.schema().Column(leaf);
    const ValueKind* kind = kindOf(column);
    const bool asked =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), column.name()) != wanted.end();
    if (kind != nullptr && asked) columns.push_back({leaf, column.name(), kind});
  }
  return columns;
}

// Reads one row group; false when the sink stopped.
bool readGroup(const ParquetInput& input, int group, const std::vector<PlainColumn>& columns,
               std::int64_t firstRow, const ParquetRowSink& sink) {
  std::vector<std::shared_ptr<parquet::ColumnReader>> readers;
  for (const PlainColumn& column : columns) readers.push_back(input.column(group, column.leaf));
  const std::int64_t rows = input.rowsOf(group);
  for (std::int64_t row = 0; row < rows; row += kRowsAtOnce) {
    const std::int64_t count = std::min(kRowsAtOnce, rows - row);
    std::vector<Json> records(static_cast<std::size_t>(count), Json::object());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<Json> values;
      columns[i].kind->read(*readers[i], count, values);
      if (std::ssize(values) != count) {
        input.fail("column " + columns[i].name, withCommas(input.rows()) + " rows",
                   withCommas(firstRow + row + std::ssize(values)));
      }
      for (std::size_t k = 0; k < values.size(); ++k) records[k][columns[i].name] = std::move(values[k]);
    }
    for (std::size_t k = 0; k < records.size(); ++k) {
      if (!sink(firstRow + row + static_cast<std::int64_t>(k), std::move(records[k]))) return false;
    }
  }
  return true;
}

}  // namespace

void readParquetRows(const std::filesystem::path& file, const std::vector<std::string>& wanted,
                     const ParquetRowSink& sink) {
  const ParquetInput input(file);
  withParquetErrors(file, [&] {
    const std::vector<PlainColumn> columns = plainColumns(input, wanted);
    if (columns.empty()) input.fail("columns", "texts or numbers", "none");
    std::int64_t row = 0;
    for (int group = 0; group < input.rowGroups(); ++group) {
      if (!readGroup(input, group, columns, row, sink)) return;
      row += input.rowsOf(group);
    }
  });
}

}  // namespace plastiscope
