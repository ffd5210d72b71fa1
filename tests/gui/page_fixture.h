#pragma once
// A model tab by itself, without the window around it.
#include <gtest/gtest.h>

#include <memory>

#include "gui/wait_for.h"
#include "widgets/pages/model_page.h"

namespace plastiscope::test {

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
  // Until nothing is computed and nothing that is queued starts to be: views load when they are painted.
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
