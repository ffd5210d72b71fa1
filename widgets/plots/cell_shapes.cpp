// Draws the cells of maps and grids as shapes.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/plots/mark_shapes.h"

namespace plastiscope {

namespace {

constexpr std::size_t kVectorCellLimit = 20000;  // above it one image
constexpr std::size_t kManyCells = 1000;         // too slow one by one

class CellShapes {
 public:
  CellShapes(const CellMarks& marks, const BoxMap& map, bool clip)
      : m_marks(marks),
        m_map(map),
        m_style(map.style()),
        m_colours(colourMapOf(marks.colours, m_style)),
        m_clip(clip) {}

  Primitives make() {
    const std::size_t count = m_marks.value.size();
    if (m_marks.between == CellMarks::Between::Joined && count > kVectorCellLimit) {
      addPicture();
      return std::move(m_shapes);
    }
    if (count > kManyCells && isPlain()) {
      addPixels();
      return std::move(m_shapes);
    }
    for (std::size_t i = 0; i < count; ++i) addCell(i);
    for (std::size_t i = 0; i < count; ++i) addSigns(i);
    return std::move(m_shapes);
  }

 private:
  CellState stateAt(std::size_t column, std::size_t row) const {
    return column < m_marks.columns.size() && row < m_marks.rows.size()
               ? m_marks.state[row * m_marks.columns.size() + column]
               : CellState::Empty;
  }

  // Aligned to whole pixels on the screen.
  QRectF cellRect(std::size_t i) const {
    const auto& [left, right] = m_marks.columns[i % m_marks.columns.size()];
    const auto& [low, high] = m_marks.rows[i / m_marks.columns.size()];
    QRectF cell = QRectF(m_map.at(left, high), m_map.at(right, low)).normalized();
    if (!m_map.vector() && m_marks.between != CellMarks::Between::Line)
      cell = QRectF(QPointF(std::round(cell.left()), std::round(cell.top())),
                    QPointF(std::round(cell.right()), std::round(cell.bottom())));
    return cell;
  }

  // Leaves a thin line to the next cell, unless the cell is tiny.
  QRectF apart(const QRectF& cell) const {
    const double gap =
        std::min(cell.width(), cell.height()) >= m_style.u(5) ? lengthOf({0.4, 1}, m_style) : 0;
    return cell.adjusted(0, 0, -gap, -gap);
  }

  QRgb valueColour(std::size_t i) const {
    return m_colours.at((m_marks.value[i] - m_marks.low) / (m_marks.high - m_marks.low));
  }

  QColor cellColour(std::size_t i) const {
    if (m_marks.state[i] == CellState::Few) return colourOf(Ink::FewFill, m_style);
    if (m_marks.state[i] != CellState::Valued) return m_style.colours.window;
    return QColor(valueColour(i));
  }

  void addCell(std::size_t i) {
    if (m_marks.state[i] == CellState::Empty) return;
    QRectF cell = cellRect(i);
    QPen rim(Qt::NoPen);
    if (m_marks.between == CellMarks::Between::Gap) {
      cell = apart(cell);
    } else if (m_marks.between == CellMarks::Between::Line) {
      rim = penOf({Ink::Ground, 1, Weight::Thin, {}, Length{0.25, 0.8}}, m_style);
    } else if (m_map.vector()) {
      // Each cell extends slightly under those painted after it, so that viewers show no gaps between them.
      const std::size_t column = i % m_marks.columns.size(), row = i / m_marks.columns.size();
      if (stateAt(column + 1, row) != CellState::Empty) cell.setRight(cell.right() + m_style.u(0.4));
      if (stateAt(column, row + 1) != CellState::Empty) cell.setTop(cell.top() - m_style.u(0.4));
    }
    if (m_clip) cell &= m_map.rect();
    if (cell.isEmpty()) return;
    m_shapes.push_back(rectShape(cell, cellColour(i), rim));
    m_shapes.back().crisp = !m_map.vector();
  }

