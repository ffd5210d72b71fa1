// Memory left by nested control groups, read from folders like those of Linux.
#include "core/base/memory.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "core/base/files.h"
#include "tests/support/temporary_folder.h"

namespace plastiscope {
namespace {
namespace fs = std::filesystem;

constexpr unsigned long long kGigabyte = 1'000'000'000;

class ControlGroups : public ::testing::Test {
 protected:
  void isIn(const std::string& memberships) { write("memberships", memberships); }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((m_folder / file).parent_path());
    writeFileAtomically(m_folder / file, text);
  }
  void group(const std::string& name, const std::string& limit, const std::string& used,
             const std::string& stat = "") {
    write("groups/" + name + "/memory.max", limit + "\n");
    write("groups/" + name + "/memory.current", used + "\n");
    if (!stat.empty()) write("groups/" + name + "/memory.stat", stat);
  }
  unsigned long long left() const {
    return controlGroupMemoryLeft(m_folder / "memberships", m_folder / "groups");
  }

  test::TemporaryFolder m_folder;
};

TEST_F(ControlGroups, NoGroupsLimitNothing) {
  EXPECT_EQ(left(), std::numeric_limits<unsigned long long>::max());
  isIn("0::/a\n");
  group("a", "max", "700000000");
  EXPECT_EQ(left(), std::numeric_limits<unsigned long long>::max());
}

TEST_F(ControlGroups, EveryAncestorLimits) {
  isIn("0::/slice/job/step\n");
  group("slice", "8000000000", "6500000000");
  group("slice/job", "4000000000", "2000000000");
  group("slice/job/step", "max", "1000000000");
  EXPECT_EQ(left(), 3 * kGigabyte / 2);
  group("slice/job/step", "1000000000", "1200000000");  // the limit was lowered
  EXPECT_EQ(left(), 0U);
}

TEST_F(ControlGroups, TheGroupOfAContainerIsItsRoot) {
  isIn("0::/made/elsewhere\n");
  group(".", "4000000000", "1000000000");
  EXPECT_EQ(left(), 3 * kGigabyte);
}

TEST_F(ControlGroups, FilePagesCountAsAvailable) {
  isIn("0::/a\n");
  group(
      "a", "4000000000", "3500000000",
      "anon 500000000\nfile 2900000000\nshmem 100000000\ninactive_file 2000000000\nactive_file 800000000\n");
  EXPECT_EQ(left(), 33 * kGigabyte / 10);
}

TEST_F(ControlGroups, Version1UsesItsTotals) {
  isIn("5:cpu,cpuacct:/\n4:memory:/job\n0::/\n");
  write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("groups/memory/memory.usage_in_bytes", "60000000000\n");
  write("groups/memory/job/memory.limit_in_bytes", "4000000000\n");
  write("groups/memory/job/memory.usage_in_bytes", "3000000000\n");
  write("groups/memory/job/memory.stat",
        "inactive_file 5\ntotal_inactive_file 1500000000\ntotal_active_file 0\n");
  EXPECT_EQ(left(), 5 * kGigabyte / 2);
}

}  // namespace
}  // namespace plastiscope
