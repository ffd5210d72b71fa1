// How a program of the wheel chooses its capture backend: with programs in their places that print how they
// were called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files.h"
#include "tests/cli/command.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope::test {
namespace {

class WheelBackend : public testing::Test {
 protected:
  WheelBackend() {
    fs::create_directories(m_folder / "bin");
    fs::create_directories(m_folder / "libexec/plastiscope");
    fs::copy_file(fs::path(PLASTISCOPE_BIN) / "plastiscope-cli", program());
    for (const std::string version : {"2.13", "2.14"})
      write("libexec/plastiscope/plastiscope-capture-" + version,
            "echo backend " + version + " \"$@\" with $LD_LIBRARY_PATH, was $PLASTISCOPE_OUTER_LIBRARY_PATH");
  }
  void write(const std::string& name, const std::string& script) {
    const fs::path file = m_folder / name;
    writeFileAtomically(file, "#!/bin/sh\n" + script + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  // `answer`: what the Python beside the program prints when it is asked for its PyTorch; "": it has none.
  ProgramResult capture(const std::string& answer) {
    write("bin/python3", answer.empty() ? "exit 1" : "echo '" + answer + "'");
    return runProgram(program(),
                      {"capture", "--model", PLASTISCOPE_TEST_DATA "/model/tiny.gguf", "--text", "t", "--out",
                       "o.h5", "--estimate"},
                      {.environment = {"LD_LIBRARY_PATH=/outer", "PLASTISCOPE_PYTHON=/nowhere/python"}});
  }
  std::string program() const { return (m_folder / "bin/plastiscope-cli").string(); }

 private:
  TemporaryFolder m_folder;
};

TEST_F(WheelBackend, IsTheOneForThePyTorchOfItsPython) {
  const ProgramResult older = capture("2.13.0+cpu /site/torch"), newer = capture("2.14.1 /other place/torch");
  EXPECT_THAT(older.out, AllOf(HasSubstr("backend 2.13 capture --model "),
                               HasSubstr("--estimate with /site/torch/lib:/outer, was /outer\n")))
      << older.err;
  EXPECT_THAT(newer.out,
              AllOf(HasSubstr("backend 2.14 capture"), HasSubstr("/other place/torch/lib:/outer")));
}

TEST_F(WheelBackend, NamesAPyTorchThatItDoesNotSupport) {
  for (const std::string version : {"2.15.0", "2.1.0", "12.14.0"}) {
    const ProgramResult refused = capture(version + " /site/torch");
    EXPECT_EQ(refused.exitCode, 2) << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("2.13, 2.14"), HasSubstr(version + " (/site/torch)"),
                                   HasSubstr("pip install \"plastiscope[torch]\"")));
  }
}

TEST_F(WheelBackend, NamesWhatToInstallWithoutPyTorch) {
  const ProgramResult refused = capture("");
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("needs PyTorch (2.13, 2.14)"),
                                 HasSubstr("pip install \"plastiscope[torch]\"")));
}

}  // namespace
}  // namespace plastiscope::test
