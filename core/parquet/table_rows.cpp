#include "core/parquet/table_rows.h"

#include <arrow/csv/api.h>
#include <arrow/io/compressed.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/util/compression.h>
#include <arrow/util/iterator.h>
#include <arrow/visit_scalar_inline.h>
#include <parquet/arrow/reader.h>

#include <optional>
#include <string_view>
#include <type_traits>

#include "core/base/json.h"
#include "core/parquet/parquet_input.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kRowsAtOnce = 16;     // of Parquet: texts can be megabytes long
constexpr std::int32_t kCsvBlock = 1 << 26;  // bytes, also of the longest record
constexpr std::string_view kIpcFileMark = "ARROW1";

// The value of a scalar; discarded for a type without a form in JSON.
struct ScalarJson {
  Json value = Json(Json::value_t::discarded);

  static Json of(const arrow::Scalar& scalar) {
    if (!scalar.is_valid) return nullptr;
    ScalarJson made;
    PARQUET_THROW_NOT_OK(arrow::VisitScalarInline(scalar, &made));
    return std::move(made.value);
  }

  template <typename Kind>
  arrow::Status Visit(const Kind& scalar) {
    using Type = typename Kind::TypeClass;
    if constexpr (std::is_same_v<Type, arrow::BooleanType> || arrow::is_integer_type<Type>::value ||
                  std::is_same_v<Type, arrow::FloatType> || std::is_same_v<Type, arrow::DoubleType>) {
      value = scalar.value;
    } else if constexpr (std::is_base_of_v<arrow::BaseBinaryScalar, Kind>) {
      value = std::string(scalar.view());
    } else if constexpr (arrow::is_temporal_type<Type>::value) {
      value = scalar.ToString();
    } else if constexpr (std::is_same_v<Type, arrow::DictionaryType>) {
      ARROW_ASSIGN_OR_RAISE(const auto encoded, scalar.GetEncodedValue());
      value = of(*encoded);
    } else if constexpr (std::is_same_v<Type, arrow::StructType>) {
      value = Json::object();
      for (std::size_t i = 0; i < scalar.value.size(); ++i)
        put(value, scalar.type->field(static_cast<int>(i))->name(), *scalar.value[i]);
    } else if constexpr (std::is_base_of_v<arrow::BaseListScalar, Kind>) {
      value = Json::array();
      for (std::int64_t i = 0; i < scalar.value->length(); ++i) {
        ARROW_ASSIGN_OR_RAISE(const auto item, scalar.value->GetScalar(i));
        value.push_back(of(*item));
      }
    }
    return arrow::Status::OK();
  }

  static void put(Json& object, const std::string& name, const arrow::Scalar& scalar) {
    if (Json each = of(scalar); !each.is_discarded()) object[name] = std::move(each);
  }
};

using Reader = std::shared_ptr<arrow::RecordBatchReader>;

Reader arrowReader(const std::shared_ptr<arrow::io::ReadableFile>& input) {
  PARQUET_ASSIGN_OR_THROW(const auto mark, input->ReadAt(0, std::ssize(kIpcFileMark)));
  PARQUET_THROW_NOT_OK(input->Seek(0));
  if (std::string_view(*mark) != kIpcFileMark) {
    PARQUET_ASSIGN_OR_THROW(Reader stream, arrow::ipc::RecordBatchStreamReader::Open(input));
    return stream;
  }
  PARQUET_ASSIGN_OR_THROW(const auto file, arrow::ipc::RecordBatchFileReader::Open(input));
  auto next = [file, number = 0]() mutable -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
    if (number == file->num_record_batches()) return nullptr;
    return file->ReadRecordBatch(number++);
  };
  PARQUET_ASSIGN_OR_THROW(Reader reader, arrow::RecordBatchReader::MakeFromIterator(
                                             arrow::MakeFunctionIterator(std::move(next)), file->schema()));
  return reader;
}

Reader csvReader(const std::shared_ptr<arrow::io::ReadableFile>& input) {
  auto read = arrow::csv::ReadOptions::Defaults();
  read.use_threads = false;
  read.block_size = kCsvBlock;
  auto parse = arrow::csv::ParseOptions::Defaults();
  parse.newlines_in_values = true;
  PARQUET_ASSIGN_OR_THROW(
      Reader reader, arrow::csv::StreamingReader::Make(arrow::io::default_io_context(), input, read, parse,
                                                       arrow::csv::ConvertOptions::Defaults()));
  return reader;
}

void passRows(arrow::RecordBatchReader& reader, const TableRowSink& sink) {
  std::int64_t row = 0;
  while (true) {
    PARQUET_ASSIGN_OR_THROW(const auto batch, reader.Next());
    if (batch == nullptr) return;
    PARQUET_THROW_NOT_OK(batch->ValidateFull());
    for (std::int64_t i = 0; i < batch->num_rows(); ++i) {
      Json record = Json::object();
      for (int column = 0; column < batch->num_columns(); ++column) {
        PARQUET_ASSIGN_OR_THROW(const auto scalar, batch->column(column)->GetScalar(i));
        ScalarJson::put(record, batch->column_name(column), *scalar);
      }
      if (!sink(row++, std::move(record))) return;
    }
  }
}

}  // namespace

void readTableRows(const std::filesystem::path& file, TableKind kind, const TableRowSink& sink) {
  std::optional<ParquetInput> parquet;
  if (kind == TableKind::Parquet) parquet.emplace(file);
  withParquetErrors(file, [&] {
    if (!parquet) {
      PARQUET_ASSIGN_OR_THROW(const auto input, arrow::io::ReadableFile::Open(file.string()));
      return passRows(*(kind == TableKind::Arrow ? arrowReader(input) : csvReader(input)), sink);
    }
    parquet::ArrowReaderProperties properties(false);  // one thread
    properties.set_batch_size(kRowsAtOnce);
    properties.set_pre_buffer(false);
    PARQUET_ASSIGN_OR_THROW(const auto rows, parquet::arrow::FileReader::Make(
                                                 parquet->pool(), parquet->takeReader(), properties));
    PARQUET_ASSIGN_OR_THROW(const auto reader, rows->GetRecordBatchReader());
    passRows(*reader, sink);
  });
}

ByteReader openCompressed(const std::filesystem::path& file) {
  const auto kind = file.extension() == ".gz" ? arrow::Compression::GZIP : arrow::Compression::ZSTD;
  std::shared_ptr<arrow::util::Codec> codec;
  std::shared_ptr<arrow::io::InputStream> stream;
  withParquetErrors(file, [&] {
    PARQUET_ASSIGN_OR_THROW(const auto input, arrow::io::ReadableFile::Open(file.string()));
    PARQUET_ASSIGN_OR_THROW(codec, arrow::util::Codec::Create(kind));
    PARQUET_ASSIGN_OR_THROW(stream, arrow::io::CompressedInputStream::Make(codec.get(), input));
  });
  return [file, codec, stream](std::span<std::byte> out) {
    std::size_t bytes = 0;
    withParquetErrors(file,
                      [&] { PARQUET_ASSIGN_OR_THROW(bytes, stream->Read(std::ssize(out), out.data())); });
    return bytes;
  };
}

}  // namespace plastiscope
