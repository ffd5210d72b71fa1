// Data sets with one error: the message names file, place, expected and found, and no files are left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/parquet/qk_table.h"
#include "core/store/qk_sniffer/conversion.h"
#include "tests/support/recorded_progress.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

fs::path refusedData(const std::string& name) {
  return fs::path(PLASTISCOPE_TEST_DATA) / "qk_sniffer" / name;
}

// The good data set, to be broken in one place.
struct Wrong {
  const char* name;
  std::function<void(const fs::path& set, QkImportRequest& request)> make;
  std::vector<const char*> words;
  ErrorKind kind = ErrorKind::Input;
};

const fs::path kHead = fs::path("l01h02q") / "data.parquet";

// A file of tests/data/qk_sniffer/broken in the place of one head.
auto file(const char* name, const fs::path& place = kHead) {
  return [name, place](const fs::path& set, QkImportRequest&) {
    fs::copy_file(refusedData("broken") / (std::string(name) + ".parquet"), set / place,
                  fs::copy_options::overwrite_existing);
  };
}

auto bytes(const std::function<void(std::string&)>& edit) {
  return [edit](const fs::path& set, QkImportRequest&) {
    std::string content = readFile(set / kHead);
    edit(content);
    writeFileAtomically(set / kHead, content);
  };
}

auto state(const std::function<void(Json&)>& edit) {
  return [edit](const fs::path& set, QkImportRequest&) {
    Json json = readJsonFile(set / "_saver_state.json");
    edit(json);
    writeFileAtomically(set / "_saver_state.json", json.dump());
  };
}

auto content(const char* name, const char* text) {
  return [name, text](const fs::path& set, QkImportRequest&) {
    writeFileAtomically(set / name, std::string_view(text));
  };
}

auto option(const std::function<void(QkImportRequest&)>& edit) {
  return [edit](const fs::path&, QkImportRequest& request) { edit(request); };
}

