// Damaged captures and analyses on the command line: exit code 3 with file, dataset and head; and captures
// rewritten by other programs, which every command accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/store/capture_writer.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The shipped example, written by this program; the vectors of L0 are its first large datasets.
std::string exampleBytes() {
  return readFile(fs::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5");
}

TEST(Damage, NamesTheHeadWithDamagedVectors) {
  const TemporaryFolder folder;
  std::string bytes = exampleBytes();
  for (std::size_t i = 0; i < 4; ++i) bytes[bytes.size() / 2 + i] ^= 0x40;
  writeFileAtomically(folder / "study.h5", bytes);
  const std::string file = (folder / "study.h5").string(), out = (folder / "a.h5").string();
  const auto named =
      AllOf(HasSubstr("study.h5: /layers/"), HasSubstr("head"), HasSubstr("the file is damaged"));
  const ProgramResult analysed = run({"analyze", file, "--out", out});
  EXPECT_EQ(analysed.exitCode, 3);
  EXPECT_THAT(analysed.err, named);
  EXPECT_FALSE(fs::exists(out));
  const ProgramResult verified = run({"verify", file});
  EXPECT_EQ(verified.exitCode, 3);
  EXPECT_EQ(countOf(verified.out + verified.err, "the file is damaged"), 1u) << verified.out << verified.err;
  EXPECT_THAT(verified.out, Not(HasSubstr("ok       checksum")));
  EXPECT_THAT(verified.out, HasSubstr("PROBLEM  /layers/"));
  EXPECT_EQ(folder.listing(), "study.h5");
}

// A capture of the test data as this program writes it.
class Copied : public CaptureContent {
 public:
  explicit Copied(const fs::path& file) : m_capture(openCapture(file)), m_info(m_capture->info()) {
    m_info.settingsHash = sha256Hex(canonicalJson(m_info.settings));
  }
  const CaptureInfo& info() const override { return m_info; }
  RowIndex index(std::int64_t layer, RowSet set) const override {
    for (const CaptureLayerInfo& each : m_info.layerInfos) {
      if (each.layer != layer) continue;
      CapturedRows rows = m_capture->rows({layer, headsOf(each, set).front(), set});
      return {std::move(rows.position), std::move(rows.example), std::move(rows.bucket)};
    }
    return {};
  }
  Storage storage(const RowPlace&) const override { return {}; }
  void vectors(const RowPlace& place,
               const std::function<void(std::span<const std::byte>)>& block) const override {
    const CapturedRows rows = m_capture->rows(place);
    block(std::as_bytes(std::span(rows.vectors)));
  }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
  CaptureInfo m_info;
};

// A flipped byte either is found and the file named, or leaves the tables the same.
TEST(Damage, FindsRandomDamageInACapture) {
  const TemporaryFolder folder;
  const std::string file = (folder / "study.h5").string();
  Progress quiet;
  writeCapture(Copied(fs::path(PLASTISCOPE_TEST_DATA) / "analysis/odd.h5"), file, quiet);
  const std::string original = readFile(file);
  const auto analyse = [&](const char* tables) {
    return run({"analyze", file, "--out", (folder / (std::string(tables) + ".h5")).string(), "--csv",
                (folder / tables).string(), "--bins", "7"});
  };
  ASSERT_EQ(analyse("right").exitCode, 0);
  std::mt19937 random(5);
  int named = 0;
  constexpr int kFlips = 60;
  for (int i = 0; i < kFlips; ++i) {
    std::string bytes = original;
    const std::size_t place = random() % bytes.size();
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
    writeFileAtomically(folder / "study.h5", bytes);
    const std::string tables = "tables" + std::to_string(i);
    const ProgramResult result = analyse(tables.c_str());
    if (result.exitCode == 0) {
      for (const char* table : {"heads.csv", "profile.csv", "axes.csv"})
        EXPECT_EQ(readFile(folder / tables / table), readFile(folder / "right" / table)) << "byte " << place;
    } else {
      EXPECT_EQ(result.exitCode, 3) << result.err;
      EXPECT_THAT(result.err, HasSubstr("study.h5")) << "byte " << place;
      ++named;
    }
    EXPECT_EQ(run({"verify", file}).exitCode, 3) << "byte " << place;
  }
  EXPECT_GT(named, kFlips / 2);
}

class ForeignCapture : public ::testing::TestWithParam<const char*> {};

TEST_P(ForeignCapture, EveryCommandAcceptsIt) {
  const TemporaryFolder folder;
  // Copies: a comparison keeps the analyses of captures beside them.
  const std::string file = (folder / "rewritten.h5").string(), original = (folder / "original.h5").string();
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "store" / (std::string(GetParam()) + ".h5"), file);
  fs::copy_file(fs::path(PLASTISCOPE_TEST_DATA) / "analysis" / "odd.h5", original);
  const std::string a = (folder / "a.h5").string(), b = (folder / "b.h5").string();
  EXPECT_EQ(run({"info", file}).exitCode, 0);
  EXPECT_EQ(run({"verify", file}).exitCode, 0);
  ASSERT_EQ(run({"analyze", file, "--out", a, "--csv", (folder / "a").string()}).exitCode, 0);
  ASSERT_EQ(run({"analyze", original, "--out", b, "--csv", (folder / "b").string()}).exitCode, 0);
  for (const char* table : {"heads.csv", "profile.csv", "map.csv", "axes.csv"})
    EXPECT_EQ(readFile(folder / "a" / table), readFile(folder / "b" / table)) << table;
  EXPECT_EQ(run({"compare", file, original, "--drift", "--csv", (folder / "drift").string()}).exitCode, 0);
}

INSTANTIATE_TEST_SUITE_P(Cli, ForeignCapture, ::testing::Values("gzip", "shuffle", "types"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Damage, ATruncatedFileIsReportedAsCutShort) {
  const TemporaryFolder folder;
  const std::string bytes = exampleBytes(), file = (folder / "cut.h5").string();
  for (const std::size_t kept : {std::size_t{30}, std::size_t{4096}, bytes.size() - 1000}) {
    writeFileAtomically(folder / "cut.h5", bytes.substr(0, kept));
    for (const std::vector<std::string>& call : {std::vector<std::string>{"info", file},
                                                 {"analyze", file, "--out", (folder / "a.h5").string()},
                                                 {"verify", file}}) {
      const ProgramResult result = run(call);
      EXPECT_EQ(result.exitCode, 3) << call.front();
      EXPECT_THAT(result.out + result.err, HasSubstr("cut short")) << call.front() << " " << kept;
    }
  }
}

}  // namespace
}  // namespace plastiscope::test
