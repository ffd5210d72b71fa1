// Captures written or rewritten by other programs: tests/data/store/make_rewritten.py with h5py.
#include <gmock/gmock.h>
#include <hdf5.h>

#include <array>
#include <fstream>
#include <functional>

#include "core/base/error.h"
#include "core/store/capture_file.h"
#include "core/store/capture_writer.h"
#include "core/store/verify.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

const fs::path kData = PLASTISCOPE_TEST_DATA;

class RewrittenFile : public ::testing::TestWithParam<const char*> {};

TEST_P(RewrittenFile, HoldsTheSameRows) {
  if (std::string(GetParam()) == "szip" && H5Zfilter_avail(H5Z_FILTER_SZIP) <= 0)
    GTEST_SKIP() << "this HDF5 library was built without szip";
  const auto original = openCapture(kData / "analysis/odd.h5");
  const fs::path file = kData / "store" / (std::string(GetParam()) + ".h5");
  EXPECT_EQ(fileTypeOf(file), FileType::Capture);
  const auto capture = openCapture(file);
  const CaptureInfo &a = original->info(), &b = capture->info();
  EXPECT_EQ(b.window, a.window);
  EXPECT_EQ(b.sampler, a.sampler);
  EXPECT_EQ(b.headDim, a.headDim);
  EXPECT_EQ(b.contextLength, a.contextLength);
  ASSERT_EQ(b.examples.size(), a.examples.size());
  for (std::size_t i = 0; i < a.examples.size(); ++i) {
    EXPECT_EQ(b.examples[i].id, a.examples[i].id);
    EXPECT_EQ(b.examples[i].sha256, a.examples[i].sha256);
  }
  ASSERT_EQ(b.layerInfos.size(), a.layerInfos.size());
  for (std::size_t l = 0; l < a.layerInfos.size(); ++l) {
    EXPECT_EQ(b.layerInfos[l].rope, a.layerInfos[l].rope);
    EXPECT_EQ(b.layerInfos[l].attention, a.layerInfos[l].attention);
    for (const RowSet set : {RowSet::Query, RowSet::Key}) {
      for (const std::int64_t head : headsOf(a.layerInfos[l], set)) {
        const CapturedRows one = original->rows({a.layerInfos[l].layer, head, set});
        const CapturedRows two = capture->rows({a.layerInfos[l].layer, head, set});
        EXPECT_EQ(two.position, one.position);
        EXPECT_EQ(two.example, one.example);
        EXPECT_EQ(two.bucket, one.bucket);
        EXPECT_EQ(two.vectors, one.vectors);
      }
    }
  }
  EXPECT_THAT(verifyFile(file).problems, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Store, RewrittenFile,
                         ::testing::Values("checked", "chunked", "gzip", "shuffle", "scaleoffset", "szip",
                                           "types"),
                         [](const auto& test) { return std::string(test.param); });

std::string openingFailure(const fs::path& file) {
  return test::failureOf([&] { openCapture(file); });
}

TEST(RewrittenFiles, PluginFiltersAreRefusedByNumber) {
  EXPECT_THAT(
      openingFailure(kData / "store/lzf.h5"),
      HasSubstr("expected data without plugin filters, found data packed by the filter number 32000"));
}

class PackedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    Progress quiet;
    writeCapture(test::SampleCapture("post-rope", false), m_file, quiet);
  }

  // Writes the query vectors of L2H1 again in chunks, through the filters that `pack` adds.
  void pack(std::vector<hsize_t> dims, std::vector<hsize_t> chunk, const std::vector<float>& values,
            const std::function<void(hid_t)>& addFilters) const {
    const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, m_vectors, H5P_DEFAULT);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data());
    addFilters(list);
    const std::vector<hsize_t> most(dims.size(), H5S_UNLIMITED);
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most.data());
    const hid_t dataset = H5Dcreate2(file, m_vectors, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (!values.empty()) {
      EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
  }

  test::TemporaryFolder m_folder;
  fs::path m_file = m_folder / "packed.h5";
  const char* m_vectors = "/layers/02/query/vectors/01";
};

TEST_F(PackedFile, NbitIsRead) {
  const std::vector<float> values = test::SampleCapture("post-rope", false).values(2, RowSet::Query, 1);
  pack({3, 4}, {2, 4}, values, [](hid_t list) { H5Pset_nbit(list); });
  EXPECT_EQ(openCapture(m_file)->rows({2, 1, RowSet::Query}).vectors, values);
}

TEST_F(PackedFile, DataThatExpandTooFarAreRefused) {
  // 80 MB of zeros.
  const hsize_t rows = 5'000'000;
  pack({rows, 4}, {50'000, 4}, std::vector<float>(4 * rows), [](hid_t list) { H5Pset_deflate(list, 1); });
  EXPECT_LT(fs::file_size(m_file), 400'000u);
  EXPECT_THAT(openingFailure(m_file), HasSubstr(std::string(m_vectors) + ": expected at most 64"));
}

TEST_F(PackedFile, HugeChunksAreRefused) {
  pack({3, 4}, {8'000'000, 4}, {}, [](hid_t list) { H5Pset_deflate(list, 1); });
  EXPECT_THAT(openingFailure(m_file), HasSubstr("expected chunks of at most 64"));
}

TEST_F(PackedFile, ChunksThatWereNeverWrittenAreNotZeros) {
  pack({3, 4}, {1, 4}, {}, [](hid_t list) { H5Pset_deflate(list, 1); });
  EXPECT_THAT(openingFailure(m_file), HasSubstr("expected 3 chunks, found 0 stored"));
}

TEST_F(PackedFile, DamageOfPackedDataIsFoundAndNamed) {
  std::vector<float> values(12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i) / 7;
  pack({3, 4}, {3, 4}, values, [](hid_t list) { H5Pset_fletcher32(list); });
  const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, m_vectors, H5P_DEFAULT);
  const std::array<hsize_t, 2> origin{0, 0};
  unsigned mask = 0;
  haddr_t address = 0;
  hsize_t size = 0;
  ASSERT_GE(H5Dget_chunk_info_by_coord(dataset, origin.data(), &mask, &address, &size), 0);
  H5Dclose(dataset);
  H5Fclose(file);
  std::fstream stream(m_file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(address + 8));
  stream.put('!');
  stream.close();
  EXPECT_THAT(openingFailure(m_file), HasSubstr("/layers/02/query/vectors/01 (query head L2H1): "));
}

}  // namespace
}  // namespace plastiscope
