#include "widgets/export/figure_renderer.h"

#include <QBuffer>
#include <QHashFunctions>
#include <QMimeData>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QUuid>
#include <cmath>
#include <cstddef>
#include <memory>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "widgets/export/figure_page.h"
#include "widgets/export/figure_places.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/pgfplots.h"
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

std::vector<std::string> flagsOf(const ExportOptions& options) {
  std::vector<std::string> flags;
  if (!options.dataTable && !options.provenance)
    flags.emplace_back("--no-sidecar");
  else if (!options.dataTable)
    flags.emplace_back("--no-data");
  else if (!options.provenance)
    flags.emplace_back("--no-provenance");
  if (!options.embed) flags.emplace_back("--no-embed");
  if (options.pgfplots) flags.emplace_back("--pgfplots");
  if (options.fixedDate) flags.emplace_back("--fixed-date");
  return flags;
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

std::vector<std::filesystem::path> exportFigure(const Studies& studies, const FigureContent& content,
                                                const FigureSpec& spec, const std::filesystem::path& out,
                                                const ExportOptions& options) {
  const FigureFormat format = formatOf(out);
  requireFigurePlaces(out, options, inputsOf(studies, spec));
  requireWritableFolderOf(out);
  const std::string table = toCsv(content.data);
  const bool withTable = options.dataTable || !options.dataFile.empty();
  Json provenance = figureProvenance(studies, spec, options.fixedDate);
  provenance[kTableChecksum] = withTable ? Json(sha256Hex(table)) : Json();
  const QByteArray bytes =
      renderFigure(content, spec, format, options.embed ? provenance : Json(), options.fixedDate);
  std::vector<std::filesystem::path> written;
  // Written together, so that the provenance always matches the table and the figure.
  std::vector<NewFile> together;
  const auto add = [&](const std::filesystem::path& file, std::string text) {
    together.push_back({file.filename().string(), std::move(text)});
    written.push_back(file);
  };
  auto beside = out;
  if (!options.dataFile.empty()) {
    writeFileAtomically(options.dataFile, table);
    written.push_back(options.dataFile);
  } else if (options.dataTable) {
    add(beside.replace_extension(".csv"), table);
  }
  if (options.provenance) add(beside.replace_extension(".json"), indentedJson(provenance) + "\n");
  if (options.pgfplots) {
    for (const auto& file : writePgfplots(content, spec, out)) written.push_back(file);
  }
  add(out, bytes.toStdString());
  writeFilesTogether(out.parent_path(), together, {});
  return written;
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
