// Reading uses Parquet's column readers instead of Arrow tables: an int32 column without values and one of
// null type then look the same, vectors are checked value by value, and an embedded Arrow schema is not
// parsed.
#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/parquet/parquet_input.h"
#include "core/parquet/qk_table.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kBatch = 65536;  // values decoded at once

std::string rowPlace(const std::string& column, std::int64_t row) {
  return "column " + column + ", row " + std::to_string(row);
}

std::string typeText(const parquet::ColumnDescriptor& column) {
  std::string text = parquet::TypeToString(column.physical_type());
  const auto& logical = column.logical_type();
  if (logical != nullptr && logical->is_valid() && !logical->is_none())
    text += " (" + logical->ToString() + ")";
  return (column.max_repetition_level() > 0 ? "a list of " : "") + text;
}

// The only leaf of a field; -1 when there is no such field.
int leafOf(const ParquetInput& input, const std::string& field, const char* expected) {
  const std::vector<int> leaves = input.leavesOf(field);
  if (leaves.size() > 1) input.fail("column " + field, expected, std::to_string(leaves.size()) + " columns");
  return leaves.empty() ? -1 : leaves.front();
}

int requiredLeaf(const ParquetInput& input, const std::string& field, const char* expected) {
  const int leaf = leafOf(input, field, expected);
  if (leaf < 0) input.fail("column " + field, expected, "no such column");
  return leaf;
}

// A flat column of signed integers or of null type, stored as `type`.
bool isInteger(const parquet::ColumnDescriptor& column, parquet::Type::type type) {
  const auto& logical = column.logical_type();
  const bool plain = logical == nullptr || !logical->is_valid() || logical->is_none() || logical->is_int() ||
                     logical->is_null();
  return column.physical_type() == type && plain && column.max_repetition_level() == 0 &&
         column.max_definition_level() <= 1;
}

// Passes the values of a flat column in order; nothing for missing values.
template <typename Type>
void eachInteger(const ParquetInput& input, const std::string& field, int leaf,
                 const std::function<void(std::int64_t row, std::optional<std::int64_t> value)>& take) {
  const bool nullable = input.schema().Column(leaf)->max_definition_level() == 1;
  std::vector<std::int16_t> levels(static_cast<std::size_t>(kBatch));
  std::vector<typename Type::c_type> values(static_cast<std::size_t>(kBatch));
  std::int64_t row = 0;
  for (int group = 0; group < input.rowGroups(); ++group) {
    const auto reader = std::static_pointer_cast<parquet::TypedColumnReader<Type>>(input.column(group, leaf));
    const std::int64_t end = row + input.rowsOf(group);
    while (row < end && reader->HasNext()) {
      std::int64_t count = 0;
      const std::int64_t rows = reader->ReadBatch(
          std::min(kBatch, end - row), nullable ? levels.data() : nullptr, nullptr, values.data(), &count);
      if (rows <= 0) break;
      std::size_t next = 0;
      for (std::int64_t i = 0; i < rows; ++i, ++row) {
        const bool there = (!nullable || levels[i] == 1) && next < static_cast<std::size_t>(count);
        take(row, there ? std::optional<std::int64_t>(values[next++]) : std::nullopt);
      }
    }
    if (row != end) input.fail("column " + field, withCommas(end) + " rows", withCommas(row));
  }
}

std::vector<std::int32_t> int32Column(const ParquetInput& input, const std::string& field) {
  const int leaf = requiredLeaf(input, field, "int32");
  const parquet::ColumnDescriptor& column = *input.schema().Column(leaf);
  if (!isInteger(column, parquet::Type::INT32)) input.fail("column " + field, "int32", typeText(column));
  std::vector<std::int32_t> all;
  all.reserve(std::min(input.rows(), kBatch));
  eachInteger<parquet::Int32Type>(input, field, leaf,
                                  [&](std::int64_t row, const std::optional<std::int64_t>& value) {
                                    if (!value) input.fail(rowPlace(field, row), "a value", "none");
                                    all.push_back(static_cast<std::int32_t>(*value));
                                  });
  return all;
}

// Requires the same window, or none, in every row.
class OneWindow {
 public:
  OneWindow(const ParquetInput& input, const std::string& field) : m_input(input), m_field(field) {}
  void take(std::int64_t row, const std::optional<std::int64_t>& found) {
    constexpr std::int64_t kMaximum = std::numeric_limits<std::int32_t>::max();
    const auto text = [](const auto& window) {
      return window ? std::to_string(*window) : std::string("none");
    };
    if (found && (*found < 1 || *found > kMaximum)) {
      m_input.fail(rowPlace(m_field, row), "a window of 1 to " + withCommas(kMaximum) + " tokens",
                   text(found));
    }
    if (row > 0 && found != m_window) {
      m_input.fail(rowPlace(m_field, row), "one window in all rows: " + text(m_window), text(found));
    }
    m_window = found;
  }
  std::optional<std::int32_t> window() const {
    return m_window ? std::optional(static_cast<std::int32_t>(*m_window)) : std::nullopt;
  }

