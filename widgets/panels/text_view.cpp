#include "widgets/panels/text_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/views/metric_info.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/primitives.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kTextGap = 8, kOverviewWidth = 44, kStripWidth = 72;
constexpr double kNear = 0.28;  // opacity of what is not captured: a mean of the rows near it

bool holds(const std::vector<std::int64_t>& ascending, std::int64_t position) {
  return std::ranges::binary_search(ascending, position);
}

// The kind of row that the page colours has the map of its kind everywhere. What is most stands out most from
// the page: on a dark one that is the light end.
class TokenColours {
 public:
  TokenColours(QueryOrKey kind, const QPalette& palette)
      : m_map(colourMap(kind == QueryOrKey::Query ? QStringLiteral("blues") : QStringLiteral("reds"))),
        m_dark(themeOf(palette) == Theme::Dark) {}
  QRgb at(double share) const { return m_map.at(m_dark ? 1 - share : share); }

 private:
  ColourMap m_map;
  bool m_dark;
};

}  // namespace

ColourStrip::ColourStrip(QWidget* parent) : QWidget(parent) {
  setToolTip(tr("The middle 98 % of the captured rows of this text"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ColourStrip::setScale(QueryOrKey kind, std::pair<double, double> range) {
  m_kind = kind;
  m_range = range;
  setAccessibleName(tr("Colours from %1 to %2").arg(text(range.first), text(range.second)));
  updateGeometry();
  update();
}

QString ColourStrip::text(double value) const {
  return QString::fromStdString(fixedText(value, m_range.second - m_range.first < 5 ? 2 : 1));
}

QSize ColourStrip::sizeHint() const {
  const QFontMetrics metrics(font());
  return {metrics.horizontalAdvance(text(m_range.first)) + metrics.horizontalAdvance(text(m_range.second)) +
              kStripWidth + 2 * kTextGap,
          metrics.height()};
}

void ColourStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics(font());
  painter.setPen(plotColours(themeOf(palette()), false).muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text(m_range.first));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, text(m_range.second));
  const int left = metrics.horizontalAdvance(text(m_range.first)) + kTextGap;
  const TokenColours colours(m_kind, palette());
  for (int x = 0; x < kStripWidth; ++x)
    painter.fillRect(left + x, 3, 1, height() - 6, QColor(colours.at(static_cast<double>(x) / kStripWidth)));
}

// ---- the document

TextView::TextView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Text"));
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(true);
  viewport()->setBackgroundRole(QPalette::Base);
  verticalScrollBar()->setSingleStep(1);
}

void TextView::setPage(TextPage page) {
  const bool other = page.text != m_page.text;
  m_page = std::move(page);
  m_message.clear();
  if (other) {
    m_found.clear();
    m_strongest.clear();
    m_linked.clear();
    layOut();
    verticalScrollBar()->setValue(0);
  }
  colour();
}

void TextView::setMessage(const QString& sentence) {
  if (sentence == m_message) return;
  m_message = sentence;
  viewport()->update();
}

void TextView::setSelected(std::vector<std::int64_t> query, std::vector<std::int64_t> key) {
  m_query = std::move(query);
  m_key = std::move(key);
  viewport()->update();
}

void TextView::setStrongest(std::vector<std::int64_t> keys) {
  m_strongest = std::move(keys);
  viewport()->update();
}

void TextView::setFound(std::vector<TokenSpan> places) {
  m_found = std::move(places);
  viewport()->update();
}

void TextView::setLinked(std::vector<std::int64_t> positions) {
  m_linked = std::move(positions);
  viewport()->update();
}

// ---- where the tokens stand

double TextView::lineHeight() const {
  return std::ceil(QFontMetricsF(font()).height() * 1.3);
}

int TextView::pageLines() const {
  return std::max(1, static_cast<int>(viewport()->height() / lineHeight()));
}

