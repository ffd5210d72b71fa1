// Damaged, newer and hostile HDF5 files, made with the HDF5 library itself.
#include <gmock/gmock.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <fstream>
#include <random>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/verify.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::failureOf;
using test::SampleCapture;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

std::string readingFailure(const fs::path& file) {
  return failureOf([&] {
    const auto capture = openCapture(file);
    for (const auto& layer : capture->info().layerInfos) {
      for (const auto head : layer.queryHeads) capture->rows({layer.layer, head, RowSet::Query});
      for (const auto head : layer.keyHeads) capture->rows({layer.layer, head, RowSet::Key});
    }
  });
}

class HostileFile : public ::testing::Test {
 protected:
  void SetUp() override {
    Progress quiet;
    writeCapture(SampleCapture(), m_file, quiet);
  }

  // Opens the capture for changing and closes it again.
  void edit(const std::function<void(hid_t)>& change) const {
    const hid_t file = H5Fopen(m_file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    change(file);
    H5Fclose(file);
  }

  static void setInteger(hid_t file, const char* object, const char* name, std::int64_t value) {
    const hid_t place = H5Oopen(file, object, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &value), 0);
    H5Aclose(attribute);
    H5Oclose(place);
  }

  // Puts a dataset of that shape and creation list in place of another.
  static void replace(hid_t file, const char* name, hid_t type, std::vector<hsize_t> dims,
                      hid_t list = H5P_DEFAULT) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
  }

  // Replaces an attribute by one of another kind, with zeros as its value.
  static void retype(hid_t file, const char* object, const char* name, hid_t type) {
    H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const std::array<char, 64> zeros{};
    EXPECT_GE(H5Awrite(attribute, type, zeros.data()), 0);
    H5Aclose(attribute);
    H5Sclose(space);
  }

  // Like `replace`, with stored zeros.
  static void replaceByZeros(hid_t file, const char* name, hid_t type, std::vector<hsize_t> dims) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    replace(file, name, type, std::move(dims), list);
    H5Pclose(list);
  }

  TemporaryFolder m_folder;
  fs::path m_file = m_folder / "a.h5";
  const char* m_vectors = "/layers/02/query/vectors/01";
};

