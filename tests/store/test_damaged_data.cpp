// Values changed by other means are detected when they are read, and named.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <fstream>
#include <functional>
#include <random>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/verify.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
namespace fs = std::filesystem;

// Where the values of a dataset lie in the file.
struct Place {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;
};

herr_t addPlace(hid_t root, const char* name, const H5O_info_t* info, void* out) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT), type = H5Dget_type(dataset);
  const std::uint64_t bytes = H5Dget_storage_size(dataset);
  // Texts of variable length are stored elsewhere; the dataset has only references.
  if (bytes > 0 && H5Tis_variable_str(type) <= 0)
    static_cast<std::vector<Place>*>(out)->push_back(
        {std::string("/") + name, H5Dget_offset(dataset), bytes});
  H5Tclose(type);
  H5Dclose(dataset);
  return 0;
}

std::vector<Place> placesIn(const fs::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  std::vector<Place> places;
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, addPlace, &places);
  H5Fclose(file);
  return places;
}

void flip(const fs::path& file, std::uint64_t offset, unsigned bit) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekg(static_cast<std::streamoff>(offset));
  const auto byte = static_cast<char>(stream.get() ^ (1 << bit));
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(byte);
}

// Reads all data of a capture.
void readEverything(const fs::path& file) {
  const auto capture = openCapture(file);
  for (const CaptureLayerInfo& layer : capture->info().layerInfos) {
    for (const RowSet set : rowSetsOf(capture->info(), layer)) {
      for (const std::int64_t head : headsOf(layer, set)) capture->rows({layer.layer, head, set});
    }
  }
  for (std::size_t i = 0; i < capture->info().examples.size(); ++i)
    capture->tokenTexts(static_cast<std::int64_t>(i));
}

// A capture with the tokens of its two texts.
class WithWords : public test::SampleCapture {
 public:
  using SampleCapture::SampleCapture;
  const StoredTexts* texts() const override { return &m_texts; }

 private:
  StoredTexts m_texts{{5, 7, 5, 7, 9, 5, 7, 9, 9, 9, 7, 5, 5}, {5, 7, 9}, {"one", " two", " three"}};
};

class DamagedData : public ::testing::Test {
 protected:
  void SetUp() override {
    Progress quiet;
    WithWords content("both");
    const std::vector<std::int32_t> ids = content.texts()->tokenIds;
    const auto digest = [&](std::size_t from, std::size_t count) {
      return sha256Hex(std::string_view(reinterpret_cast<const char*>(ids.data() + from), 4 * count));
    };
    content.editable().examples[0].sha256 = digest(0, 8);
    content.editable().examples[1].sha256 = digest(8, 5);
    writeCapture(content, m_file, quiet);
  }

  void restore(const std::string& bytes) const {
    std::ofstream(m_file, std::ios::binary | std::ios::trunc) << bytes;
  }
  Place placeOf(const std::string& name) const {
    for (const Place& place : placesIn(m_file)) {
      if (place.name == name) return place;
    }
    return {};
  }
  void dropAttribute(const std::string& dataset, const char* name) const {
    const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(H5Adelete_by_name(file, dataset.c_str(), name, H5P_DEFAULT), 0);
    H5Fclose(file);
  }

  test::TemporaryFolder m_folder;
  fs::path m_file = m_folder / "study.h5";
  const std::string m_vectors = "/layers/02/query/vectors/01";
};

TEST_F(DamagedData, ADamagedHeadIsNamedAndTheOthersAreRead) {
  flip(m_file, placeOf(m_vectors).offset + 5, 1);
  const auto capture = openCapture(m_file);
  const auto read = [&] { capture->rows({2, 1, RowSet::Query}); };
  EXPECT_THAT(failureOf(read),
              AllOf(HasSubstr("study.h5: /layers/02/query/vectors/01 (query head L2H1): "),
                    HasSubstr("the checksum of its values does not match: the file is damaged")));
  EXPECT_THAT(failureOf(read), HasSubstr("query head L2H1")) << "the second time too";
  EXPECT_EQ(capture->rows({2, 2, RowSet::Query}).position.size(), 3u);
  EXPECT_EQ(capture->rows({2, 1, RowSet::QueryPreRope}).position.size(), 3u);
}