void TextView::layOut() {
  m_lines.clear();
  m_widths.clear();
  if (!m_page.text) return;
  const TextDocument& text = *m_page.text;
  const QFontMetricsF metrics(font());
  // Few tokens are different from each other.
  m_widths.reserve(text.size());
  for (const std::string& token : text.tokens) {
    const auto [place, isNew] = m_knownWidths.try_emplace(token);
    if (isNew) place->second = metrics.horizontalAdvance(QString::fromStdString(token));
    m_widths.push_back(place->second);
  }
  m_gutter = metrics.horizontalAdvance(groupedText(static_cast<qint64>(text.size()))) + 2 * kTextGap;
  const double room = std::max(80.0, viewport()->width() - m_gutter - kTextGap - kOverviewWidth);
  Line line;
  double used = 0;
  const auto end = [&](std::size_t next) {
    line.last = next;
    m_lines.push_back(line);
    line.first = next;
    used = 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    // A word: a token and those that go on without a space.
    std::size_t next = i + 1;
    double width = widthOf(i);
    while (next < text.size() && !text.endsParagraph[next - 1] && !text.tokens[next].starts_with(' ') &&
           !text.tokens[next - 1].ends_with("\u21B5") && width + widthOf(next) <= room) {
      width += widthOf(next++);
    }
    if (used > 0 && used + width > room) end(i);
    used += width;
    if (text.endsParagraph[next - 1] || next == text.size()) end(next);
    i = next;
  }
  verticalScrollBar()->setPageStep(pageLines());
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_lines.size()) - pageLines()));
  m_overview = {};
}

void TextView::colour() {
  const auto tokens = static_cast<std::int64_t>(m_page.text ? m_page.text->size() : 0);
  m_values.assign(static_cast<std::size_t>(tokens), std::numeric_limits<float>::quiet_NaN());
  m_captured.assign(static_cast<std::size_t>(tokens), false);
  m_other = m_captured;
  if (m_page.head && m_page.head->missing.empty()) {
    const TokenRows& rows = m_page.head->rows(m_page.coloured);
    m_values = tokenValues(rows, m_page.measure, tokens);
    if (m_page.measure == TokenMeasure::Score && m_page.head->scoredBy)  // no key behind the query
      std::fill(m_values.begin() + std::min(tokens, *m_page.head->scoredBy + 1), m_values.end(),
                std::numeric_limits<float>::quiet_NaN());
    m_range = valueRange(rows, m_page.measure);
    const TokenRows& others =
        m_page.head->rows(m_page.coloured == QueryOrKey::Query ? QueryOrKey::Key : QueryOrKey::Query);
    const auto mark = [tokens](const TokenRows& of, std::vector<bool>& marks, const auto& isMeant) {
      for (std::size_t i = 0; i < of.position.size(); ++i) {
        if (of.position[i] < tokens && isMeant(i)) marks[static_cast<std::size_t>(of.position[i])] = true;
      }
    };
    const std::vector<float>& values = rows.values(m_page.measure);
    mark(rows, m_captured, [&](std::size_t i) { return std::isfinite(values[i]); });
    mark(others, m_other, [&](std::size_t i) { return others.row[i] >= 0; });
  }
  m_overview = {};
  viewport()->update();
}

std::size_t TextView::lineOf(std::int64_t position) const {
  const auto line = std::ranges::upper_bound(m_lines, static_cast<std::size_t>(position), {}, &Line::last);
  return static_cast<std::size_t>(std::min(line, m_lines.end() - 1) - m_lines.begin());
}

QRectF TextView::rectOf(std::int64_t position) const {
  if (m_lines.empty()) return {};
  const std::size_t line = lineOf(position);
  double x = m_gutter;
  for (std::size_t i = m_lines[line].first; i < static_cast<std::size_t>(position); ++i) x += widthOf(i);
  const double top = (static_cast<double>(line) - verticalScrollBar()->value()) * lineHeight();
  return {x, top, widthOf(static_cast<std::size_t>(position)), lineHeight()};
}

std::optional<std::int64_t> TextView::tokenAt(const QPoint& place) const {
  const auto row =
      static_cast<std::size_t>(verticalScrollBar()->value() + std::max(0, place.y()) / lineHeight());
  if (!m_page.text || row >= m_lines.size()) return std::nullopt;
  double x = m_gutter;
  for (std::size_t i = m_lines[row].first; i < m_lines[row].last; ++i) {
    if (place.x() >= x && place.x() < x + widthOf(i)) return static_cast<std::int64_t>(i);
    x += widthOf(i);
  }
  return std::nullopt;
}

std::pair<std::int64_t, std::int64_t> TextView::seen() const {
  if (m_lines.empty()) return {0, 0};
  const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
  const std::size_t last = std::min(m_lines.size(), first + static_cast<std::size_t>(pageLines()));
  return {static_cast<std::int64_t>(m_lines[std::min(first, m_lines.size() - 1)].first),
          static_cast<std::int64_t>(m_lines[last - 1].last)};
}

