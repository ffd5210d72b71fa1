#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

std::string fromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST(RepairUtf8, ReplacesMaximalPartsAsPythonDoes) {
  const Json cases = readJsonFile(test::textData("repair.json"));
  ASSERT_GT(cases.size(), 100u);
  for (const Json& row : cases) {
    std::int64_t count = -1;
    EXPECT_EQ(repairUtf8(fromHex(row[0].get<std::string>()), &count), row[1].get<std::string>()) << row[0];
    EXPECT_EQ(count, row[2].get<std::int64_t>()) << row[0];
  }
}

TEST(RepairUtf8, LeavesValidTextAlone) {
  for (const std::string& text : test::goldenTexts()) EXPECT_EQ(repairUtf8(text), text);
}

}  // namespace
}  // namespace plastiscope
