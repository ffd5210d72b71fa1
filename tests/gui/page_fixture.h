#pragma once
// A model tab by itself, without the window around it.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "core/jobs/study_job.h"
#include "gui/wait_for.h"
#include "widgets/pages/model_page.h"

namespace plastiscope::test {

// A capture with other token texts: [tokens] of each text.
class WithWords : public CaptureFile {
 public:
  using WordsOf = std::function<std::vector<std::string>(std::int64_t example)>;
  WithWords(std::shared_ptr<const CaptureFile> capture, WordsOf words)
      : m_capture(std::move(capture)), m_words(std::move(words)) {}
  const CaptureInfo& info() const override { return m_capture->info(); }
  const std::filesystem::path& path() const override { return m_capture->path(); }
  CapturedRows rows(const RowPlace& place) const override { return m_capture->rows(place); }
  std::vector<std::string> tokenTexts(std::int64_t example) const override { return m_words(example); }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
  WordsOf m_words;
};

class PageTest : public testing::Test {
 protected:
  void open(std::shared_ptr<const Study> study, const std::filesystem::path& file, HeadName head) {
    ViewSelection start;
    start.head = head;
    page =
        std::make_unique<ModelPage>(ModelTab{std::move(study), file, start}, PageServices{workers, ranges});
    page->resize(1500, 900);
    page->show();
    settle();
  }
  // Opens the shipped example.
  std::shared_ptr<const Study> openExample(HeadName head) {
    const auto file = std::filesystem::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5";
    Progress quiet;
    std::shared_ptr<const Study> study = openStudy(file, AnalysisSettings(), 1, quiet);
    open(study, file, head);
    return study;
  }
  // Waits until nothing is computed or queued; views load when they are painted.
  void settle() {
    do {
      EXPECT_TRUE(waitFor([this] { return page->model().settled(); }));
      settleEvents();
    } while (!page->model().settled() && !testing::Test::HasFailure());
  }
  template <typename Widget>
  Widget* find(const char* name) {
    auto* widget = page->findChild<Widget*>(QString::fromLatin1(name));
    EXPECT_NE(widget, nullptr) << name;
    return widget;
  }

  Workers workers;
  LockedRanges ranges;
  std::unique_ptr<ModelPage> page;
};

}  // namespace plastiscope::test
