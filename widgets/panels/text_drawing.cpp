// Draws the document: tokens, marks, and the overview beside it.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/panels/text_view.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/plots/primitives.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

bool holds(const std::vector<std::int64_t>& ascending, std::int64_t position) {
  return std::ranges::binary_search(ascending, position);
}

}  // namespace

void TextView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const PlotColours colours = plotColours(themeOf(palette()), false);
  if (!m_message.isEmpty()) {
    painter.setPen(colours.muted);
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                     m_message);
    return;
  }
  const double height = lineHeight();
  const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
  for (std::size_t line = first; line < m_lines.size(); ++line) {
    const double top = static_cast<double>(line - first) * height;
    if (top > viewport()->height()) break;
    painter.setPen(colours.muted);
    painter.drawText(QRectF(0, top, m_gutter - kTextGap, height), Qt::AlignRight | Qt::AlignVCenter,
                     groupedText(static_cast<qint64>(m_lines[line].first)));
    drawLine(painter, m_lines[line], top);
  }
  if (hasOverview()) drawOverview(painter);
}

void TextView::drawLine(QPainter& painter, const TokenLine& line, double top) {
  const PlotColours colours = plotColours(themeOf(palette()), false);
  const TokenColours fills(m_page.coloured, themeOf(palette()));
  const QColor other = m_page.coloured == QueryOrKey::Query ? colours.key : colours.query;
  const double height = lineHeight();
  std::vector<std::pair<int, QRectF>> ranks;
  double x = m_gutter;
  for (std::size_t i = line.first; i < line.last; ++i) {
    const auto position = static_cast<std::int64_t>(i);
    const QRectF box(x, top + 1, widthOf(i), height - 3);
    QColor ink = colours.text;
    if (std::isfinite(m_colours.value[i])) {
      const QColor fill = fills.fill(m_colours.share(i), m_colours.captured[i]);
      if (m_colours.captured[i]) ink = inkOn(fill);
      painter.fillRect(box, fill);
    }
    const bool chosen = holds(m_query, position) || holds(m_key, position);
    if (chosen) {
      painter.fillRect(box, colours.selection);
      ink = inkOn(colours.selection);
    }
    if (m_colours.other[i]) painter.fillRect(QRectF(box.left(), box.bottom(), box.width(), 2), other);
    painter.setPen(ink);
    painter.drawText(
        QPointF(x, top + (height + QFontMetricsF(font()).ascent() - QFontMetricsF(font()).descent()) / 2 - 1),
        QString::fromStdString(m_page.text->tokens[i]));
    const auto outline = [&](const QColor& colour, Qt::PenStyle style) {
      painter.setPen(QPen(colour, 1.6, style));
      painter.drawRoundedRect(box.adjusted(0.8, 0, -0.8, 0), 2, 2);
    };
    if (const int rank = rankOf(position); rank > 0) {
      outline(colours.key, Qt::SolidLine);
      ranks.emplace_back(rank, box);
    }
    if (holds(m_linked, position)) outline(colours.selection, Qt::SolidLine);
    x += widthOf(i);
  }
  drawFound(painter, line, top);
  for (const auto& [rank, box] : ranks) drawRank(painter, rank, box);
}

// Frames the parts of found places that lie in a line.
void TextView::drawFound(QPainter& painter, const TokenLine& line, double top) const {
  painter.setPen(QPen(plotColours(themeOf(palette()), false).selection, 1.6, Qt::DotLine));
  const auto end = static_cast<std::int64_t>(line.last);
  for (auto place =
           std::ranges::lower_bound(m_found, static_cast<std::int64_t>(line.first), {}, &TokenSpan::last);
       place != m_found.end() && place->first < end; ++place) {
    const auto first = std::max<std::int64_t>(place->first, static_cast<std::int64_t>(line.first));
    const QRectF box = rectOf(first).united(rectOf(std::min(place->last, end - 1)));
    painter.drawRoundedRect(QRectF(box.left() + 0.8, top + 1, box.width() - 1.6, lineHeight() - 3), 2, 2);
  }
}

// At the upper left corner of a key's frame, above adjacent tokens.
void TextView::drawRank(QPainter& painter, int rank, const QRectF& frame) const {
  const QColor colour = plotColours(themeOf(palette()), false).key;
  QFont small = font();
  small.setPixelSize(std::max(7, static_cast<int>(0.7 * QFontInfo(font()).pixelSize())));
  small.setBold(true);
  const QFontMetricsF metrics(small);
  const QString text = QString::number(rank);
  const QRectF chip(frame.left() - 2, frame.top() - 3, metrics.horizontalAdvance(text) + 5,
                    metrics.capHeight() + 5);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(chip, 2, 2);
  painter.setFont(small);
  painter.setPen(inkOn(colour));
  painter.drawText(QPointF(chip.left() + 2.5, chip.bottom() - 2.5), text);
  painter.restore();
}