TEST_F(DamagedData, EveryDatasetIsComparedWhenItIsRead) {
  const std::string bytes = readFile(m_file);
  const std::vector<Place> places = placesIn(m_file);
  EXPECT_THAT(places, SizeIs(::testing::Gt(30u)));
  std::mt19937 random(3);
  for (const Place& place : places) {
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t offset = place.offset + random() % place.bytes;
      flip(m_file, offset, random() % 8);
      EXPECT_THAT(failureOf([&] { readEverything(m_file); }), HasSubstr("study.h5: " + place.name))
          << "byte " << offset - place.offset;
      EXPECT_THAT(verifyFile(m_file).problems, Contains(HasSubstr(place.name)));
      restore(bytes);
    }
  }
  EXPECT_EQ(failureOf([&] { readEverything(m_file); }), "no error");
}

TEST_F(DamagedData, TextsOfVariableLengthAreCompared) {
  const std::string bytes = readFile(m_file);
  const std::size_t place = bytes.find("a b");  // the name of the second example
  ASSERT_NE(place, std::string::npos);
  flip(m_file, place, 1);
  EXPECT_THAT(failureOf([&] { readEverything(m_file); }), HasSubstr("study.h5: /examples/id: "));
}

// HDF5 keeps them without a checksum of its own.
TEST_F(DamagedData, TextsOfAttributesAreCompared) {
  const std::string bytes = readFile(m_file);
  for (const char* text : {"uniform", "both", "sliding", "Gr\xc3\xbc", "hidden_size", "tiny-model"}) {
    const std::size_t place = bytes.find(text);
    ASSERT_NE(place, std::string::npos) << text;
    flip(m_file, place + 1, 0);
    EXPECT_THAT(failureOf([&] { readEverything(m_file); }),
                HasSubstr("study.h5: the checksum of its text attributes"))
        << text;
    EXPECT_THAT(verifyFile(m_file).problems, Not(IsEmpty())) << text;
    restore(bytes);
  }
}

TEST_F(DamagedData, OlderFilesHaveTheSlowerChecksumAlone) {
  dropAttribute(m_vectors, "crc32");
  EXPECT_EQ(failureOf([&] { readEverything(m_file); }), "no error");
  flip(m_file, placeOf(m_vectors).offset, 0);
  EXPECT_THAT(failureOf([&] { readEverything(m_file); }), HasSubstr(m_vectors));
  dropAttribute(m_vectors, "sha256");
  EXPECT_EQ(failureOf([&] { readEverything(m_file); }), "no error") << "nothing to compare with";
}

TEST_F(DamagedData, VerifyReportsEachProblemOnce) {
  flip(m_file, placeOf(m_vectors).offset, 3);
  const VerifyReport report = verifyFile(m_file);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr(m_vectors + " (query head L2H1)")));
  EXPECT_THAT(report.checks, Each(Not(HasSubstr("checksum"))));
  EXPECT_THAT(report.checks, Each(Not(HasSubstr("rows of"))));
}

TEST_F(DamagedData, AHashOfAnotherWriterIsNoDamage) {
  Progress quiet;
  test::SampleCapture content;
  content.editable().settingsHash = std::string(64, '0');
  const auto written = failureOf([&] { writeCapture(content, m_folder / "b.h5", quiet); });
  EXPECT_THAT(written, HasSubstr("settings_hash")) << "captures of this program need a matching hash";
  const fs::path foreign = fs::path(PLASTISCOPE_TEST_DATA) / "analysis/still.h5";  // written with h5py
  const VerifyReport report = verifyFile(foreign);
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("unknown program")));
}

// The seal after the HDF5 data is specific to this program; a rewritten file has none.
TEST_F(DamagedData, TheSealMayBeMissingButNotCut) {
  const auto size = fs::file_size(m_file);
  fs::resize_file(m_file, size - 10);
  EXPECT_THAT(verifyFile(m_file).problems, ElementsAre(HasSubstr("cut short")));
  fs::resize_file(m_file, size - 89);
  const VerifyReport report = verifyFile(m_file);
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("no checksum of the whole file")));
}

// HDF5 would read missing data as zeros, and report rows that are all at position 0 as out of order.
TEST_F(DamagedData, AFileCutWhileOpenIsReportedAsCutShort) {
  const auto capture = openCapture(m_file);
  fs::resize_file(m_file, 4096);
  for (const std::int64_t head : {1, 2}) {
    EXPECT_THAT(failureOf([&] {
                  capture->rows({2, head, RowSet::Query});
                }),
                AllOf(HasSubstr("study.h5: "), HasSubstr("cut short after it had been opened")));
  }
}