  void addSigns(std::size_t i) {
    if (m_marks.state[i] == CellState::Empty) return;
    const QRectF cell = cellRect(i) & m_map.rect();
    if (m_marks.state[i] == CellState::Few)
      addHatch(m_shapes, cell, lengthOf({2.6, 5}, m_style),
               penOf({Ink::FewHatch, 0.9, Weight::Thin}, m_style));
    if (m_marks.state[i] == CellState::Unknown)
      addHatch(m_shapes, cell, m_style.u(4), penOf({Ink::Muted, 1, Weight::Thin}, m_style));
    if (m_marks.texts.empty()) return;
    const QFontMetricsF metrics(m_style.number);
    const QStringList forms = QString::fromStdString(m_marks.texts[i]).split('|');
    const auto fits = [&](const QString& form) {
      return metrics.horizontalAdvance(form) <= cell.width() - m_style.u(1) &&
             0.8 * metrics.height() <= cell.height();
    };
    const auto form = std::find_if(forms.begin(), forms.end(), fits);
    if (form == forms.end() || form->isEmpty()) return;
    const QColor fill = cellColour(i);
    if (m_marks.state[i] == CellState::Few) {  // the hatching would look like minus signs
      QRectF ground(0, 0, metrics.horizontalAdvance(*form) + m_style.u(2), metrics.ascent());
      ground.moveCenter(cell.center());
      m_shapes.push_back(rectShape(ground & cell, fill));
    }
    m_shapes.push_back(centredText(*form, m_style.number, inkOn(fill), cell.center()));
  }

  // True for cells on whole pixels without content.
  bool isPlain() const {
    return !m_map.vector() && m_marks.between == CellMarks::Between::Gap && m_marks.texts.empty() &&
           std::ranges::count(m_marks.state, CellState::Unknown) == 0 &&
           std::ranges::count(m_marks.state, CellState::Few) == 0;
  }

  // Draws all cells of the box in one image.
  void addPixels() {
    const QRect box = m_map.rect().toAlignedRect();
    if (box.isEmpty()) return;
    QImage image(box.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    for (std::size_t i = 0; i < m_marks.value.size(); ++i) {
      if (m_marks.state[i] != CellState::Empty)
        painter.fillRect(apart(cellRect(i)).translated(-box.topLeft()).toRect(), cellColour(i));
    }
    painter.end();
    m_shapes.push_back(pictureShape(image, box));
  }

  // One pixel per cell, the last row on top.
  void addPicture() {
    const auto columns = static_cast<int>(m_marks.columns.size()),
               rows = static_cast<int>(m_marks.rows.size());
    QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
    for (int row = 0; row < rows; ++row) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(rows - 1 - row));
      for (int column = 0; column < columns; ++column) {
        const auto i =
            static_cast<std::size_t>(row) * m_marks.columns.size() + static_cast<std::size_t>(column);
        line[column] = m_marks.state[i] == CellState::Valued  ? valueColour(i)
                       : m_marks.state[i] == CellState::Empty ? qRgba(0, 0, 0, 0)
                                                              : cellColour(i).rgba();
      }
    }
    const QRectF area(m_map.at(m_marks.columns.front().first, m_marks.rows.back().second),
                      m_map.at(m_marks.columns.back().second, m_marks.rows.front().first));
    m_shapes.push_back(pictureShape(area.height() < 0 ? image.mirrored() : image, area.normalized()));
  }

  const CellMarks& m_marks;
  const BoxMap& m_map;
  const PlotStyle& m_style;
  const ColourMap& m_colours;
  bool m_clip;
  Primitives m_shapes;
};

}  // namespace

Primitives cellShapes(const CellMarks& marks, const BoxMap& map, bool clip) {
  return CellShapes(marks, map, clip).make();
}

}  // namespace plastiscope
