// Reads back the provenance inside exported figures.
#include <QBuffer>
#include <QImageReader>
#include <QStringDecoder>
#include <QXmlStreamReader>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::size_t kLargestFigure = std::size_t{256} << 20, kLargestProvenance = std::size_t{16} << 20;

[[noreturn]] void refuse(const fs::path& file, const std::string& found) {
  throw InputError({file, "", "a figure that Plastiscope exported", found});
}

bool isProvenance(const Json& json) {
  return json.is_object() && json.contains("program") && json["program"] == "plastiscope" &&
         json.contains("figure") && json["figure"].is_object();
}

Json parsedProvenance(const QString& text, const fs::path& file) {
  const std::string utf8 = text.toStdString();
  if (utf8.empty() || utf8.front() != '{') refuse(file, "a file without its provenance inside");
  if (utf8.size() > kLargestProvenance)
    refuse(file, "a provenance of " + byteText(utf8.size()) + ", more than such a figure can have");
  return parseJson(utf8, file);
}

QByteArray bytesOf(const fs::path& file) {
  return QByteArray::fromStdString(readFile(file, kLargestFigure));
}

// The text of the first element of this name; null when there is none.
QString elementText(const QByteArray& xml, const QString& name, const fs::path& file) {
  QXmlStreamReader reader(xml);
  while (!reader.atEnd()) {
    if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name) {
      const QString text = reader.readElementText();
      if (!reader.hasError()) return text;
    }
  }
  if (reader.hasError())
    throw InputError({file, "line " + std::to_string(reader.lineNumber()),
                      "a figure that Plastiscope exported", "damaged XML"});
  return {};
}

// The XMP packet of our PDF files is uncompressed.
QString textOfPdf(const fs::path& file) {
  const QByteArray bytes = bytesOf(file);
  if (!bytes.startsWith("%PDF-")) refuse(file, "no PDF");
  static const QByteArray kStart = "<x:xmpmeta", kEnd = "</x:xmpmeta>";
  const qsizetype start = bytes.indexOf(kStart), end = start < 0 ? -1 : bytes.indexOf(kEnd, start);
  if (end < 0) return {};
  return elementText(bytes.mid(start, end + kEnd.size() - start), QStringLiteral("provenance"), file);
}

QString textOfSvg(const fs::path& file) {
  return elementText(bytesOf(file), QStringLiteral("desc"), file);
}

QString pngText(const fs::path& file, const QString& key) {
  QByteArray bytes = bytesOf(file);
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::ReadOnly);
  QImageReader reader(&buffer, "png");
  if (!reader.canRead()) refuse(file, "no PNG");
  return reader.text(key);
}

QString textOfPng(const fs::path& file) {
  return pngText(file, QStringLiteral("Plastiscope"));
}

// PDF files store it as UTF-16 after a byte order mark.
QString makerOfPdf(const fs::path& file) {
  static const QByteArray kStart = QByteArray("/Creator (\xfe\xff", 12);
  const QByteArray bytes = bytesOf(file);
  const qsizetype start = bytes.startsWith("%PDF-") ? bytes.indexOf(kStart) : -1;
  if (start < 0) return {};
  const QByteArray text = bytes.mid(start + kStart.size(), 2 * programText().size());
  return QStringDecoder(QStringDecoder::Utf16BE)(text);
}

QString makerOfSvg(const fs::path& file) {
  const QString description = textOfSvg(file);
  return description.startsWith(QLatin1Char('{')) && isProvenance(parsedProvenance(description, file))
             ? programText()
             : description;
}

QString makerOfPng(const fs::path& file) {
  return pngText(file, QStringLiteral("Software"));
}

// Text between two markers of a page; null when either is missing.
QString between(const QByteArray& page, const QByteArray& start, const QByteArray& end) {
  const qsizetype from = page.indexOf(start);
  const qsizetype to = from < 0 ? -1 : page.indexOf(end, from + start.size());
  return to < 0 ? QString() : QString::fromUtf8(page.mid(from + start.size(), to - from - start.size()));
}

QString textOfHtml(const fs::path& file) {
  return between(bytesOf(file), "<script type=\"application/json\" id=\"provenance\">", "</script>");
}

QString makerOfHtml(const fs::path& file) {
  return between(bytesOf(file), "<meta name=\"generator\" content=\"", "\">");
}

struct Format {
  const char* extension;
  QString (*read)(const fs::path& file);
  QString (*maker)(const fs::path& file);
};
constexpr Format kFormats[] = {{".pdf", textOfPdf, makerOfPdf},
                               {".svg", textOfSvg, makerOfSvg},
                               {".png", textOfPng, makerOfPng},
                               {".html", textOfHtml, makerOfHtml}};

std::string extensionOf(const fs::path& file) {
  return fileText(file.extension()).toLower().toStdString();
}

}  // namespace

bool mayBeFigure(const fs::path& file) {
  const std::string extension = extensionOf(file);
  return extension == ".json" || std::any_of(std::begin(kFormats), std::end(kFormats),
                                             [&](const Format& f) { return extension == f.extension; });
}

bool isProvenanceFile(const fs::path& file) {
  try {
    return extensionOf(file) == ".json" && isProvenance(readJsonFile(file, kLargestProvenance));
  } catch (const Error&) {
    return false;
  }
}

QString programText() {
  return QStringLiteral("Plastiscope %1").arg(QString::fromStdString(std::string(kVersion)));
}

bool isOwnFigure(const fs::path& file) {
  for (const Format& format : kFormats) {
    if (extensionOf(file) == format.extension)
      return format.maker(file).startsWith(QLatin1String("Plastiscope "));
  }
  return false;
}

Json readProvenance(const fs::path& file) {
  Json json;
  if (extensionOf(file) == ".json") {
    json = readJsonFile(file, kLargestProvenance);
  } else {
    QString text;
    for (const Format& format : kFormats) {
      if (extensionOf(file) == format.extension) text = format.read(file);
    }
    json = parsedProvenance(text, file);
  }
  if (!isProvenance(json)) refuse(file, "the data of another program");
  return json;
}

}  // namespace plastiscope