TEST_F(HostileFile, NewerFormatVersionsAreRefused) {
  edit([](hid_t file) { setInteger(file, "/", "format_version", 2); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("newer version of this program"));
  EXPECT_EQ(fileTypeOf(m_file), FileType::Capture);
  EXPECT_THAT(verifyFile(m_file).problems, Not(IsEmpty()));
}

TEST_F(HostileFile, AnAnalysisIsNotACapture) {
  writeAnalysis({}, m_folder / "b.h5");
  EXPECT_THAT(readingFailure(m_folder / "b.h5"), HasSubstr("expected a plastiscope-capture file"));
}

TEST_F(HostileFile, ExternalLinksAreNotFollowed) {
  fs::copy_file(m_file, m_folder / "other.h5");
  edit([&](hid_t file) {
    H5Ldelete(file, m_vectors, H5P_DEFAULT);
    H5Lcreate_external("other.h5", m_vectors, file, m_vectors, H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("link, which is not followed"));
}

TEST_F(HostileFile, SoftLinksAreNotFollowed) {
  edit([](hid_t file) {
    H5Ldelete(file, "/model", H5P_DEFAULT);
    H5Lcreate_soft("/capture", file, "/model", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("/model: expected a group, found a soft or external link"));
}

TEST_F(HostileFile, DataInOtherFilesAreRefused) {
  std::ofstream(m_folder / "secret") << std::string(64, 'x');
  edit([&](hid_t file) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, (m_folder / "secret").c_str(), 0, 48);
    replace(file, m_vectors, H5T_IEEE_F32LE, {3, 4}, list);
    H5Pclose(list);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("expected data inside the file, found data in other files"));
}

TEST_F(HostileFile, VirtualDatasetsAreRefused) {
  edit([&](hid_t file) {
    const std::array<hsize_t, 2> dims{3, 4};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims.data(), nullptr);
    H5Pset_virtual(list, space, "other.h5", "/data", space);
    H5Ldelete(file, m_vectors, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, m_vectors, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("virtual dataset"));
}

// "Shape bombs" declare far more than is stored.
TEST_F(HostileFile, ShapeBombsAreRefusedBeforeMemoryIsTaken) {
  edit([&](hid_t file) { replace(file, "/layers/02/query/position", H5T_STD_I32LE, {hsize_t{1} << 40}); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("1099511627776"));
  edit([&](hid_t file) {
    const std::array<hsize_t, 2> chunk{1, 4};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk.data());
    replace(file, m_vectors, H5T_IEEE_F32LE, {hsize_t{1} << 62, hsize_t{1} << 20}, list);
    H5Pclose(list);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("/layers/02/query"));
}

TEST_F(HostileFile, ShapesWithoutStoredDataAreRefused) {
  edit([&](hid_t file) { replace(file, m_vectors, H5T_IEEE_F32LE, {3, 4}); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("0 B stored"));
}

TEST_F(HostileFile, OtherShapesAndTypesAreRefused) {
  edit([&](hid_t file) { replace(file, m_vectors, H5T_IEEE_F32LE, {3, 4, 1}); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("one or two dimensions"));
  edit([&](hid_t file) { replace(file, m_vectors, H5T_STD_U16LE, {3, 4}); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("values of another type"));
  edit([&](hid_t file) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    replace(file, m_vectors, H5T_IEEE_F32LE, {3, 5}, list);
    H5Pclose(list);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("expected 3 x 4 values, found 3 x 5"));
}

TEST_F(HostileFile, AttributesOfAnotherKindAreRefused) {
  const std::string bytes = readFile(m_file);
  const auto failure = [&](const char* object, const char* name, hid_t type) {
    edit([&](hid_t file) { retype(file, object, name, type); });
    const std::string text = readingFailure(m_file);
    std::ofstream(m_file, std::ios::binary | std::ios::trunc) << bytes;
    return text;
  };
  EXPECT_THAT(failure("/capture", "sampler", H5T_NATIVE_DOUBLE),
              HasSubstr("/capture attribute sampler: expected a text, found a real number"));
  EXPECT_THAT(failure("/capture", "sampler", H5T_NATIVE_OPAQUE),
              HasSubstr("expected a text, found another kind of value"));
  EXPECT_THAT(failure("/capture", "window", H5T_C_S1),
              HasSubstr("/capture attribute window: expected an integer, found a text"));
  EXPECT_THAT(failure("/capture", "rate", H5T_C_S1), HasSubstr("expected a number, found a text"));
  edit([](hid_t file) { setInteger(file, "/layers/02", "rope", 2); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("/layers/02 attribute rope: expected 0 or 1, found 2"));
}

TEST_F(HostileFile, ObjectsOfAnotherKindAreRefused) {
  edit([&](hid_t file) {
    H5Ldelete(file, m_vectors, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_NATIVE_INT);
    H5Tcommit2(file, m_vectors, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Tclose(type);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("/vectors/01: expected a dataset, found a named type"));
}

TEST_F(HostileFile, InconsistentListsAreRefused) {
  const std::string bytes = readFile(m_file);
  const auto failure = [&](const char* name, hid_t type, hsize_t rows) {
    edit([&](hid_t file) { replaceByZeros(file, name, type, {rows}); });
    const std::string text = readingFailure(m_file);
    std::ofstream(m_file, std::ios::binary | std::ios::trunc) << bytes;
    return text;
  };
  EXPECT_THAT(failure("/examples/tokens", H5T_STD_I32LE, 3),
              HasSubstr("/examples: expected lists of equal length, found lists of unequal length"));
  EXPECT_THAT(failure("/layers/02/query/bucket", H5T_STD_I32LE, 4),
              HasSubstr("/layers/02/query: expected position, example and bucket of equal length"));
  edit([](hid_t file) {
    retype(file, "/layers/02", "key_heads", H5T_STD_I64LE);
    setInteger(file, "/layers/02", "key_heads", 3);
  });
  EXPECT_THAT(readingFailure(m_file),
              HasSubstr("/layers/02: expected key_heads to be a divisor of 4, found 3"));
}

TEST_F(HostileFile, FilesOfOtherProgramsAreNamed) {
  const fs::path other = m_folder / "other.h5";
  H5Fclose(H5Fcreate(other.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_EQ(verifyFile(other).kind, FileType::Other);
  EXPECT_THAT(verifyFile(other).problems,
              ::testing::ElementsAre(
                  HasSubstr("expected a capture or an analysis, found an HDF5 file of another program")));
}

TEST_F(HostileFile, NumbersOutOfRangeAreRefused) {
  const auto failure = [&](const char* object, const char* name, std::int64_t wrong, std::int64_t right) {
    edit([&](hid_t file) { setInteger(file, object, name, wrong); });
    const std::string text = readingFailure(m_file);
    edit([&](hid_t file) { setInteger(file, object, name, right); });
    return text;
  };
  EXPECT_THAT(failure("/model", "layers", -1, 12), HasSubstr("/model attribute layers: expected 1 to"));
  EXPECT_THAT(failure("/model", "layers", 11, 12), HasSubstr("names 00 to 10"));
  EXPECT_THAT(failure("/model", "key_heads", 3, 2), HasSubstr("multiple"));
  EXPECT_THAT(failure("/model", "head_dim", std::int64_t{1} << 40, 4), HasSubstr("head_dim"));
  EXPECT_THAT(failure("/model", "head_dim", 5, 4), HasSubstr("3 x 5 values"));
  EXPECT_THAT(failure("/capture", "window", 0, 8), HasSubstr("window"));
  EXPECT_THAT(failure("/capture", "window", 4, 8), HasSubstr("at most 4 tokens"));
  EXPECT_EQ(readingFailure(m_file), "no error");
}

TEST_F(HostileFile, RowsOutOfRangeOrOrderAreRefused) {
  const auto failure = [&](const char* name, std::array<std::int32_t, 3> wrong,
                           std::array<std::int32_t, 3> right) {
    const auto write = [&](const std::array<std::int32_t, 3>& values) {
      edit([&](hid_t file) {
        const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        for (const char* checksum : {"sha256", "crc32"}) {  // as if written with these values
          if (H5Aexists(dataset, checksum) > 0) H5Adelete(dataset, checksum);
        }
        H5Dclose(dataset);
      });
    };
    write(wrong);
    const std::string text = readingFailure(m_file);
    write(right);
    return text;
  };
  const char* const position = "/layers/02/query/position";
  const char* const example = "/layers/02/query/example";
  EXPECT_THAT(failure(position, {1, 8, 0}, {1, 6, 0}), HasSubstr("positions inside their example"));
  EXPECT_THAT(failure(position, {1, 6, 5}, {1, 6, 0}), HasSubstr("position 5 of example 1"));
  EXPECT_THAT(failure(position, {-1, 6, 0}, {1, 6, 0}), HasSubstr("positions inside their example"));
  EXPECT_THAT(failure(position, {6, 1, 0}, {1, 6, 0}), HasSubstr("another order in row 1"));
  EXPECT_THAT(failure(example, {0, 0, 2}, {0, 0, 1}), HasSubstr("examples below 2"));
  EXPECT_THAT(failure(example, {0, 1, 0}, {0, 0, 1}), Not(HasSubstr("no error")));
  EXPECT_EQ(readingFailure(m_file), "no error");
}

TEST_F(HostileFile, MissingPartsAreNamed) {
  edit([](hid_t file) { H5Adelete_by_name(file, "/capture", "sampler", H5P_DEFAULT); });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("/capture: expected the attribute sampler"));
  edit([](hid_t file) { H5Ldelete(file, "/layers/11/key/vectors/01", H5P_DEFAULT); });
  edit([](hid_t file) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 7);
    const hid_t attribute =
        H5Acreate_by_name(file, "/capture", "sampler", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, "uniform");
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
  });
  EXPECT_THAT(readingFailure(m_file), HasSubstr("key head 01 of query head 03"));
}

// ---- damage

TEST_F(HostileFile, EveryCutIsAnError) {
  const std::string bytes = readFile(m_file);
  const fs::path cut = m_folder / "cut.h5";
  for (std::size_t size = 0; size < bytes.size(); size += 509) {
    std::ofstream(cut, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    const bool onlyTheSealIsCut = size + 100 > bytes.size();
    EXPECT_TRUE(onlyTheSealIsCut || readingFailure(cut) != "no error") << size;
    EXPECT_THAT(verifyFile(cut).problems, Not(IsEmpty())) << size;
  }
}

TEST_F(HostileFile, EveryFlippedByteIsFoundByVerify) {
  ASSERT_THAT(verifyFile(m_file).problems, IsEmpty());
  const std::string bytes = readFile(m_file);
  std::mt19937 random(1);
  const fs::path flipped = m_folder / "flipped.h5";
  for (int i = 0; i < 120; ++i) {
    const std::size_t place = random() % bytes.size();
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ (1 << random() % 8));
    std::ofstream(flipped, std::ios::binary | std::ios::trunc) << changed;
    EXPECT_THAT(verifyFile(flipped).problems, Not(IsEmpty())) << "byte " << place;
  }
}

TEST_F(HostileFile, VerifyNamesTheDamagedDataset) {
  edit([&](hid_t file) {
    const hid_t dataset = H5Dopen2(file, "/layers/11/query/bucket", H5P_DEFAULT);
    const std::array<std::int32_t, 3> values{0, 1, 1};
    H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
  });
  EXPECT_THAT(verifyFile(m_file).problems, ::testing::Contains(HasSubstr("/layers/11/query/bucket")));
}

TEST_F(HostileFile, FlippedBytesOfAnAnalysisAreFound) {
  AnalysisFile analysis;
  analysis.provenance.settings = Json::object();
  analysis.provenance.settingsHash = sha256Hex("{}");
  analysis.tables.push_back({"heads", {{"layer", std::vector<std::int64_t>{0, 1, 2}}}});
  writeAnalysis(analysis, m_folder / "b.h5");
  ASSERT_THAT(verifyFile(m_folder / "b.h5").problems, IsEmpty());
  const std::string bytes = readFile(m_folder / "b.h5");
  for (std::size_t place = 0; place < bytes.size(); place += 101) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    std::ofstream(m_folder / "c.h5", std::ios::binary | std::ios::trunc) << changed;
    EXPECT_THAT(verifyFile(m_folder / "c.h5").problems, Not(IsEmpty())) << "byte " << place;
  }
}

// Random bytes over the whole file never crash the reader. HDF5 itself crashes on some damaged heaps of texts
// (H5HG_read of 1.10 follows a null pointer in one of these files); only the sandboxed process crashes, which
// is reported as an error and is rare.
TEST_F(HostileFile, RandomDamageIsAlwaysAnErrorOrHarmless) {
  const std::string bytes = readFile(m_file);
  std::mt19937 random(2);
  const fs::path damaged = m_folder / "damaged.h5";
  std::vector<int> crashed;
  for (int i = 0; i < 120; ++i) {
    std::string changed = bytes;
    for (int k = 0; k < 20; ++k) changed[random() % changed.size()] = static_cast<char>(random());
    std::ofstream(damaged, std::ios::binary | std::ios::trunc) << changed;
    const std::string said = readingFailure(damaged);
    EXPECT_TRUE(said == "no error" || said.starts_with(damaged.string())) << i << ": " << said;
    if (said.find("would crash or hang") != std::string::npos) crashed.push_back(i);
  }
  EXPECT_LE(crashed.size(), 2u) << ::testing::PrintToString(crashed);
}

TEST_F(HostileFile, AFullDiskLeavesNothingBehind) {
  const std::string before = readFile(m_file);
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (rlim_t size = 0; size < before.size(); size += 1511) {
    const rlimit limit{size, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    Progress quiet;
    EXPECT_THROW(writeCapture(SampleCapture(), m_file, quiet), ResourceError) << size;
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(m_folder.listing(), "a.h5") << size;
  }
  EXPECT_EQ(readFile(m_file), before);
  Progress quiet;
  writeCapture(SampleCapture(), m_file, quiet);  // HDF5 still works afterwards
  EXPECT_THAT(verifyFile(m_file).problems, IsEmpty());
}

TEST_F(HostileFile, UnwritablePlacesAreRefused) {
  Progress quiet;
  EXPECT_THROW(writeCapture(SampleCapture(), m_folder / "a.h5/b.h5", quiet), InputError);
  EXPECT_THROW(writeCapture(SampleCapture(), "/proc/nowhere/b.h5", quiet), InputError);
  EXPECT_THROW(writeCapture(SampleCapture(), m_folder.path(), quiet), InputError);
}

}  // namespace
}  // namespace plastiscope