const std::vector<Wrong>& wrongSets() {
  static const std::vector<Wrong> kCases{
      {"no_such_folder",
       [](const fs::path& set, QkImportRequest&) { fs::remove_all(set); },
       {"set", "no such folder"}},
      {"a_file",
       option([](QkImportRequest& r) { r.folder = refusedData("texts.parquet"); }),
       {"texts.parquet", "a folder"}},
      {"nothing_in_it",
       [](const fs::path& set, QkImportRequest& r) { r.folder = set / "l01h02q"; },
       {"l03h07q", "none"}},
      {"folder_of_another_form",
       [](const fs::path& set, QkImportRequest&) { fs::rename(set / "l01h02q", set / "l1h2q"); },
       {"l1h2q", "lLLhHHq", "two digits"}},
      {"folder_of_another_kind",
       [](const fs::path& set, QkImportRequest&) { fs::rename(set / "l01h02q", set / "l01h02v"); },
       {"l01h02v", "lLLhHHk"}},
      {"no_data",
       [](const fs::path& set, QkImportRequest&) { fs::remove(set / kHead); },
       {"l01h02q", "data.parquet"}},
      {"several_models",
       [](const fs::path& set, QkImportRequest& r) {
         fs::create_directories(set / "models" / "a");
         fs::rename(set / "l01h02q", set / "models" / "a" / "l01h02q");
         fs::create_directories(set / "models" / "b");
         fs::rename(set / "l01h01k", set / "models" / "b" / "l01h01k");
         r.folder = set / "models";
       },
       {"2 models", "models/a"}},
      {"no_queries",
       [](const fs::path& set, QkImportRequest&) {
         for (const char* name : {"l00h00q", "l00h03q", "l01h02q", "l03h00q", "l03h01q"})
           fs::remove_all(set / name);
       },
       {"folders of queries"}},
      {"no_key_head",
       [](const fs::path& set, QkImportRequest&) { fs::remove_all(set / "l01h01k"); },
       {"l01h02q", "l01h01k"}},
      {"no_bucket", file("no_bucket"), {"l01h02q", "column bucket", "int32", "no such column"}},
      {"no_example_id", file("no_example_id"), {"column example_id", "no such column"}},
      {"no_position", file("no_position"), {"column position", "no such column"}},
      {"no_vector", file("no_vector"), {"column vector", "no such column"}},
      {"position_int64", file("position_int64"), {"column position", "int32", "INT64"}},
      {"bucket_text", file("bucket_text"), {"column bucket", "int32", "BYTE_ARRAY"}},
      {"bucket_date", file("bucket_date"), {"column bucket", "int32", "Date"}},
      {"example_list", file("example_list"), {"column example_id", "int32", "a list of INT32"}},
      {"vector_float64", file("vector_float64"), {"column vector", "float32", "DOUBLE"}},
      {"vector_number", file("vector_number"), {"column vector", "a list of float32", "FLOAT"}},
      {"vector_struct", file("vector_struct"), {"column vector", "2 columns"}},
      {"ragged", file("ragged"), {"column vector, row 5", "16 values", "15"}},
      {"null_vector", file("null_vector"), {"column vector, row 5", "missing"}},
      {"null_in_vector", file("null_in_vector"), {"column vector, row 5", "missing"}},
      {"shorter_vectors", file("shorter_vectors"), {"column vector", "16 values", "l00h00q", "found 8"}},
      {"nan", file("nan"), {"column vector, row 5", "finite", "NaN"}},
      {"infinite", file("infinite"), {"column vector, row 5", "finite", "infinite"}},
      {"null_position", file("null_position"), {"column position, row 0", "none"}},
      {"negative_position", file("negative_position"), {"row 0", "position -1"}},
      {"negative_bucket", file("negative_bucket"), {"row 0", "bucket -1"}},
      {"row_twice_other_vector",
       file("row_twice_other_vector"),
       {"l01h02q", "row ", "the vector of row 0, of the same example and position", "another"}},
      {"row_twice_other_bucket",
       file("row_twice_other_bucket"),
       {"l01h02q", "row ", "bucket 1 as in row 0", "found example 7, position ", "bucket 2"}},
      {"two_windows", file("two_windows"), {"sliding_window, row 3", "16", "32"}},
      {"some_windows", file("some_windows"), {"sliding_window, row 3", "16", "none"}},
      {"window_text", file("window_text"), {"sliding_window", "int32", "BYTE_ARRAY"}},
      {"zero_window", file("zero_window"), {"sliding_window, row 0", "0"}},
      {"other_window_in_one_layer",
       [](const fs::path& set, QkImportRequest&) {
         fs::copy_file(set / "l03h00q" / "data.parquet", set / kHead, fs::copy_options::overwrite_existing);
       },
       {"l01h01k", "sliding_window", "32"}},
      {"row_missing", file("row_missing", "l00h03q/data.parquet"), {"l00h03q", "as in l00h00q"}},
      {"row_moved", file("row_moved", "l00h03q/data.parquet"), {"l00h03q", "row 4", "as in l00h00q"}},
      {"bucket_moved", file("bucket_moved", "l00h03q/data.parquet"), {"l00h03q", "row 4", "as in l00h00q"}},
      {"huge_count", file("huge_count"), {"number of rows", "1099511627776"}},
      {"wrong_count", file("wrong_count"), {"number of rows", "1,000"}},
      {"empty",
       bytes([](std::string& c) { c.clear(); }),
       {"l01h02q", "cut short: it ends after 0 of at least 12 bytes"}},
      {"cut_short",
       bytes([](std::string& c) { c.resize(c.size() - 100); }),
       {"l01h02q", "cut short", "without the footer"}},
      {"another_format",
       bytes([](std::string& c) { c = "PK\x03\x04 this is no Parquet file"; }),
       {"l01h02q", "Parquet"}},
      {"garbage_footer",
       bytes([](std::string& c) {
         for (std::size_t i = c.size() - 200; i < c.size() - 8; ++i) c[i] = static_cast<char>(i * 37);
       }),
       {"l01h02q"}},
      {"footer_longer_than_the_file",
       bytes([](std::string& c) { c.replace(c.size() - 8, 4, "\xff\xff\xff\x7f"); }),
       {"l01h02q", "Parquet"}},
      {"garbage_pages",
       bytes([](std::string& c) {
         for (std::size_t i = 4; i < 600; ++i) c[i] = static_cast<char>(i * 91);
       }),
       {"l01h02q", "Parquet"}},
      {"position_beyond_the_window",
       option([](QkImportRequest& r) { r.window = 40; }),
       {"row ", "below the window of 40"}},
      {"window_not_known",
       option([](QkImportRequest& r) { r.window = 0; }),
       {"--window", "64"},
       ErrorKind::Usage},
      {"state_is_no_json", content("_saver_state.json", "{\"model_name\": "), {"_saver_state.json", "JSON"}},
      {"state_is_a_list", content("_saver_state.json", "[1]"), {"_saver_state.json", "object"}},
      {"metadata_is_a_list",
       content("_saver_state.json", "{\"model_metadata\": [1]}"),
       {"_saver_state.json", "model_metadata"}},
      {"model_name_is_a_number",
       content("_saver_state.json", "{\"model_name\": 1}"),
       {"_saver_state.json", "model_name"}},
      {"fewer_heads_stated",
       state([](Json& s) { s["model_metadata"]["head_sampling_num_query_heads"] = 2; }),
       {"l00h03q", "2 query heads"}},
      {"heads_do_not_divide",
       state([](Json& s) { s["model_metadata"]["head_sampling_num_query_heads"] = 5; }),
       {"multiple of the 2 key heads", "5"}},
      {"count_out_of_range",
       state([](Json& s) { s["model_metadata"]["head_sampling_num_layers"] = 1e30; }),
       {"head_sampling_num_layers", "1e+30"}},
      {"sampler_not_known",
       state([](Json& s) { s["model_metadata"]["sampling_strategy"] = "uniforn"; }),
       {"uniforn"},
       ErrorKind::Usage},
      {"buckets_not_known",
       [](const fs::path& set, QkImportRequest& r) {
         state([](Json& s) { s["model_metadata"].erase("sampling_bucket_size"); })(set, r);
         r.window = 128;
       },
       {"--sampler", "--bucket-size"},
       ErrorKind::Usage},
      {"point_of_another_name",
       option([](QkImportRequest& r) { r.point = "both"; }),
       {"--point", "both"},
       ErrorKind::Usage},
      {"rope_of_another_kind",
       option([](QkImportRequest& r) {
         r.rope = Json{{"rope_type", "spiral"}};
       }),
       {"spiral", "yarn"},
       ErrorKind::Usage},
      {"facts_of_another_format",
       content("plastiscope.json", "{\"format\": \"x\"}"),
       {"plastiscope.json", "format"}},
      {"facts_of_a_newer_version",
       content("plastiscope.json", "{\"format\": \"plastiscope-qk-sniffer\", \"format_version\": 2}"),
       {"plastiscope.json", "format_version", "2"}},
      {"facts_of_another_kind",
       content(
           "plastiscope.json",
           "{\"format\": \"plastiscope-qk-sniffer\", \"format_version\": 1, \"capture\": {\"rate\": \"x\"}}"),
       {"plastiscope.json", "capture.rate", "a number"}},
      {"facts_of_other_examples",
       content("plastiscope.json",
               "{\"format\": \"plastiscope-qk-sniffer\", \"format_version\": 1, \"examples\": {\"7\": "
               "{\"seed_id\": 8}}}"),
       {"plastiscope.json", "examples.7.seed_id", "8"}},
  };
  return kCases;
}

