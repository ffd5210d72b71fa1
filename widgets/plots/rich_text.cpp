#include "widgets/plots/rich_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr double kScriptSize = 0.7;

QFont scaled(QFont font, double factor) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
  return font;
}

// State of the tags at one place of the markup.
struct TagState {
  int script = 0;  // -1 sub, +1 sup
  bool italic = false, bold = false;
};

// Reads a known tag at `text[at]`; returns its length, 0 when there is none.
qsizetype readTag(const QString& text, qsizetype at, TagState& state) {
  struct Tag {
    const char* name;
    void (*apply)(TagState&);
  };
  static constexpr Tag kTags[] = {
      {"<sub>", [](TagState& s) { s.script = -1; }}, {"</sub>", [](TagState& s) { s.script = 0; }},
      {"<sup>", [](TagState& s) { s.script = 1; }},  {"</sup>", [](TagState& s) { s.script = 0; }},
      {"<i>", [](TagState& s) { s.italic = true; }}, {"</i>", [](TagState& s) { s.italic = false; }},
      {"<b>", [](TagState& s) { s.bold = true; }},   {"</b>", [](TagState& s) { s.bold = false; }},
  };
  for (const Tag& tag : kTags) {
    const QLatin1String name(tag.name);
    if (QStringView(text).mid(at, name.size()) != name) continue;
    tag.apply(state);
    return name.size();
  }
  return 0;
}

QString unescaped(QString text) {
  return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
}

}  // namespace

RichText::RichText(const QString& markup, const QFont& font) {
  const QFontMetricsF metrics(font);
  m_ascent = metrics.ascent();
  m_height = metrics.height();
  TagState state;
  QString pending;
  const auto flush = [&] {
    if (pending.isEmpty()) return;
    Run run{unescaped(pending), state.script == 0 ? font : scaled(font, kScriptSize), m_width, 0};
    run.font.setItalic(font.italic() || state.italic);
    run.font.setBold(font.bold() || state.bold);
    if (state.script != 0) run.rise = state.script > 0 ? 0.38 * m_ascent : -0.16 * m_ascent;
    m_width += QFontMetricsF(run.font).horizontalAdvance(run.text);
    m_runs.push_back(run);
    pending.clear();
  };
  for (qsizetype at = 0; at < markup.size();) {
    TagState next = state;
    const qsizetype length = markup[at] == '<' ? readTag(markup, at, next) : 0;
    if (length == 0) {
      pending += markup[at++];
      continue;
    }
    flush();
    state = next;
    at += length;
  }
  flush();
}

void RichText::draw(QPainter& painter, QPointF topLeft) const {
  const QFont old = painter.font();
  for (const Run& run : m_runs) {
    painter.setFont(run.font);
    painter.drawText(QPointF(topLeft.x() + run.x, topLeft.y() + m_ascent - run.rise), run.text);
  }
  painter.setFont(old);
}

QString RichText::fittedMarkup(const QString& markup, const QFont& font, double width) {
  const auto fits = [&](const QString& part) { return RichText(part, font).size().width() <= width; };
  const QStringList alternatives = markup.split('|');
  for (const QString& alternative : alternatives) {
    if (fits(alternative)) return alternative;
  }
  QString part = alternatives.last();
  for (qsizetype cut = 0; !fits(part); part.truncate(cut)) {
    cut = part.lastIndexOf(QStringLiteral(" \u00b7 "));
    if (cut <= 0) break;
  }
  return part;
}

RichText RichText::fitted(const QString& markup, const QFont& font, double width) {
  const QString part = fittedMarkup(markup, font, width);
  RichText text(part, font);
  if (text.size().width() <= width) return text;
  return RichText(part, scaled(font, std::max(0.7, width / std::max(1.0, text.size().width()))));
}

}  // namespace plastiscope