void TextView::show(std::int64_t position) {
  if (m_lines.empty()) return;
  const int line = static_cast<int>(lineOf(position)), top = verticalScrollBar()->value();
  if (line < top || line >= top + pageLines()) verticalScrollBar()->setValue(line - pageLines() / 3);
}

// ---- drawing

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

void TextView::drawLine(QPainter& painter, const Line& line, double top) {
  const PlotColours colours = plotColours(themeOf(palette()), false);
  const TokenColours map(m_page.coloured, palette());
  const QColor other = m_page.coloured == QueryOrKey::Query ? colours.key : colours.query;
  const double height = lineHeight();
  std::vector<std::pair<int, QRectF>> ranks;
  double x = m_gutter;
  for (std::size_t i = line.first; i < line.last; ++i) {
    const auto position = static_cast<std::int64_t>(i);
    const QRectF box(x, top + 1, widthOf(i), height - 3);
    QColor ink = colours.text;
    if (const auto value = static_cast<double>(m_values[i]); std::isfinite(value)) {
      QColor fill = map.at((value - m_range.first) / (m_range.second - m_range.first));
      if (m_captured[i])
        ink = inkOn(fill);
      else
        fill.setAlphaF(kNear);
      painter.fillRect(box, fill);
    }
    const bool chosen = holds(m_query, position) || holds(m_key, position);
    if (chosen) {
      painter.fillRect(box, colours.selection);
      ink = inkOn(colours.selection);
    }
    if (m_other[i]) painter.fillRect(QRectF(box.left(), box.bottom(), box.width(), 2), other);
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

// What of the places found stands in a line, each in one frame.
void TextView::drawFound(QPainter& painter, const Line& line, double top) const {
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

// On the upper left corner of a key's frame, above the tokens beside it.
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
  const auto found = std::ranges::find(m_strongest, position);
  return found == m_strongest.end() ? 0 : static_cast<int>(found - m_strongest.begin()) + 1;
}

QRect TextView::overviewRect() const {
  return {viewport()->width() - kOverviewWidth, 0, kOverviewWidth, viewport()->height()};
}

// Each line as it is coloured, at most a pixel high; many lines share one.
// A pixel shows the mean of its captured tokens; without any, faint, that of all of its tokens.
QImage TextView::overview(int height) const {
  struct Pixel {
    double sum = 0;
    int count = 0;
    bool captured = false;
    void add(double value, bool isCaptured) {
      if (isCaptured && !captured) *this = {0, 0, true};
      if (isCaptured != captured) return;
      sum += value;
      ++count;
    }
  };
  const int width = kOverviewWidth - 2 * kTextGap;
  height = std::max(1, height);
  std::vector<Pixel> pixels(static_cast<std::size_t>(width * height));
  const double perPixel = std::max(1.0, viewport()->width() - m_gutter - kTextGap - kOverviewWidth) / width;
  const double step = static_cast<double>(height) / static_cast<double>(m_lines.size());
  const int thick = std::clamp(static_cast<int>(step * 0.8), 1, 3);
  for (std::size_t line = 0; line < m_lines.size(); ++line) {
    const int top = static_cast<int>(static_cast<double>(line) * step);
    double x = 0;
    for (std::size_t i = m_lines[line].first; i < m_lines[line].last; x += widthOf(i++)) {
      const auto value = static_cast<double>(m_values[i]);
      if (!std::isfinite(value)) continue;
      const int left = std::min(width - 1, static_cast<int>(x / perPixel));
      const int right = std::clamp(static_cast<int>((x + widthOf(i)) / perPixel), left + 1, width);
      for (int row = top; row < std::min(height, top + thick); ++row) {
        for (int column = left; column < right; ++column)
          pixels[static_cast<std::size_t>(row * width + column)].add(value, m_captured[i]);
      }
    }
  }
  const TokenColours map(m_page.coloured, palette());
  QImage image(width, height, QImage::Format_ARGB32);
  for (int row = 0; row < height; ++row) {
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < width; ++column) {
      const Pixel& pixel = pixels[static_cast<std::size_t>(row * width + column)];
      if (pixel.count == 0) {
        out[column] = 0;
        continue;
      }
      const QRgb fill = map.at((pixel.sum / pixel.count - m_range.first) / (m_range.second - m_range.first));
      out[column] = qRgba(qRed(fill), qGreen(fill), qBlue(fill), pixel.captured ? 255 : int(255 * kNear));
    }
  }
  return image;
}

void TextView::drawOverview(QPainter& painter) {
  const QRect place = overviewRect();
  const PlotColours colours = plotColours(themeOf(palette()), false);
  if (m_overview.height() != place.height()) m_overview = overview(place.height());
  painter.fillRect(place, colours.window);
  painter.drawImage(place.left() + kTextGap, place.top(), m_overview);
  const double step = static_cast<double>(place.height()) / static_cast<double>(m_lines.size());
  const auto tick = [&](std::int64_t position, const QColor& colour) {
    painter.fillRect(
        QRectF(place.left() + 2, static_cast<double>(lineOf(position)) * step, place.width() - 4, 2), colour);
  };
  for (const TokenSpan& place : m_found) tick(place.first, colours.muted);
  for (const std::int64_t position : m_strongest) tick(position, colours.key);
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

// ---- mouse and keys

void TextView::resizeEvent(QResizeEvent*) {
  const std::int64_t first = seen().first;
  layOut();
  if (!m_lines.empty()) verticalScrollBar()->setValue(static_cast<int>(lineOf(first)));
  Q_EMIT seenChanged();
}

void TextView::scrollContentsBy(int, int) {
  viewport()->update();
  Q_EMIT seenChanged();
}

void TextView::goToOverview(const QPoint& place) {
  const double share = place.y() / static_cast<double>(std::max(1, viewport()->height()));
  verticalScrollBar()->setValue(static_cast<int>(share * static_cast<double>(m_lines.size())) -
                                pageLines() / 2);
}

void TextView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_message.isEmpty()) return;
  if (hasOverview() && overviewRect().contains(event->pos())) return goToOverview(event->pos());
  if (const auto token = tokenAt(event->pos())) Q_EMIT tokenActivated(*token);
}

