#pragma once
// Titles of the rows and columns of the matrix, and its numbers.
#include <QColor>
#include <QFrame>
#include <QIcon>
#include <QWidget>
#include <optional>

#include "core/compare/compare_matrix.h"
#include "core/views/plot.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace plastiscope {

class ElidedLabel;
class ScaleStrip;

// Name and description of a row, and a switch between values and differences from the baseline.
class MatrixRowTitle : public QWidget {
 public:
  MatrixRowTitle(MatrixRow row, QWidget* parent);
  QPushButton& less() { return *m_less; }
  struct Words {
    QString what, axes;  // rich
  };
  void show(const Words& words, bool less, const std::optional<ColourScale>& scale);
  using QWidget::show;

 private:
  QLabel *m_what, *m_axes;
  QPushButton* m_less;
  ScaleStrip* m_scale;
};

// Mark, name and description of a capture, with buttons to pin it as the baseline and to remove it.
class MatrixColumnHead : public QFrame {
 public:
  explicit MatrixColumnHead(QWidget* parent);
  QToolButton& pin() { return *m_pin; }
  QToolButton& close() { return *m_close; }
  struct Words {
    QString name, whole, note;  // short name; full name; description
  };
  struct Look {
    QIcon mark;
    QColor colour;
  };
  void show(const Look& look, const Words& words, bool baseline);
  using QWidget::show;

 protected:
  void paintEvent(QPaintEvent* event) override;  // stripe in the colour of the capture on top

 private:
  QLabel* m_mark;
  ElidedLabel *m_name, *m_note;
  QLabel* m_baseline;
  QColor m_colour;
  QToolButton *m_pin, *m_close;
};

// Rich-text tables for the row of numbers, with aligned lines.
QString matrixNumberTitles(const CompareMatrix& matrix);
// One capture: values; for the baseline with intervals, for others with differences from it.
QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column);

}  // namespace plastiscope
