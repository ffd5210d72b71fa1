#pragma once
// Choice of a metric: a box whose list is grouped and can be searched by words, with recent choices first.
#include <QComboBox>
#include <memory>
#include <vector>

#include "core/views/metric_info.h"

namespace plastiscope {

class MetricList;

class MetricBox : public QComboBox {
  Q_OBJECT
 public:
  explicit MetricBox(const char* name, QWidget* parent = nullptr);
  ~MetricBox() override;

  // The data of an item is its column. `none`: title of a first item without a column; "" = no such item.
  void setMetrics(const std::vector<MetricInfo>& metrics, const QString& none = {});

  void showPopup() override;
  void hidePopup() override;

 private:
  void choose(const std::string& column);

  std::vector<MetricInfo> m_metrics;  // by group, in the order in which groups first occur
  QString m_none;
  std::unique_ptr<MetricList> m_list;
};

}  // namespace plastiscope