class WrongSets : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongSets, AreRefusedWithTheirPlace) {
  if (!parquetAvailable()) GTEST_SKIP() << "this build has no Arrow";
  const TemporaryFolder folder;
  RecordedProgress progress;
  fs::copy(refusedData("branch"), folder / "set", fs::copy_options::recursive);
  fs::create_directory(folder / "out");
  QkImportRequest request;
  request.folder = folder / "set";
  request.out = folder / "out" / "a.h5";
  request.window = 64;
  GetParam().make(folder / "set", request);
  try {
    importQkSniffer(request, progress);
    ADD_FAILURE() << "the data set was imported";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), GetParam().kind) << error.what();
    for (const char* word : GetParam().words) EXPECT_THAT(error.what(), HasSubstr(word));
  }
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

INSTANTIATE_TEST_SUITE_P(QkSniffer, WrongSets, ::testing::ValuesIn(wrongSets()),
                         [](const auto& test) { return std::string(test.param.name); });

// A changed byte is either refused with a message or leaves rows of the right shape; nothing crashes.
TEST(QkSnifferMutants, NeverCrash) {
  if (!parquetAvailable()) GTEST_SKIP() << "this build has no Arrow";
  const TemporaryFolder folder;
  const std::string good = readFile(refusedData("branch") / kHead);
  const fs::path path = folder / "mutant.parquet";
  std::uint64_t random = 1;
  const auto next = [&](std::uint64_t below) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (random >> 33) % below;
  };
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string mutant = good;
    for (std::uint64_t changes = 1 + next(3); changes > 0; --changes)
      mutant[next(mutant.size())] = static_cast<char>(next(256));
    if (next(20) == 0) mutant.resize(next(mutant.size()));
    std::ofstream(path, std::ios::binary) << mutant;
    try {
      const QkTableIndex index = readQkIndex(path);
      EXPECT_EQ(index.bucket.size(), index.position.size());
      std::size_t values = 0;
      readQkVectors(path, 16, [&](std::span<const float> rows) { values += rows.size(); });
      EXPECT_EQ(values, 16 * index.position.size());
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::Input) << error.what();
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace plastiscope::test
