// The library of the window after files were opened.
#include "gui/window_fixture.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

using test::waitFor;

class LibraryWindow : public test::WindowFixture {};

TEST_F(LibraryWindow, ListsTheAnalysisMadeOnOpening) {
  const fs::path capture = provide("grouped.h5", "study.h5");
  renew();
  window->openPaths({capture});
  ASSERT_TRUE(waitFor([this] { return window->currentPage() && window->settled(); }));
  // Analyses in this folder; the shipped example may have one too.
  const auto analyses = [this] {
    std::vector<LibraryEntry> own = session->library.model().entries(EntryKind::Analysis);
    std::erase_if(own, [this](const LibraryEntry& each) { return each.path.parent_path() != folder.path(); });
    return own;
  };
  ASSERT_EQ(analyses().size(), 1u);
  EXPECT_EQ(analyses().front().path, folder / "study.analysis.h5");
  EXPECT_EQ(analyses().front().name, QStringLiteral("study"));
  renew();  // found again outside the capture folder
  settle();
  EXPECT_EQ(analyses().size(), 1u);
}

TEST_F(LibraryWindow, ListsTheModelThatWasCaptured) {
  renew();
  settle();
  fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "families" / "qwen3", folder / "my model");
  const auto models = [this] { return session->library.model().entries(EntryKind::Model); };
  const std::size_t before = models().size();
  CaptureRequest request;
  request.model = folder / "my model";
  request.out = provide("grouped.h5", "captured.h5");
  CaptureEnd end;
  end.kind = CaptureEnd::Kind::Done;
  Q_EMIT session->captures.ended(end, request);
  ASSERT_TRUE(waitFor([&] { return models().size() == before + 1 && window->settled(); }));
  EXPECT_EQ(models().back().path, folder / "my model");
  showFinished();
  ASSERT_NE(window->currentPage(), nullptr) << "the capture is open";
  Q_EMIT session->captures.ended(end, request);
  settle();
  EXPECT_EQ(models().size(), before + 1);
}

}  // namespace
}  // namespace plastiscope
