// Tensor files with their own checksum, which store the state of a capture's group.
#include "core/store/parked_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/files.h"
#include "tests/support/stop_at_question.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

// Content of three read blocks, in two pieces.
class TensorFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::iota(m_values.begin(), m_values.end(), 0.0F);
    const auto bytes = std::as_bytes(std::span(m_values));
    const auto rows = static_cast<std::int64_t>(m_values.size() / 4);
    writeTensorFile(m_file, {{"kind", "a test"}},
                    {{"x", "F32", {rows, 4}, {bytes.first(64), bytes.subspan(64)}}});
  }

  TemporaryFolder m_folder;
  const std::filesystem::path m_file = m_folder / "a.safetensors";
  std::vector<float> m_values = std::vector<float>(700'000);
};

TEST_F(TensorFiles, GiveBackWhatWasWritten) {
  Progress progress;
  const TensorFile file(m_file, progress);
  EXPECT_EQ(file.fact("kind"), "a test");
  const TensorInfo& tensor = file.tensor("x");
  EXPECT_THAT(tensor.shape, ::testing::ElementsAre(175'000, 4));
  std::vector<float> read(m_values.size() - 5);
  file.read(tensor, 20, std::as_writable_bytes(std::span(read)));
  EXPECT_TRUE(std::equal(read.begin(), read.end(), m_values.begin() + 5));
  EXPECT_THROW(file.tensor("y"), InputError);
  EXPECT_THROW(file.fact("colour"), InputError);
}

TEST_F(TensorFiles, AStopEndsTheChecksum) {
  for (int block = 0; block < 3; ++block) {
    StopAtQuestion progress(block);
    EXPECT_THROW(TensorFile(m_file, progress), Stopped) << block;
  }
  StopAtQuestion afterwards(3);
  EXPECT_NO_THROW(TensorFile(m_file, afterwards));
}

TEST_F(TensorFiles, AChangedByteIsRefused) {
  std::string bytes = readFile(m_file);
  bytes[bytes.size() / 2] ^= 1;
  writeFileAtomically(m_file, bytes);
  Progress progress;
  EXPECT_THROW(TensorFile(m_file, progress), InputError);
}

}  // namespace
}  // namespace plastiscope::test
