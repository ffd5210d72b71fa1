#include "widgets/export/figure_renderer.h"

#include <QBuffer>
#include <QHashFunctions>
#include <QMimeData>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QUuid>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

namespace {

constexpr double kUnitsPerInch = 72.0 * kUnitsPerPoint;

QSize layoutUnits(const FigureSize& size) {
  return {static_cast<int>(std::lround(size.widthInches * kUnitsPerInch)),
          static_cast<int>(std::lround(size.heightInches * kUnitsPerInch))};
}

PlotStyle styleOf(const FigureSpec& spec, const FigureSize& size, double imageDpi) {
  PrintOptions options;
  options.theme = spec.theme;
  options.labelPoints = size.labelPoints;
  options.tickPoints = size.tickPoints;
  options.numberPoints = size.numberPoints;
  options.linePoints = spec.linePoints;
  options.family = QString::fromStdString(spec.family);
  options.imageDpi = imageDpi;
  return printStyle(options);
}

QString titleOf(const FigureContent& content, const FigureSpec& spec) {
  return QString::fromStdString(figureKind(spec.figure).title + " · " + content.subject);
}

QString provenanceText(const Json& provenance) {
  return provenance.is_null() ? QString() : QString::fromStdString(canonicalJson(provenance));
}

QByteArray xmpPacket(const QString& title, const QString& provenance) {
  const QString packet =
      QStringLiteral(
          "<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
          "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
          "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
          "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
          "xmlns:plastiscope=\"urn:plastiscope:provenance:1\">\n"
          "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>\n"
          "<plastiscope:provenance>%2</plastiscope:provenance>\n"
          "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>")
          .arg(title.toHtmlEscaped(), provenance.toHtmlEscaped());
  return packet.toUtf8();
}

// Qt, FreeType and zlib continue when memory runs out, and a figure without text would look valid. Allocates
// the memory for a page first, without touching it.
void requireMemoryToDraw() {
  constexpr std::size_t kOfAPage = std::size_t{64} << 20;
  const auto room = std::make_unique_for_overwrite<std::byte[]>(kOfAPage);
  [[maybe_unused]] const std::byte* volatile seen = room.get();  // prevents removal by the optimiser
}

// Qt writes the current time, newer versions twice; a fixed time of the same length keeps all offsets valid.
void fixDates(QByteArray& pdf) {
  for (const QByteArray start : {"/CreationDate (D:", "/ModDate (D:"}) {
    const qsizetype digits = pdf.indexOf(start) + start.size();
    const qsizetype end = digits < start.size() ? -1 : pdf.indexOf(')', digits);
    if (end < 0) continue;
    QByteArray date = "20000101000000";
    date += end - digits > date.size() + 1 ? QByteArray("+00'00'") : QByteArray("Z");
    date.resize(end - digits, ' ');
    pdf.replace(digits, date.size(), date);
  }
}

// Qt rounds a page to whole points. Sets the exact size of the box in a text of the same length, relative to
// the bottom left: Qt positions the content from the top.
void fixPageSize(QByteArray& pdf, const FigureSize& size) {
  static const QByteArray kStart = "/MediaBox [";
  const qsizetype at = pdf.indexOf(kStart) + kStart.size();
  const qsizetype end = at < kStart.size() ? -1 : pdf.indexOf(']', at);
  const QList<QByteArray> box = end < 0 ? QList<QByteArray>() : pdf.mid(at, end - at).split(' ');
  if (box.size() != 4) return;
  const double top = box[3].toDouble();
  for (int decimals = 4; decimals > 0; --decimals) {
    const auto number = [decimals](double value) { return QByteArray::number(value, 'f', decimals); };
    QByteArray exact =
        "0 " + number(top - size.heightInches * 72) + " " + number(size.widthInches * 72) + " " + box[3];
    if (exact.size() > end - at) continue;
    exact.resize(end - at, ' ');
    pdf.replace(at, exact.size(), exact);
    return;
  }
}

// Qt's PDF writer numbers fonts in the order of a hash table. Tables made during this object's lifetime are
// not seeded randomly, so that the same figure has the same bytes in every process. Later tables, which may
// hold untrusted input, are seeded again.
class FixedHashOrder {
 public:
  FixedHashOrder() { QHashSeed::setDeterministicGlobalSeed(); }
  ~FixedHashOrder() { QHashSeed::resetRandomGlobalSeed(); }
  FixedHashOrder(const FixedHashOrder&) = delete;
  FixedHashOrder& operator=(const FixedHashOrder&) = delete;
};

QByteArray renderPdf(const FigureContent& content, const FigureSpec& spec, const FigureSize& size,
                     const Json& provenance, bool fixedDate) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QSizeF(size.widthInches, size.heightInches), QPageSize::Inch, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(static_cast<int>(kUnitsPerInch));
    writer.setTitle(titleOf(content, spec));
    writer.setCreator(programText());
    const QString origin = provenance.is_null() ? QString() : provenanceText(provenance);
    if (!provenance.is_null()) writer.setDocumentXmpMetadata(xmpPacket(titleOf(content, spec), origin));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    // The default id is random and would change the bytes each time.
    writer.setDocumentId(QUuid::createUuidV5(QUuid(), titleOf(content, spec) + origin));
#endif
    paintPlot(writer, 1, layoutUnits(size), styleOf(spec, size, 600), content.plot);
  }
  QByteArray pdf = buffer.data();
  fixPageSize(pdf, size);
  if (fixedDate) fixDates(pdf);
  return pdf;
}

