// Draws an excerpt of a text in a box as shapes.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/views/text_excerpt.h"
#include "widgets/plots/mark_shapes.h"

namespace plastiscope {

namespace {

constexpr double kNear = 0.28;  // opacity of a mean of the rows near a token that was not captured

// Positions of the tokens.
struct PlacedTokens {
  QFont font, chip;   // fonts for words and for ranks of keys
  double gutter = 0;  // for the position of each line's first token
  double lineHeight = 0, top = 0;
  std::vector<TokenLine> lines;
  std::vector<QRectF> places;  // [tokens] null: no space left
  std::vector<double> chips;   // [tokens] width of the rank before the word
};

class TokenPlacer {
 public:
  TokenPlacer(const TextExcerpt& excerpt, const QRectF& box, const PlotStyle& style)
      : m_excerpt(excerpt), m_box(box), m_style(style) {}

  // Shrinks the font until everything fits, down to the smallest readable size.
  PlacedTokens place() {
    constexpr double kStep = 0.95, kLeastPoints = 6, kLeastOnScreen = 0.7;
    const double least = m_style.print ? std::min(1.0, kLeastPoints * m_style.unit / m_style.tick.pixelSize())
                                       : kLeastOnScreen;
    double scale = 1;
    while (!fits(scale) && scale > least) scale = std::max(least, scale * kStep);
    spread();
    return std::move(m_placed);
  }

 private:
  static constexpr double kWidestLine = 1.7;  // in font sizes

  static QFont scaled(QFont font, double scale) {
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(scale * font.pixelSize()))));
    return font;
  }

  bool fits(double scale) {
    m_placed = {};
    m_placed.font = scaled(m_style.tick, scale);
    m_placed.chip = scaled(m_style.tick, 0.86 * scale);
    m_placed.chip.setBold(true);
    const QFontMetricsF metrics(m_placed.font), chip(m_placed.chip);
    const double em = m_placed.font.pixelSize();
    m_placed.gutter =
        metrics.horizontalAdvance(QString::fromStdString(withCommas(m_excerpt.last()))) + 0.6 * em;
    m_widths.clear();
    for (std::size_t i = 0; i < m_excerpt.text.size(); ++i) {
      const std::size_t rank = m_excerpt.rank[i];
      m_placed.chips.push_back(rank > 0 ? chip.horizontalAdvance(QString::number(rank)) + 0.5 * em : 0);
      m_widths.push_back(metrics.horizontalAdvance(QString::fromStdString(m_excerpt.text.tokens[i])) +
                         m_placed.chips.back());
    }
    m_placed.lines = wrapTokens(m_excerpt.text, m_widths, m_box.width() - m_placed.gutter);
    m_placed.lineHeight = kExcerptLineEms * em;
    return static_cast<double>(m_placed.lines.size()) * m_placed.lineHeight <= m_box.height();
  }

  // Spreads the lines over the height of the box, up to the widest line spacing.
  void spread() {
    const double em = m_placed.font.pixelSize();
    const auto lines = static_cast<double>(std::max<std::size_t>(1, m_placed.lines.size()));
    m_placed.lineHeight = std::clamp(m_box.height() / lines, m_placed.lineHeight, kWidestLine * em);
    m_placed.top = m_box.top();
    m_placed.places.assign(m_excerpt.text.size(), QRectF());
    double top = m_placed.top;
    for (const TokenLine& line : m_placed.lines) {
      if (top + m_placed.lineHeight > m_box.bottom() + 1) return;
      double left = m_box.left() + m_placed.gutter;
      for (std::size_t i = line.first; i < line.last; left += m_widths[i++])
        m_placed.places[i] = {left, top, m_widths[i], m_placed.lineHeight};
      top += m_placed.lineHeight;
    }
  }

  const TextExcerpt& m_excerpt;
  QRectF m_box;
  const PlotStyle& m_style;
  PlacedTokens m_placed;
  std::vector<double> m_widths;
};

class ExcerptShapes {
 public:
  ExcerptShapes(const ExcerptMark& mark, const BoxMap& map)
      : m_excerpt(*mark.excerpt),
        m_style(map.style()),
        m_colours(m_excerpt.coloured, m_style.theme),
        m_placed(TokenPlacer(m_excerpt, map.rect(), m_style).place()) {}

  Primitives take() {
    for (std::size_t i = 0; i < m_placed.places.size(); ++i) {
      if (!m_placed.places[i].isNull()) addToken(i);
    }
    for (const TokenLine& line : m_placed.lines) {
      if (!m_placed.places[line.first].isNull()) addPosition(line.first);
    }
    return std::move(m_shapes);
  }

 private:
  // Background of a token, with a gap to the lines above and below.
  QRectF fieldOf(std::size_t token) const {
    const double gap = 0.06 * m_placed.lineHeight;
    return m_placed.places[token].adjusted(0, gap, 0, -2 * gap);
  }

