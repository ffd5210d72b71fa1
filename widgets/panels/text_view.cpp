#include "widgets/panels/text_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/views/metric_info.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

TokenWidths measureTokens(const TextDocument& text, const QFont& font) {
  const QFontMetricsF metrics(font);
  std::unordered_map<std::string_view, double> known;  // tokens repeat often
  TokenWidths measured{font, {}};
  measured.tokens.reserve(text.size());
  for (const std::string& token : text.tokens) {
    const auto [place, isNew] = known.try_emplace(token);
    if (isNew) place->second = metrics.horizontalAdvance(QString::fromStdString(token));
    measured.tokens.push_back(place->second);
  }
  return measured;
}

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
  if (!other) page.widths = m_page.widths;
  m_page = std::move(page);
  m_message.clear();
  if (other) {
    m_found.clear();
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

void TextView::setFound(std::vector<TokenSpan> places) {
  m_found = std::move(places);
  viewport()->update();
}

void TextView::setLinked(std::vector<std::int64_t> positions) {
  m_linked = std::move(positions);
  viewport()->update();
}

// ---- positions of the tokens

double TextView::lineHeight() const {
  return std::ceil(QFontMetricsF(font()).height() * 1.3);
}

int TextView::pageLines() const {
  return std::max(1, static_cast<int>(viewport()->height() / lineHeight()));
}

void TextView::layOut() {
  m_lines.clear();
  if (!m_page.text) return;
  const TextDocument& text = *m_page.text;
  if (!m_page.widths || m_page.widths->font != font())
    m_page.widths = std::make_shared<const TokenWidths>(measureTokens(text, font()));
  const QFontMetricsF metrics(font());
  m_gutter = metrics.horizontalAdvance(groupedText(static_cast<qint64>(text.size()))) + 2 * kTextGap;
  m_room = std::max(80.0, viewport()->width() - m_gutter - kTextGap - kOverviewWidth);
  m_lines = wrapTokens(text, m_page.widths->tokens, m_room);
  verticalScrollBar()->setPageStep(pageLines());
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_lines.size()) - pageLines()));
  m_overview = {};
}

void TextView::colour() {
  const auto tokens = static_cast<std::int64_t>(m_page.text ? m_page.text->size() : 0);
  m_colours = colourTokens(m_page.head ? *m_page.head : HeadText(), m_page.coloured, m_page.measure, tokens);
  m_overview = {};
  viewport()->update();
}

std::size_t TextView::lineOf(std::int64_t position) const {
  const auto line =
      std::ranges::upper_bound(m_lines, static_cast<std::size_t>(position), {}, &TokenLine::last);
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

void TextView::showFirst(std::int64_t position) {
  if (!m_lines.empty()) verticalScrollBar()->setValue(static_cast<int>(lineOf(position)));
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
  const bool row = token && (m_colours.captured[static_cast<std::size_t>(*token)] ||
                             m_colours.other[static_cast<std::size_t>(*token)]);
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
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) layOut();
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
      tip += QStringLiteral("%1 %2 ").arg(
          QString::fromUtf8(info.title),
          QString::fromStdString(info.measure == TokenMeasure::Weight ? metricText(value)
                                                                      : fixedText(value, 2)));
    }
  };
  add(QueryOrKey::Query, tr("query row"));
  add(QueryOrKey::Key, tr("key row"));
  if (tip.contains("<br>")) return tip;
  return tip + tr("<br>not captured: the colour is the mean of the rows near it");
}

// ---- colour scale

namespace {
constexpr int kStripGap = 8, kStripWidth = 72;
}

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
  const double size = m_range.second - m_range.first;
  return QString::fromStdString(size < 0.1 ? metricText(value) : fixedText(value, size < 5 ? 2 : 1));
}

QSize ColourStrip::sizeHint() const {
  const QFontMetrics metrics(font());
  return {metrics.horizontalAdvance(text(m_range.first)) + metrics.horizontalAdvance(text(m_range.second)) +
              kStripWidth + 2 * kStripGap,
          metrics.height()};
}

void ColourStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics(font());
  painter.setPen(plotColours(themeOf(palette()), false).muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text(m_range.first));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, text(m_range.second));
  const int left = metrics.horizontalAdvance(text(m_range.first)) + kStripGap;
  const ColourMap& colours = kindColours(m_kind, themeOf(palette()));
  for (int x = 0; x < kStripWidth; ++x)
    painter.fillRect(left + x, 3, 1, height() - 6, QColor(colours.at(static_cast<double>(x) / kStripWidth)));
}

}  // namespace plastiscope

#include "moc_text_view.cpp"