 private:
  const ParquetInput& m_input;
  const std::string& m_field;
  std::optional<std::int64_t> m_window;
};

std::optional<std::int32_t> slidingWindowOf(const ParquetInput& input) {
  static const std::string kField = "sliding_window";
  static constexpr const char* kExpected = "int32, int64 or no values";
  const int leaf = leafOf(input, kField, kExpected);
  if (leaf < 0) return std::nullopt;  // no window, as in the author's tools
  const parquet::ColumnDescriptor& column = *input.schema().Column(leaf);
  OneWindow one(input, kField);
  const auto take = [&](std::int64_t row, const std::optional<std::int64_t>& value) { one.take(row, value); };
  if (isInteger(column, parquet::Type::INT32)) {
    eachInteger<parquet::Int32Type>(input, kField, leaf, take);
  } else if (isInteger(column, parquet::Type::INT64)) {  // as the author's tool writes a window
    eachInteger<parquet::Int64Type>(input, kField, leaf, take);
  } else {
    input.fail("column " + kField, kExpected, typeText(column));
  }
  return one.window();
}

int vectorLeaf(const ParquetInput& input) {
  static constexpr const char* kExpected = "a list of float32 in each row";
  const int leaf = requiredLeaf(input, "vector", kExpected);
  const parquet::ColumnDescriptor& column = *input.schema().Column(leaf);
  if (column.physical_type() != parquet::Type::FLOAT || column.max_repetition_level() != 1) {
    input.fail("column vector", kExpected, typeText(column));
  }
  return leaf;
}

void requireMemory(const ParquetInput& input) {
  const std::uint64_t needed = static_cast<std::uint64_t>(input.rows()) * 3 * sizeof(std::int32_t);
  if (needed > availableMemoryBytes() / 2) {
    throw ResourceError(pathText(input.file()) + ": positions of " + withCommas(input.rows()) +
                        " rows need " + byteText(needed) + " of memory, more than half of what is free");
  }
}

// Reads a list column as vectors of fixed length. The repetition level is 0 at the start of a row, else 1.
class VectorRows {
 public:
  VectorRows(const ParquetInput& input, std::int64_t headDim,
             const std::function<void(std::span<const float>)>& block)
      : m_input(input),
        m_headDim(headDim),
        m_batch(std::max<std::int64_t>(1, kBatch / headDim) * headDim),
        m_block(block) {
    for (auto* levels : {&m_definition, &m_repetition}) levels->resize(static_cast<std::size_t>(m_batch));
    m_values.resize(m_batch);
  }

  void readGroup(int group, int leaf) {
    const auto reader = std::static_pointer_cast<parquet::FloatReader>(m_input.column(group, leaf));
    m_complete = m_input.schema().Column(leaf)->max_definition_level();
    const std::int64_t end = m_row + m_input.rowsOf(group);
    while (reader->HasNext()) {
      std::int64_t count = 0;
      const std::int64_t levels = reader->ReadBatch(m_batch - m_filled, m_definition.data(),
                                                    m_repetition.data(), m_values.data() + m_filled, &count);
      if (levels <= 0) break;
      checkLevels(levels);
      checkFinite(count);
      m_filled += count;
      handOut();
    }
    if (m_inRow != 0 && m_inRow != m_headDim) wrongLength(std::to_string(m_inRow));
    if (m_inRow == m_headDim) nextRow();
    handOut();
    if (m_row != end) m_input.fail("column vector", withCommas(end) + " rows", withCommas(m_row));
  }

 private:
  void nextRow() {
    ++m_row;
    m_inRow = 0;
  }

  [[noreturn]] void wrongLength(const std::string& found) const {
    m_input.fail(rowPlace("vector", m_row), std::to_string(m_headDim) + " values", found);
  }

  void checkLevels(std::int64_t levels) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(levels); ++i) {
      if (m_repetition[i] == 0 && m_inRow > 0) {
        if (m_inRow != m_headDim) wrongLength(std::to_string(m_inRow));
        nextRow();
      }
      if (m_definition[i] != m_complete) wrongLength("a missing or empty vector, or a missing value in it");
      if (++m_inRow > m_headDim) wrongLength("more");
    }
  }

  void checkFinite(std::int64_t count) const {
    const auto first = m_values.begin() + m_filled, last = first + count;
    const auto bad = std::find_if_not(first, last, [](float value) { return std::isfinite(value); });
    if (bad == last) return;
    const std::int64_t row = m_handedOut + (bad - m_values.begin()) / m_headDim;
    m_input.fail(rowPlace("vector", row), "finite numbers", std::isnan(*bad) ? "NaN" : "an infinite value");
  }

  // Passes whole rows on and moves the rest to the front.
  void handOut() {
    const std::int64_t whole = m_filled / m_headDim * m_headDim;
    if (whole == 0) return;
    m_block(std::span(m_values).first(whole));
    m_handedOut += whole / m_headDim;
    std::copy(m_values.begin() + whole, m_values.begin() + m_filled, m_values.begin());
    m_filled -= whole;
  }

  const ParquetInput& m_input;
  std::int64_t m_headDim, m_batch;
  const std::function<void(std::span<const float>)>& m_block;
  std::vector<std::int16_t> m_definition, m_repetition;
  std::vector<float> m_values;  // the first m_filled are valid
  std::int64_t m_filled = 0, m_row = 0, m_inRow = 0, m_handedOut = 0;
  int m_complete = 0;  // definition level of a present value
};

}  // namespace