void TextView::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0 && hasOverview() && overviewRect().contains(event->pos()))
    return goToOverview(event->pos());
  const auto token = tokenAt(event->pos());
  const bool row =
      token && (m_captured[static_cast<std::size_t>(*token)] || m_other[static_cast<std::size_t>(*token)]);
  viewport()->setCursor(row ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TextView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return Q_EMIT rowStepped(-1);
  if (event->key() == Qt::Key_Right) return Q_EMIT rowStepped(1);
  if (event->key() == Qt::Key_Home) return verticalScrollBar()->setValue(0);
  if (event->key() == Qt::Key_End) return verticalScrollBar()->setValue(verticalScrollBar()->maximum());
  QAbstractScrollArea::keyPressEvent(event);
}

void TextView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    m_knownWidths.clear();
    layOut();
  }
  if (event->type() == QEvent::PaletteChange) m_overview = {};
  QAbstractScrollArea::changeEvent(event);
}

bool TextView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_message.isEmpty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto token = tokenAt(help->pos());
    QToolTip::showText(help->globalPos(), token ? tipOf(*token) : QString(), viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

QString TextView::tipOf(std::int64_t position) const {
  QString tip =
      tr("token %1 of %2").arg(groupedText(position), groupedText(static_cast<qint64>(m_page.text->size())));
  if (!m_page.head) return tip;
  const auto add = [&](QueryOrKey kind, const QString& name) {
    const TokenRows& rows = m_page.head->rows(kind);
    const auto row = rows.at(position);
    if (!row) return;
    tip += QStringLiteral("<br>%1: ").arg(name);
    for (const TokenMeasureInfo& info : tokenMeasures()) {
      const auto value = static_cast<double>(rows.values(info.measure)[*row]);
      if (!std::isfinite(value)) continue;
      tip += QStringLiteral("%1 %2 ").arg(QString::fromUtf8(info.title),
                                          QString::fromStdString(fixedText(value, 2)));
    }
  };
  add(QueryOrKey::Query, tr("query row"));
  add(QueryOrKey::Key, tr("key row"));
  if (tip.contains("<br>")) return tip;
  return tip + tr("<br>not captured: the colour is the mean of the rows near it");
}

}  // namespace plastiscope

#include "moc_text_view.cpp"
