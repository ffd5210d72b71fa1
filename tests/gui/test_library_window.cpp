// What the library of a window lists once something was opened in it.
#include "gui/window_fixture.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class LibraryWindow : public test::WindowFixture {};

TEST_F(LibraryWindow, ListsTheAnalysisThatOpeningMade) {
  const fs::path capture = provide("grouped.h5", "study.h5");
  renew();
  window->openPaths({capture});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  // Beside that of the shipped example, where somebody opened it.
  const auto analyses = [this] {
    std::vector<LibraryEntry> own = session->library().entries(EntryKind::Analysis);
    std::erase_if(own, [this](const LibraryEntry& each) { return each.path.parent_path() != folder.path(); });
    return own;
  };
  ASSERT_EQ(analyses().size(), 1u);
  EXPECT_EQ(analyses().front().path, folder / "study.analysis.h5");
  EXPECT_EQ(analyses().front().name, QStringLiteral("study"));
  renew();  // found again, although the capture does not lie in the folder of captures
  settle();
  EXPECT_EQ(analyses().size(), 1u);
}

}  // namespace
}  // namespace plastiscope