QByteArray renderSvg(const FigureContent& content, const FigureSpec& spec, const FigureSize& size,
                     const Json& provenance) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(layoutUnits(size));
  generator.setViewBox(QRect(QPoint(0, 0), layoutUnits(size)));
  generator.setResolution(static_cast<int>(kUnitsPerInch));
  // Inserted afterwards: Qt 6.4 writes these unescaped, 6.8 escapes them.
  constexpr const char *kTitlePlace = "title-of-the-figure", *kOriginPlace = "origin-of-the-figure";
  generator.setTitle(QLatin1String(kTitlePlace));
  generator.setDescription(QLatin1String(kOriginPlace));
  paintPlot(generator, 1, layoutUnits(size), styleOf(spec, size, 600), content.plot);
  QByteArray svg = buffer.data();
  const auto put = [&svg](const char* place, const QString& text) {
    svg.replace(svg.indexOf(place), static_cast<qsizetype>(qstrlen(place)), text.toHtmlEscaped().toUtf8());
  };
  put(kTitlePlace, titleOf(content, spec));
  put(kOriginPlace, provenance.is_null() ? programText() : provenanceText(provenance));
  return svg;
}

QImage renderImage(const FigureContent& content, const FigureSpec& spec, const FigureSize& size, double dpi) {
  const QSize pixels(static_cast<int>(std::lround(size.widthInches * dpi)),
                     static_cast<int>(std::lround(size.heightInches * dpi)));
  QImage image(pixels, QImage::Format_RGB32);
  if (image.isNull())
    throw ResourceError("not enough memory for a picture of " + withCommas(pixels.width()) + " x " +
                        withCommas(pixels.height()) + " pixels");
  const PlotStyle style = styleOf(spec, size, dpi);
  image.fill(style.colours.view);
  paintPlot(image, dpi / kUnitsPerInch, layoutUnits(size), style, content.plot);
  const int perMeter = static_cast<int>(std::lround(dpi / 0.0254));
  image.setDotsPerMeterX(perMeter);
  image.setDotsPerMeterY(perMeter);
  return image;
}

QByteArray renderPng(const FigureContent& content, const FigureSpec& spec, const FigureSize& size,
                     const Json& provenance) {
  QImage image = renderImage(content, spec, size, spec.dpi);
  image.setText(QStringLiteral("Title"), titleOf(content, spec));
  image.setText(QStringLiteral("Software"), programText());
  if (!provenance.is_null()) image.setText(QStringLiteral("Plastiscope"), provenanceText(provenance));
  return pngOf(image);
}

// --- HTML ----------------------------------------------------------------------------------------------

// Parts of a page for a paper's supplement: image, tool tips, plotted numbers and provenance. It loads
// nothing: no network, no other file.
struct PageContent {
  QString title, maker;
  QString provenance;  // JSON; "" = none
  QByteArray table;    // CSV
  QByteArray svg;      // the image
};

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

