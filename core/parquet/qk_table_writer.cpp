// Writes through Arrow, so that the file contains Arrow's schema: readers then see the fixed-size lists and
// the null type of the author's tool.
#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/writer.h>

#include "core/base/error.h"
#include "core/parquet/qk_table.h"

namespace plastiscope {

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
  return std::make_shared<arrow::Int32Array>(static_cast<std::int64_t>(values.size()),
                                             arrow::Buffer::Wrap(values.data(), values.size()));
}

std::shared_ptr<arrow::Array> vectorArray(const QkTable& table, std::int64_t rows) {
  const auto values =
      std::make_shared<arrow::FloatArray>(static_cast<std::int64_t>(table.vectors.size()),
                                          arrow::Buffer::Wrap(table.vectors.data(), table.vectors.size()));
  const auto type = arrow::fixed_size_list(arrow::float32(), static_cast<std::int32_t>(table.headDim));
  return std::make_shared<arrow::FixedSizeListArray>(type, rows, values);
}

std::shared_ptr<arrow::Array> windowArray(const QkTable& table, std::int64_t rows) {
  if (!table.slidingWindow) return std::make_shared<arrow::NullArray>(rows);
  return required(arrow::MakeArrayFromScalar(arrow::Int32Scalar(*table.slidingWindow), rows));
}

}  // namespace

std::string encodeQkTable(const QkTable& table) {
  const auto rows = static_cast<std::int64_t>(table.position.size());
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