  void addToken(std::size_t i) {
    const PlotColours& colours = m_style.colours;
    const QRectF field = fieldOf(i);
    const bool captured = m_excerpt.colour.captured[i], query = m_excerpt.isQuery(i);
    QColor ink = colours.text, fill;
    if (std::isfinite(m_excerpt.colour.value[i]))
      fill = m_colours.fillOn(colours.view, m_excerpt.colour.share(i), captured);
    if (query) fill = colours.selection;
    if (fill.isValid()) m_shapes.push_back(rectShape(field, fill));
    if (captured) addFrame(field, m_excerpt.coloured, 0.03);
    if (captured || query) ink = inkOn(fill);
    if (m_excerpt.colour.other[i]) addOther(field);
    double left = field.left();
    if (m_placed.chips[i] > 0) left = addChip(i, field);
    addWord(i, left, ink);
  }

  QColor colourOf(QueryOrKey kind) const {
    return kind == QueryOrKey::Query ? m_style.colours.query : m_style.colours.key;
  }

  // `thick`: share of the line height.
  void addFrame(const QRectF& field, QueryOrKey kind, double thick) {
    const double line = thick * m_placed.lineHeight;
    m_shapes.push_back(
        rectShape(field.adjusted(line / 2, line / 2, -line / 2, -line / 2), {}, pen(colourOf(kind), line)));
  }

  // Underline that marks a row of the other kind.
  void addOther(const QRectF& field) {
    const double thick = 0.07 * m_placed.lineHeight;
    m_shapes.push_back(
        rectShape({field.left(), field.bottom(), field.width(), thick},
                  colourOf(m_excerpt.coloured == QueryOrKey::Query ? QueryOrKey::Key : QueryOrKey::Query)));
  }

  // Rank of a key in a frame; returns where the word begins.
  double addChip(std::size_t i, const QRectF& field) {
    const QColor colour = colourOf(QueryOrKey::Key);
    const double width = m_placed.chips[i];
    addFrame(field, QueryOrKey::Key, 0.05);
    const QRectF chip(field.left(), field.top(), 0.88 * width, field.height());
    m_shapes.push_back(rectShape(chip, colour));
    m_shapes.push_back(
        centredText(QString::number(m_excerpt.rank[i]), m_placed.chip, inkOn(colour), chip.center()));
    return field.left() + width;
  }

  // Without surrounding spaces, which a file may drop.
  void addWord(std::size_t i, double left, const QColor& ink) {
    const QString token = QString::fromStdString(m_excerpt.text.tokens[i]);
    qsizetype spaces = 0;
    while (spaces < token.size() && token[spaces] == QLatin1Char(' ')) ++spaces;
    const QString word = token.mid(spaces).trimmed();
    if (word.isEmpty()) return;
    left += QFontMetricsF(m_placed.font).horizontalAdvance(token.left(spaces));
    addText(word, left, fieldOf(i), ink);
  }

  void addPosition(std::size_t first) {
    const QString position =
        QString::fromStdString(withCommas(m_excerpt.first + static_cast<std::int64_t>(first)));
    const QFontMetricsF metrics(m_placed.font);
    const QRectF field = fieldOf(first);
    addText(
        position,
        m_placed.places[first].left() - 0.4 * m_placed.font.pixelSize() - metrics.horizontalAdvance(position),
        field, m_style.colours.muted);
  }

  void addText(const QString& plain, double left, const QRectF& field, const QColor& ink) {
    const double height = QFontMetricsF(m_placed.font).height();
    m_shapes.push_back(textShape(QString::fromStdString(richEscaped(plain.toStdString())), m_placed.font, ink,
                                 {left, field.center().y() - height / 2}));
  }

  const TextExcerpt& m_excerpt;
  const PlotStyle& m_style;
  TokenColours m_colours;
  PlacedTokens m_placed;
  Primitives m_shapes;
};

}  // namespace

QColor TokenColours::fill(double share, bool captured) const {
  QColor fill(m_map.at(share));
  if (!captured) fill.setAlphaF(static_cast<float>(kNear));
  return fill;
}

QColor TokenColours::fillOn(const QColor& ground, double share, bool captured) const {
  const QColor full(m_map.at(share));
  return captured ? full : mixedColour(ground, full, kNear);
}

Primitives excerptShapes(const ExcerptMark& mark, const BoxMap& map) {
  return ExcerptShapes(mark, map).take();
}

std::vector<ItemPlace> excerptPlaces(const ExcerptMark& mark, const BoxMap& map) {
  const PlacedTokens placed = TokenPlacer(*mark.excerpt, map.rect(), map.style()).place();
  std::vector<ItemPlace> places;
  for (std::size_t i = 0; i < placed.places.size(); ++i)
    if (!placed.places[i].isNull()) places.push_back({i, false, {}, placed.places[i]});
  return places;
}

}  // namespace plastiscope