// Keeps only the tags and entities used in tips; all other text is escaped, including names. In UTF-8.
std::string safeHtml(const std::string& rich) {
  constexpr std::string_view kKept[] = {"<b>",    "</b>", "<i>",    "</i>", "<sub>", "</sub>", "<sup>",
                                        "</sup>", "<br>", "&nbsp;", "&lt;", "&gt;",  "&amp;"};
  std::string html;
  html.reserve(2 * rich.size());
  for (std::size_t at = 0; at < rich.size();) {
    const std::string_view rest = std::string_view(rich).substr(at);
    const auto kept =
        std::ranges::find_if(kKept, [rest](std::string_view text) { return rest.starts_with(text); });
    if (kept != std::end(kKept)) {
      html += *kept;
      at += kept->size();
      continue;
    }
    switch (const char c = rich[at++]) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

QByteArray itemsJson(const LaidOutPlot& plot) {
  Json points = Json::array(), areas = Json::array(), tips = Json::array();
  for (const LaidOutPanel& panel : plot.panels) {
    for (const ItemTip& item : panel.tips) {
      if (tips.size() >= kMaxTips) break;
      const ItemPlace& place = item.place;
      if (place.point)
        points.push_back({std::round(place.at.x()), std::round(place.at.y()), tips.size()});
      else
        areas.push_back({std::round(place.area.left()), std::round(place.area.top()),
                         std::round(place.area.width()), std::round(place.area.height()), tips.size()});
      tips.push_back(safeHtml(item.text.toStdString()));
    }
  }
  return QByteArray::fromStdString(scriptText(
      Json{{"points", std::move(points)}, {"areas", std::move(areas)}, {"tips", std::move(tips)}}.dump()));
}

QByteArray escapedText(const QString& text) {
  return text.toHtmlEscaped().toUtf8();
}

// `plot`: layout of the image; its items get their tips.
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

}  // namespace

QByteArray pngOf(const QImage& image) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG"))
    throw ResourceError("the picture could not be encoded: there is too little memory");
  return buffer.data();
}

FigureFormat formatOf(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const FormatInfo& format : kFigureFormats) {
    if (extension == "." + std::string(format.extension)) return format.format;
  }
  throw UsageError("figures are written as .pdf, .svg, .png or .html, not as \"" + pathText(file.filename()) +
                   "\"");
}

FigureLayout layoutOf(const FigureSpec& spec) {
  const FigureSize size = resolveSize(spec);
  return {layoutUnits(size), styleOf(spec, size, 600)};
}

QByteArray renderFigure(const FigureContent& content, const FigureSpec& spec, FigureFormat format,
                        const Json& provenance, bool fixedDate) {
  const FigureSize size = resolveSize(spec);
  const FixedHashOrder fixed;
  requireMemoryToDraw();
  switch (format) {
    case FigureFormat::Pdf:
      return renderPdf(content, spec, size, provenance, fixedDate);
    case FigureFormat::Svg:
      return renderSvg(content, spec, size, provenance);
    case FigureFormat::Png:
      return renderPng(content, spec, size, provenance);
    case FigureFormat::Html:
      return figurePage(
          {titleOf(content, spec), programText(), provenanceText(provenance),
           QByteArray::fromStdString(toCsv(content.data)), renderSvg(content, spec, size, Json())},
          layOutPlot(layoutUnits(size), styleOf(spec, size, 600), content.plot));
  }
  throw Error(ErrorKind::Internal, "unknown figure format");
}

QImage renderPreview(const FigureContent& content, const FigureSpec& spec, double dpi) {
  return renderImage(content, spec, resolveSize(spec), dpi);
}

QMimeData* clipboardData(const PreparedFigure& figure) {
  const QByteArray numbers = QByteArray::fromStdString(toCsv(figure.content.data));
  auto* mime = new QMimeData;
  mime->setImageData(renderPreview(figure.content, figure.spec, figure.spec.dpi));
  mime->setData(QStringLiteral("image/svg+xml"),
                renderFigure(figure.content, figure.spec, FigureFormat::Svg, Json(), true));
  mime->setData(QStringLiteral("application/pdf"),
                renderFigure(figure.content, figure.spec, FigureFormat::Pdf, Json(), true));
  mime->setData(QStringLiteral("text/csv"), numbers);
  mime->setText(QString::fromUtf8(numbers));
  return mime;
}

}  // namespace plastiscope
