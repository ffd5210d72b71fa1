// Command lines as calls of the Python package.
#include "core/base/python_call.h"

#include <gtest/gtest.h>

#include "core/base/path_text.h"

namespace plastiscope {
namespace {

std::string callOf(const std::string& command, const std::vector<std::string>& arguments) {
  const std::string code = pythonCall(command, arguments), import = "import plastiscope as ps\n\n";
  EXPECT_TRUE(code.starts_with(import)) << code;
  return code.substr(import.size());
}

TEST(PythonCall, MapsOptionsToKeywordArguments) {
  EXPECT_EQ(callOf("render",
                   {"a.h5", "b.h5", "--figure", "map", "--head", "L16H4", "--fixed-date", "--dpi", "600"}),
            "ps.render(\"a.h5\", \"b.h5\", figure=\"map\", head=\"L16H4\", fixed_date=True, dpi=600)\n");
  EXPECT_EQ(callOf("study", {"plan.toml", "--part", "0/1"}), "ps.run_study(\"plan.toml\", part=\"0/1\")\n");
  EXPECT_EQ(callOf("what-if", {"a.h5"}), "ps.what_if(\"a.h5\")\n");
}

TEST(PythonCall, SeveralValuesAreAList) {
  EXPECT_EQ(callOf("probe", {"--text", "a", "b", "--paired", "--titles", "=", "--titles", "One, head"}),
            "ps.probe(text=[\"a\", \"b\"], paired=True, titles=[\"=\", \"One, head\"])\n");
}

TEST(PythonCall, LeavesNumbersAsTheyAreWritten) {
  EXPECT_EQ(callOf("f", {"--a", "-3", "--b", "0.25", "--c", "-1", "2"}), "ps.f(a=-3, b=0.25, c=[-1, 2])\n");
  EXPECT_EQ(
      callOf("f", {"--a", "007", "--b", "1e5", "--c", "12345678901234567890", "--d", "0.10", "--e", "1."}),
      "ps.f(a=\"007\", b=\"1e5\", c=\"12345678901234567890\", d=\"0.10\", e=\"1.\")\n");
}

TEST(PythonCall, QuotesAnyPath) {
  EXPECT_EQ(callOf("f", {pathText("/d/it's \"a\"\\b\n\xC3\xA9.h5")}),
            "ps.f(\"/d/it's \\\"a\\\"\\\\b\\n\xC3\xA9.h5\")\n");
  // Python's spelling of the byte FF, and of a name that has a backslash and "xFF" in it.
  EXPECT_EQ(callOf("f", {pathText("a\xFF.h5"), pathText("a\\xFF.h5")}),
            "ps.f(\"a\\udcFF.h5\", \"a\\\\xFF.h5\")\n");
}

TEST(PythonCall, BreaksLongLines) {
  const std::string longest(90, 'x');
  EXPECT_EQ(callOf("f", {longest, "--out", "a.pdf"}),
            "ps.f(\n    \"" + longest + "\",\n    out=\"a.pdf\",\n)\n");
}

}  // namespace
}  // namespace plastiscope
