#pragma once
// "Compose page": puts figures of the open tabs on a page of the venue, with places, letters, titles and a
// draft of the caption. The page is exported as figure "page".
#include <QDialog>
#include <functional>
#include <memory>

#include "widgets/export/page_plan.h"

namespace plastiscope {

class Workers;

// Figures offered for a page, one group per tab.
struct PageOffer {
  QString tab;
  std::vector<PageFigure> figures;
};

class PageComposer : public QDialog {
  Q_OBJECT
 public:
  // `offers`: called when the window becomes active, since tabs are opened and closed meanwhile. `screenDpi`:
  // 0 = as the screen reports.
  PageComposer(PagePlan plan, std::function<std::vector<PageOffer>()> offers, double screenDpi,
               Workers& workers, QWidget* parent = nullptr);
  ~PageComposer() override;

  const PagePlan& plan() const;
  // At the place, or at the first free one.
  void add(const PageFigure& figure, std::optional<PanelPlace> at = {});
  bool settled() const;  // the picture is that of the plan

 Q_SIGNALS:
  void changed(const plastiscope::PagePlan& plan);
  void exportRequested();

 protected:
  bool event(QEvent* event) override;

 private:
  void layOut();
  QWidget* panelFields();
  void connectAll();
  void listFigures();
  void change(const std::function<std::optional<std::size_t>(PagePlan&)>& edit);
  void step(std::vector<PagePlan>& from, std::vector<PagePlan>& to);
  void refresh(std::optional<std::size_t> panel);
  void showPanel();
  void prepare();
  void draw();
  double dpi() const;

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
