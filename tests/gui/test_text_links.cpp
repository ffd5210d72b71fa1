// A selection in one tab marks the same characters in a tab with other tokens.
#include <QComboBox>
#include <QLabel>

#include "core/jobs/study_job.h"
#include "core/views/token_text.h"
#include "gui/page_fixture.h"
#include "widgets/models/text_links.h"
#include "widgets/panels/text_view.h"

namespace plastiscope {
namespace {

using testing::Test;

// The example as another tokenizer would cut it: a special token in front, then two tokens as one. Its texts
// are in reverse order.
class Recut : public CaptureFile {
 public:
  explicit Recut(std::shared_ptr<const CaptureFile> capture)
      : m_capture(std::move(capture)), m_info(m_capture->info()) {
    std::ranges::reverse(m_info.examples);
  }
  const CaptureInfo& info() const override { return m_info; }
  const std::filesystem::path& path() const override { return m_capture->path(); }
  CapturedRows rows(const RowPlace& place) const override {
    CapturedRows rows = m_capture->rows(place);
    for (std::int32_t& example : rows.example) example = last() - example;
    return rows;
  }
  bool hasTexts() const override { return true; }
  std::vector<std::string> tokenTexts(std::int64_t example) const override {
    const std::vector<std::string> tokens = m_capture->tokenTexts(last() - example);
    std::vector<std::string> pairs = {"<|begin|>"};
    for (std::size_t i = 0; i < tokens.size(); i += 2)
      pairs.push_back(tokens[i] + (i + 1 < tokens.size() ? tokens[i + 1] : ""));
    return pairs;
  }
  std::int32_t last() const { return static_cast<std::int32_t>(m_info.examples.size()) - 1; }

 private:
  std::shared_ptr<const CaptureFile> m_capture;
  CaptureInfo m_info;
};

class TextLinksTest : public test::PageTest {
 protected:
  TextLinksTest() {
    Progress quiet;
    const auto file = std::filesystem::path(PLASTISCOPE_RESOURCES) / "example" / "smollm2-135m-licences.h5";
    study = openStudy(file, AnalysisSettings(), 1, quiet);
    auto recut = std::make_shared<Study>(*study);
    recut->capture = std::make_shared<Recut>(study->capture);
    open(study, file, {16, 4});
    first = std::move(page);
    open(recut, file, {4, 3});
    page->showView(QStringLiteral("textDock"));
    settle();
    links.add(first->model());
    links.add(page->model());
  }
  void wait() {
    EXPECT_TRUE(test::waitFor([this] { return !links.running(); }));
    settle();
  }

  std::shared_ptr<const Study> study;
  std::unique_ptr<ModelPage> first;
  TextLinks links{workers};
};

TEST_F(TextLinksTest, TheSelectionFollowsTheCharacters) {
  const PlaneRows& queries = first->model().views()->plane->query;
  std::size_t row = queries.size() / 2;
  const std::vector<std::string> tokens = study->capture->tokenTexts(queries.example[row]);
  while (tokens[static_cast<std::size_t>(queries.position[row])].find_first_not_of(" \n") ==
         std::string::npos)
    ++row;
  first->selection().setRows({static_cast<std::int64_t>(row)}, {});
  wait();
  const LinkedTokens& linked = page->model().linkedTokens();
  EXPECT_EQ(linked.example,
            static_cast<std::int64_t>(study->capture->info().examples.size()) - 1 - queries.example[row]);
  EXPECT_EQ(linked.positions, std::vector<std::int64_t>{queries.position[row] / 2 + 1});
  EXPECT_EQ(find<QComboBox>("textChoice")->currentIndex(), linked.example);
  EXPECT_TRUE(find<QLabel>("textStatus")->text().startsWith(QStringLiteral("framed: the characters")));
  const auto [from, to] = page->findChild<TextView*>()->seen();
  EXPECT_LE(from, linked.positions.front());
  EXPECT_GT(to, linked.positions.front());
  // Captured rows at these characters are selected; they do not change the first tab.
  const auto& selected = page->selection().value().rows;
  const PlaneRows& others = page->model().views()->plane->query;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const bool there = others.example[i] == linked.example && others.position[i] == linked.positions.front();
    EXPECT_EQ(there, selected && std::ranges::count(selected->query, static_cast<std::int64_t>(i)) > 0) << i;
  }
  EXPECT_EQ(first->selection().value().rows->query,
            std::vector<std::int64_t>{static_cast<std::int64_t>(row)});

  first->selection().setRows({}, {});
  wait();
  EXPECT_TRUE(page->model().linkedTokens().positions.empty());
}

TEST_F(TextLinksTest, OtherTextsAreLeftAlone) {
  class Foreign : public Recut {
   public:
    using Recut::Recut;
    std::vector<std::string> tokenTexts(std::int64_t) const override {
      return std::vector<std::string>(4096, " other");
    }
  };
  auto foreign = std::make_shared<Study>(*study);
  foreign->capture = std::make_shared<Foreign>(study->capture);
  page->model().setStudy(foreign);
  settle();
  first->selection().setRows({5}, {});
  wait();
  EXPECT_TRUE(page->model().linkedTokens().positions.empty());
  EXPECT_EQ(page->selection().value().rows, nullptr);
}

}  // namespace
}  // namespace plastiscope
