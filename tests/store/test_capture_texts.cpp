// The tokens of the texts that a capture keeps.
#include <gmock/gmock.h>

#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/capture_file.h"
#include "core/store/verify.h"
#include "tests/store/sample_capture.h"
#include "tests/support/failure.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using test::SampleCapture;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WithTexts : public SampleCapture {
 public:
  WithTexts() {
    // "é" is cut between its two bytes, as byte-level vocabularies do.
    stored = {{5, 9, 9, 300, 5, 5, 9, 5, /* second */ 300, 301, 5, 9, 9},
              {5, 9, 300, 301},
              {"ab", " c", "\xC3", std::string("\xA9\0z", 3)}};
    editable().examples[0].sha256 = digest(0, 8);
    editable().examples[1].sha256 = digest(8, 5);
  }
  const StoredTexts* texts() const override { return &stored; }
  std::string digest(std::size_t first, std::size_t count) const {
    return sha256Hex(
        std::string_view(reinterpret_cast<const char*>(stored.tokenIds.data() + first), count * 4));
  }
  StoredTexts stored;
};

std::string refusalOf(const WithTexts& content) {
  const TemporaryFolder folder;
  Progress quiet;
  return test::failureOf([&] {
    writeCapture(content, folder / "a.h5", quiet);
    openCapture(folder / "a.h5");
  });
}

TEST(CaptureTexts, EveryTokenHasItsBytes) {
  const TemporaryFolder folder;
  Progress quiet;
  writeCapture(WithTexts(), folder / "a.h5", quiet);
  const auto capture = openCapture(folder / "a.h5");
  EXPECT_THAT(capture->tokenTexts(0), ElementsAre("ab", " c", " c", "\xC3", "ab", "ab", " c", "ab"));
  EXPECT_THAT(capture->tokenTexts(1), ElementsAre("\xC3", std::string("\xA9\0z", 3), "ab", " c", " c"));
  EXPECT_THROW(capture->tokenTexts(2), InputError);
  EXPECT_THAT(verifyFile(folder / "a.h5").problems, IsEmpty());
}

TEST(CaptureTexts, AreEmptyInACaptureWithoutTexts) {
  const TemporaryFolder folder;
  Progress quiet;
  writeCapture(SampleCapture(), folder / "a.h5", quiet);
  EXPECT_THAT(openCapture(folder / "a.h5")->tokenTexts(0), IsEmpty());
}

TEST(CaptureTexts, InconsistentTokensAreRefused) {
  WithTexts tooFew;
  tooFew.stored.tokenIds.pop_back();
  EXPECT_THAT(refusalOf(tooFew), HasSubstr("expected 13 tokens"));
  WithTexts unsorted;
  std::swap(unsorted.stored.vocabulary[0], unsorted.stored.vocabulary[1]);
  EXPECT_THAT(refusalOf(unsorted), HasSubstr("ascending ids"));
  WithTexts pieceMissing;
  pieceMissing.stored.pieces.pop_back();
  EXPECT_THAT(refusalOf(pieceMissing), HasSubstr("one end for each of 4 tokens"));
  WithTexts unknown;
  unknown.stored.tokenIds[2] = 77;
  EXPECT_THAT(refusalOf(unknown), HasSubstr("tokens of the vocabulary"));
}

TEST(CaptureTexts, TokensOfAnotherTextAreRefused) {
  const TemporaryFolder folder;
  Progress quiet;
  WithTexts content;
  content.stored.tokenIds[0] = 9;
  EXPECT_THAT(refusalOf(content), HasSubstr("example 17: its tokens do not have the stated checksum"));
}

}  // namespace
}  // namespace plastiscope
