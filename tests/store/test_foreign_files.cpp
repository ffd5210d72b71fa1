// What is said of files that are no captures, or no longer whole ones.
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/store/capture_file.h"
#include "core/store/foreign_file.h"
#include "tests/store/sample_capture.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class ForeignFile : public ::testing::Test {
 protected:
  fs::path write(const std::string& content) const {
    const fs::path file = m_folder.path() / "x.h5";
    writeFileAtomically(file, content);
    return file;
  }
  // What is said when the first `kept` bytes of a capture are opened.
  std::string openingOf(std::uintmax_t kept) const {
    const fs::path file = m_folder.path() / "cut.h5";
    Progress quiet;
    writeCapture(test::SampleCapture(), file, quiet);
    whole = fs::file_size(file);
    fs::resize_file(file, kept > 0 ? kept : whole);
    try {
      openCapture(file);
      return "opened";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  mutable std::uintmax_t whole = 0;

 private:
  test::TemporaryFolder m_folder;
};

TEST_F(ForeignFile, IsCalledWhatItIs) {
  EXPECT_EQ(foreignContentOf(write("")), "an empty file");
  EXPECT_EQ(foreignContentOf(write("Zwölf Boxkämpfer jagen Viktor")), "a text file");
  EXPECT_EQ(foreignContentOf(write(std::string("PK\x03\x04\0\0", 6))), "a file of another format");
  EXPECT_EQ(foreignContentOf(write("\xff\xfe text")), "a file of another format");
  EXPECT_EQ(foreignContentOf(write("\x89HDF\r\n\x1a\n rest")), "an HDF5 file of another program");
}

TEST_F(ForeignFile, TextMayBeCutWithinALetterBySampling) {
  EXPECT_EQ(foreignContentOf(write(std::string(4095, 'a') + "ö and more")), "a text file");
}

TEST_F(ForeignFile, CutCaptureSaysHowManyBytesAreThere) {
  EXPECT_EQ(openingOf(0), "opened");
  const std::string said = openingOf(3000);
  EXPECT_THAT(said, HasSubstr("the file is cut short: it ends after 3,000 of "));
  EXPECT_THAT(said, Not(HasSubstr("eof")));
  EXPECT_THAT(openingOf(20), HasSubstr("the file is cut short: it ends after 20 of "));
}

}  // namespace
}  // namespace plastiscope