int TextView::rankOf(std::int64_t position) const {
  const auto found = std::ranges::find(strongest(), position);
  return found == strongest().end() ? 0 : static_cast<int>(found - strongest().begin()) + 1;
}

std::span<const std::int64_t> TextView::strongest() const {
  if (!m_page.head) return {};
  return m_page.head->strongest;
}

QRect TextView::overviewRect() const {
  return {viewport()->width() - kOverviewWidth, 0, kOverviewWidth, viewport()->height()};
}

namespace {

// Mean of the captured tokens in a pixel; without any, of all its tokens.
struct OverviewPixel {
  double sum = 0;
  int count = 0;
  bool captured = false;
  void add(double value, bool isCaptured) {
    if (isCaptured && !captured) *this = {0, 0, true};
    if (isCaptured != captured) return;
    sum += value;
    ++count;
  }
  // `fills`: means without captured tokens are faint.
  QRgb colour(const TokenColours& fills) const {
    return count == 0 ? 0 : fills.fill(sum / count, captured).rgba();
  }
};

}  // namespace

// Colours of each line, at most one pixel high; many lines may share a pixel.
QImage TextView::overview(QSize size) const {
  const int width = size.width(), height = std::max(1, size.height());
  std::vector<OverviewPixel> pixels(static_cast<std::size_t>(width * height));
  const double perPixel = std::max(1.0, m_room / width);
  const double step = static_cast<double>(height) / static_cast<double>(m_lines.size());
  const int thick = std::clamp(static_cast<int>(step * 0.8), 1, 3);
  for (std::size_t line = 0; line < m_lines.size(); ++line) {
    const int top = static_cast<int>(static_cast<double>(line) * step);
    double x = 0;
    for (std::size_t i = m_lines[line].first; i < m_lines[line].last; x += widthOf(i++)) {
      if (!std::isfinite(m_colours.value[i])) continue;
      const int left = std::min(width - 1, static_cast<int>(x / perPixel));
      const int right = std::clamp(static_cast<int>((x + widthOf(i)) / perPixel), left + 1, width);
      for (int row = top; row < std::min(height, top + thick); ++row) {
        for (int column = left; column < right; ++column)
          pixels[static_cast<std::size_t>(row * width + column)].add(m_colours.share(i),
                                                                     m_colours.captured[i]);
      }
    }
  }
  const TokenColours fills(m_page.coloured, themeOf(palette()));
  QImage image(width, height, QImage::Format_ARGB32);
  for (int row = 0; row < height; ++row) {
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < width; ++column)
      out[column] = pixels[static_cast<std::size_t>(row * width + column)].colour(fills);
  }
  return image;
}

void TextView::drawOverview(QPainter& painter) {
  const QRect place = overviewRect();
  const PlotColours colours = plotColours(themeOf(palette()), false);
  if (m_overview.height() != place.height())
    m_overview = overview({kOverviewWidth - 2 * kTextGap, place.height()});
  painter.fillRect(place, colours.window);
  painter.drawImage(place.left() + kTextGap, place.top(), m_overview);
  const double step = static_cast<double>(place.height()) / static_cast<double>(m_lines.size());
  const auto tick = [&](std::int64_t position, const QColor& colour) {
    painter.fillRect(
        QRectF(place.left() + 2, static_cast<double>(lineOf(position)) * step, place.width() - 4, 2), colour);
  };
  for (const TokenSpan& words : m_found) tick(words.first, colours.muted);
  for (const std::int64_t position : strongest()) tick(position, colours.key);
  for (const std::int64_t position : m_linked) tick(position, colours.selection);
  for (const auto* rows : {&m_query, &m_key}) {
    for (const std::int64_t position : *rows) tick(position, colours.selection);
  }
  QColor window = colours.text;
  window.setAlphaF(0.10);
  const QRectF frame(place.left(), verticalScrollBar()->value() * step, place.width() - 1,
                     std::max(6.0, pageLines() * step));
  painter.fillRect(frame, window);
  painter.setPen(colours.muted);
  painter.drawRect(frame);
}

}  // namespace plastiscope
