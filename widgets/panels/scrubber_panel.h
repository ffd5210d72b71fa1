#pragma once
// Histogram in the panel of the query position: PP from 0 to 1 of the key pairs that the queries see.
#include <QWidget>
#include <cstdint>
#include <vector>

namespace plastiscope {

class SpreadBars : public QWidget {
  Q_OBJECT
 public:
  explicit SpreadBars(QWidget* parent = nullptr);
  void setCounts(std::vector<std::int64_t> counts);  // empty: only the frame
  const std::vector<std::int64_t>& counts() const { return m_counts; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;  // tool tips

 private:
  QRectF barsRect() const;

  std::vector<std::int64_t> m_counts;
};

}  // namespace plastiscope