// ---- analyses

class DamagedAnalysis : public ::testing::Test {
 protected:
  void SetUp() override {
    AnalysisFile analysis;
    analysis.provenance.settings = Json::object();
    analysis.provenance.settingsHash = sha256Hex("{}");
    analysis.tables.push_back({"heads",
                               {{"layer", std::vector<std::int64_t>{0, 1, 2}},
                                {"ap", std::vector<double>{0.25, 0.5, 0.75}},
                                {"taxonomy", std::vector<std::string>{"mixed", "", "content_focused"}}}});
    analysis.tables.push_back({"map", {{"pp", std::vector<double>{0.5, 0.125}}}});
    writeAnalysis(analysis, m_file);
  }
  // Error message of reading when the attribute of an object has another text.
  std::string failureWith(const char* object, const char* name, const std::string& value) const {
    const std::string bytes = readFile(m_file);
    const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    H5Adelete_by_name(file, "/", "texts_crc32", H5P_DEFAULT);  // as if written with this text
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, value.size());
    const hid_t attribute =
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, type, value.data()), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    const std::string text = failureOf([&] { readAnalysis(m_file); });
    std::ofstream(m_file, std::ios::binary | std::ios::trunc) << bytes;
    return text;
  }

  test::TemporaryFolder m_folder;
  fs::path m_file = m_folder / "a.h5";
};

TEST_F(DamagedAnalysis, OtherJsonIsRefused) {
  EXPECT_THAT(failureWith("/", "warnings", "{}"),
              HasSubstr("expected a JSON array of warnings, found object"));
  EXPECT_THAT(failureWith("/", "warnings", "[1]"), HasSubstr("expected warnings as texts, found number"));
  EXPECT_THAT(failureWith("/", "imported", "{}"),
              HasSubstr("expected a JSON array of imports, found object"));
  EXPECT_THAT(failureWith("/tables/heads", "columns", "{}"),
              HasSubstr("/tables/heads: expected columns as a JSON array, found object"));
  EXPECT_THAT(failureWith("/tables/heads", "columns", "[1]"),
              HasSubstr("/tables/heads: expected column names as texts, found number"));
}

TEST_F(DamagedAnalysis, ColumnsOfAnotherTypeOrLengthAreRefused) {
  const auto failure = [&](hid_t type, hsize_t rows) {
    const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "/tables/heads/ap", H5P_DEFAULT);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &rows, nullptr);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Dclose(H5Dcreate2(file, "/tables/heads/ap", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
    return failureOf([&] { readAnalysis(m_file); });
  };
  EXPECT_THAT(failure(H5T_IEEE_F32LE, 3),
              HasSubstr("/tables/heads/ap: expected int64, float64 or text, found values of another type"));
  EXPECT_THAT(failure(H5T_IEEE_F64LE, 4), HasSubstr("/tables/heads/ap: expected 3 values, found 4"));
}

TEST_F(DamagedAnalysis, DamageInEveryByteOfEveryColumnIsFound) {
  const std::string bytes = readFile(m_file);
  const std::vector<Place> places = placesIn(m_file);
  EXPECT_THAT(places, SizeIs(4));
  for (const Place& place : places) {
    for (std::uint64_t i = 0; i < place.bytes; ++i) {
      flip(m_file, place.offset + i, i % 8);
      EXPECT_THAT(failureOf([&] { readAnalysis(m_file); }), HasSubstr("a.h5: " + place.name)) << i;
      std::ofstream(m_file, std::ios::binary | std::ios::trunc) << bytes;
    }
  }
}

TEST_F(DamagedAnalysis, TheOtherTablesAreRead) {
  for (const Place& place : placesIn(m_file)) {
    if (place.name == "/tables/map/pp") flip(m_file, place.offset, 2);
  }
  const AnalysisFile analysis = readAnalysis(m_file, DamagedTables::LeaveOut);
  ASSERT_NE(analysis.find("heads"), nullptr);
  EXPECT_EQ(analysis.find("heads")->rows(), 3u);
  EXPECT_THAT(failureOf([&] { analysis.find("map"); }), HasSubstr("a.h5: /tables/map/pp"));
  EXPECT_EQ(analysis.find("profile"), nullptr) << "missing is not damaged";
  EXPECT_THAT(verifyFile(m_file).problems, ElementsAre(HasSubstr("/tables/map/pp")));
}

}  // namespace
}  // namespace plastiscope
