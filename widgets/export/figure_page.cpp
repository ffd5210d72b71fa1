#include "widgets/export/figure_page.h"

#include <algorithm>
#include <cmath>

#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxTips = 60000;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
figure { margin: 0; }
svg { width: 100%; height: auto; background: #fff; touch-action: manipulation; }
#tip { position: fixed; display: none; max-width: 28rem; padding: .35rem .6rem; border-radius: .3rem;
  background: #232629; color: #f0f1f2; font-size: .85rem; pointer-events: none; }
pre { max-height: 30rem; overflow: auto; padding: .8rem; border: 1px solid #8886; }
)";

// Picks the nearest point within reach of the pointer, else the last bar or cell that contains it.
constexpr const char* kScript = R"(
const svg = document.querySelector('svg'), tip = document.getElementById('tip');
const data = JSON.parse(document.getElementById('items').textContent);
const box = svg.viewBox.baseVal, ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
ring.setAttribute('fill', 'none'); ring.setAttribute('stroke', '#d98a00'); ring.setAttribute('pointer-events', 'none');
svg.append(ring);
function itemAt(x, y, reach) {
  let best = null, least = reach * reach;
  for (const p of data.points) {
    const away = (p[0] - x) ** 2 + (p[1] - y) ** 2;
    if (away < least) { least = away; best = p; }
  }
  if (best) return {at: best, tip: data.tips[best[2]]};
  for (let i = data.areas.length; i--;) {
    const a = data.areas[i];
    if (x >= a[0] && y >= a[1] && x <= a[0] + a[2] && y <= a[1] + a[3]) return {tip: data.tips[a[4]]};
  }
  return null;
}
function show(event) {
  const place = svg.getBoundingClientRect(), scale = box.width / place.width;
  const item = itemAt((event.clientX - place.left) * scale, (event.clientY - place.top) * scale, 12 * scale);
  tip.style.display = item ? 'block' : 'none';
  ring.setAttribute('r', item && item.at ? 6 * scale : 0);
  if (!item) return;
  ring.setAttribute('stroke-width', 1.5 * scale);
  if (item.at) { ring.setAttribute('cx', item.at[0]); ring.setAttribute('cy', item.at[1]); }
  tip.innerHTML = item.tip;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
}
svg.addEventListener('pointermove', show);
svg.addEventListener('pointerdown', show);
svg.addEventListener('pointerleave', () => { tip.style.display = 'none'; ring.setAttribute('r', 0); });
)";

// Keeps only the tags used in tips; all other text is escaped, including names.
QString safeHtml(const QString& rich) {
  static const QStringList kTags = {"<b>",    "</b>",  "<i>",    "</i>", "<sub>",
                                    "</sub>", "<sup>", "</sup>", "<br>"};
  QString plain = rich;
  plain.replace("&nbsp;", QChar(0xa0))
      .replace("&lt;", QChar(1))
      .replace("&gt;", QChar(2))
      .replace("&amp;", QChar(3));
  QString html = plain.toHtmlEscaped();
  for (const QString& tag : kTags) html.replace(tag.toHtmlEscaped(), tag);
  return html.replace(QChar(1), "&lt;").replace(QChar(2), "&gt;").replace(QChar(3), "&amp;");
}

double rounded(double units) {
  return std::round(units);
}

QByteArray itemsJson(const LaidOutPlot& plot) {
  Json points = Json::array(), areas = Json::array(), tips = Json::array();
  for (const LaidOutPanel& panel : plot.panels) {
    for (const ItemTip& item : panel.tips) {
      if (tips.size() >= kMaxTips) break;
      const ItemPlace& place = item.place;
      if (place.point)
        points.push_back({rounded(place.at.x()), rounded(place.at.y()), tips.size()});
      else
        areas.push_back({rounded(place.area.left()), rounded(place.area.top()), rounded(place.area.width()),
                         rounded(place.area.height()), tips.size()});
      tips.push_back(safeHtml(item.text).toStdString());
    }
  }
  return QByteArray::fromStdString(scriptText(
      Json{{"points", std::move(points)}, {"areas", std::move(areas)}, {"tips", std::move(tips)}}.dump()));
}

QByteArray escapedText(const QString& text) {
  return text.toHtmlEscaped().toUtf8();
}

}  // namespace

QByteArray figurePage(const PageContent& content, const LaidOutPlot& plot) {
  QByteArray svg = content.svg.mid(std::max<qsizetype>(0, content.svg.indexOf("<svg")));
  // Browsers would show the title as a tip over the whole image.
  const qsizetype title = svg.indexOf("<title>"), end = svg.indexOf("</title>");
  if (title >= 0 && end > title) svg.remove(title, end + 8 - title);
  QByteArray page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"" +
      escapedText(content.maker) +
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n<title>" +
      escapedText(content.title) + "</title>\n<style>" + kStyle + "</style>\n";
  if (!content.provenance.isEmpty())
    page += "<script type=\"application/json\" id=\"provenance\">" +
            QByteArray::fromStdString(scriptText(content.provenance.toStdString())) + "</script>\n";
  page += "</head>\n<body>\n<figure>\n" + svg + "<figcaption>" + escapedText(content.title) +
          "</figcaption>\n</figure>\n<div id=\"tip\" role=\"status\"></div>\n" +
          "<details><summary>Numbers (CSV)</summary><pre>" + escapedText(QString::fromUtf8(content.table)) +
          "</pre></details>\n<script type=\"application/json\" id=\"items\">" + itemsJson(plot) +
          "</script>\n<script>" + kScript + "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace plastiscope