bool parquetAvailable() {
  return true;
}

QkTableIndex readQkIndex(const std::filesystem::path& file) {
  QkTableIndex index;
  const ParquetInput input(file);
  withParquetErrors(file, [&] {
    const int vector = vectorLeaf(input);
    requireMemory(input);
    index.bucket = int32Column(input, "bucket");
    index.exampleId = int32Column(input, "example_id");
    index.position = int32Column(input, "position");
    index.slidingWindow = slidingWindowOf(input);
    index.tokenStrings = !input.leavesOf("token_str").empty();
    // Rounded up, so that the first row that is too short is reported when reading vectors.
    const std::int64_t values = input.valuesOf(vector);  // unchecked, up to the largest number
    if (input.rows() > 0) index.headDim = values / input.rows() + (values % input.rows() != 0 ? 1 : 0);
  });
  return index;
}

void readQkVectors(const std::filesystem::path& file, std::int64_t headDim,
                   const std::function<void(std::span<const float> rows)>& block) {
  constexpr std::int64_t kMaxHeadDim = 1 << 20;
  if (headDim < 1 || headDim > kMaxHeadDim) {
    throw InputError({file, "column vector", "1 to " + withCommas(kMaxHeadDim) + " values in a row",
                      std::to_string(headDim)});
  }
  const ParquetInput input(file);
  withParquetErrors(file, [&] {
    const int leaf = vectorLeaf(input);
    VectorRows rows(input, headDim, block);
    for (int group = 0; group < input.rowGroups(); ++group) rows.readGroup(group, leaf);
  });
}

// ---- writing: through Arrow, so that the file contains Arrow's schema: readers then see the fixed-size
// lists and the null type of the author's tool

namespace {

constexpr std::int64_t kRowsPerGroup = 65536;

// Output goes to memory, so only memory can run out; ZSTD's wrapper reports that as an I/O error.
void require(const arrow::Status& status) {
  if (status.IsOutOfMemory() || status.IsIOError()) throw std::bad_alloc();
  if (!status.ok()) throw Error(ErrorKind::Internal, "writing Parquet: " + status.ToString());
}

template <typename Value>
Value required(arrow::Result<Value> result) {
  require(result.status());
  return *std::move(result);
}

std::shared_ptr<arrow::Array> int32Array(std::span<const std::int32_t> values) {
  return std::make_shared<arrow::Int32Array>(std::ssize(values),
                                             arrow::Buffer::Wrap(values.data(), values.size()));
}

std::shared_ptr<arrow::Array> vectorArray(const QkTable& table, std::int64_t rows) {
  const auto values = std::make_shared<arrow::FloatArray>(
      std::ssize(table.vectors), arrow::Buffer::Wrap(table.vectors.data(), table.vectors.size()));
  const auto type = arrow::fixed_size_list(arrow::float32(), static_cast<std::int32_t>(table.headDim));
  return std::make_shared<arrow::FixedSizeListArray>(type, rows, values);
}

std::shared_ptr<arrow::Array> windowArray(const QkTable& table, std::int64_t rows) {
  if (!table.slidingWindow) return std::make_shared<arrow::NullArray>(rows);
  return required(arrow::MakeArrayFromScalar(arrow::Int32Scalar(*table.slidingWindow), rows));
}

}  // namespace

std::string encodeQkTable(const QkTable& table) {
  const auto rows = std::ssize(table.position);
  const std::vector<std::shared_ptr<arrow::Array>> arrays{
      int32Array(table.bucket), int32Array(table.exampleId), int32Array(table.position),
      vectorArray(table, rows), windowArray(table, rows)};
  arrow::FieldVector fields;
  for (const char* name : {"bucket", "example_id", "position", "vector", "sliding_window"}) {
    fields.push_back(arrow::field(name, arrays[fields.size()]->type()));
  }
  const auto sink = required(arrow::io::BufferOutputStream::Create());
  const auto properties = parquet::WriterProperties::Builder().compression(arrow::Compression::ZSTD)->build();
  const auto arrowProperties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  require(parquet::arrow::WriteTable(*arrow::Table::Make(arrow::schema(fields), arrays, rows),
                                     arrow::default_memory_pool(), sink, kRowsPerGroup, properties,
                                     arrowProperties));
  return required(sink->Finish())->ToString();
}

}  // namespace plastiscope
