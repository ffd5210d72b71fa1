#include "widgets/export/figure_provenance.h"

#include <QBuffer>
#include <QDateTime>
#include <QImageReader>
#include <QStringDecoder>
#include <QXmlStreamReader>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/reference_data.h"
#include "core/views/study_facts.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// With its folder, so that the figure finds it again; files that are compared byte by byte come from several
// machines.
std::string fileOf(const Study& study, bool fixedDate) {
  if (publishedIdOf(study.file)) return study.file;  // part of the program
  const std::filesystem::path file = pathOfText(study.file);
  if (fixedDate || file.empty()) return pathText(file.filename());
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(file, failed);
  return pathText(failed ? file : absolute.lexically_normal());
}

// What a study is: its analysis, its settings, and the capture where that is there.
Json identityOf(const Study& study, bool fixedDate) {
  AnalysisProvenance provenance = study.analysis->provenance;
  if (fixedDate) provenance.captureFile = std::filesystem::path(provenance.captureFile).filename().string();
  Json json = {{"title", study.title},
               {"file", fileOf(study, fixedDate)},
               {"analysis", provenance.toJson()},
               {"capture_fingerprint", provenance.captureFingerprint},
               {"settings_hash", provenance.settingsHash}};
  if (study.capture == nullptr) return json;
  const CaptureInfo& info = study.capture->info();
  Json ids = Json::array();
  for (const CaptureExampleInfo& example : info.examples) ids.push_back(example.id);
  json["capture"] = {{"model", info.modelName},
                     {"architecture", info.architecture},
                     {"source", info.modelSource},
                     {"fingerprint", info.fingerprint},
                     {"rope", info.rope},
                     {"compute_dtype", info.computeDtype},
                     {"device", info.device},
                     {"settings", info.settings},
                     {"settings_hash", info.settingsHash},
                     {"program_version", info.programVersion},
                     {"examples", ids}};
  return json;
}

}  // namespace

Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate) {
  const FigureSize size = resolveSize(spec);
  Json json = {{"program", "plastiscope"}, {"program_version", std::string(kVersion)}};
  json["figure"] = spec.toJson();
  json["size"] = {{"width_inches", size.widthInches},
                  {"height_inches", size.heightInches},
                  {"label_points", size.labelPoints},
                  {"tick_points", size.tickPoints}};
  if (studies.size() == 1) {
    json.update(identityOf(*studies.front(), fixedDate));
  } else {
    Json inputs = Json::array();
    for (const auto& study : studies) inputs.push_back(identityOf(*study, fixedDate));
    json["inputs"] = std::move(inputs);
  }
  if (!fixedDate) {
    json["created"] = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  }
  return json;
}

// ---- embedded provenance

namespace {

constexpr std::size_t kLargestFigure = std::size_t{256} << 20, kLargestProvenance = std::size_t{16} << 20;

[[noreturn]] void refuse(const fs::path& file, const std::string& found) {
  throw InputError({file, "", "a figure that Plastiscope exported", found});
}

bool isProvenance(const Json& json) {
  return json.is_object() && json.contains("program") && json["program"] == "plastiscope" &&
         json.contains("figure") && json["figure"].is_object();
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

// The XMP packet of our PDF files stands in the open.
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

// A PDF keeps it as UTF-16 behind its byte order mark.
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
  return description.startsWith(QLatin1Char('{')) && isProvenance(parseJson(description.toStdString(), file))
             ? programText()
             : description;
}

QString makerOfPng(const fs::path& file) {
  return pngText(file, QStringLiteral("Software"));
}

// What stands between two texts of a page; null when either is missing.
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
    const std::string utf8 = text.toStdString();
    if (utf8.empty() || utf8.front() != '{') refuse(file, "a file without its provenance inside");
    if (utf8.size() > kLargestProvenance)
      refuse(file, "a provenance of " + byteText(utf8.size()) + ", more than such a figure can have");
    json = parseJson(utf8, file);
  }
  if (!isProvenance(json)) refuse(file, "the data of another program");
  return json;
}

}  // namespace plastiscope
