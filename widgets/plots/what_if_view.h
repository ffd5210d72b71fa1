#pragma once
// AP over query position of a head as it is (dashed) and as it would be after a change.
#include "core/views/what_if_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class WhatIfView : public PlotView {
  Q_OBJECT
 public:
  explicit WhatIfView(QWidget* parent = nullptr);
  void setData(std::shared_ptr<const WhatIfData> data);

 protected:
  void build(QCustomPlot& plot) override;

 private:
  std::shared_ptr<const WhatIfData> m_data;
};

}  // namespace plastiscope
