#include "widgets/export/figure_files.h"

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/latex_text.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/export/pgfplots.h"
#include "widgets/plots/plot_renderer.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// NAME-1.png, ... beside the figure `out`.
fs::path pgfImage(const fs::path& out, std::size_t number) {
  return out.parent_path() / (out.stem().string() + "-" + std::to_string(number) + ".png");
}

fs::path beside(fs::path out, const char* extension) {
  return out.replace_extension(extension);
}

constexpr std::string_view kCaptionStart = "% Draft of a caption, written by Plastiscope";

bool isOwnCaption(const fs::path& tex) {
  std::error_code code;
  return fs::exists(tex, code) && readStart(tex, kCaptionStart.size()) == kCaptionStart;
}

bool isOwnTex(const fs::path& file) {
  std::error_code code;
  return fs::exists(file, code) && readStart(file, kTexStart.size()) == kTexStart;
}

// Compares the checksum in the figure or the provenance beside a table. Older versions have none.
bool isTableOf(const fs::path& table, const fs::path& figure) {
  std::error_code code;
  for (const char* extension : {".json", ".pdf", ".svg", ".png", ".html"}) {
    const fs::path place = beside(figure, extension);
    if (!fs::exists(place, code)) continue;
    try {
      const Json provenance = readProvenance(place);
      if (!provenance.contains(kTableChecksum)) return true;
      if (provenance[kTableChecksum] == sha256Hex(readFile(table))) return true;
    } catch (const InputError&) {
      // another file may have the checksum
    }
  }
  return false;
}

OutputKind tableOf(const fs::path& figure) {
  return {"the table of an exported figure",
          [figure](const fs::path& file) { return isTableOf(file, figure); }};
}

struct Place {
  fs::path file;
  OutputKind kind;
};

void addPgfplots(const fs::path& out, std::vector<Place>& places) {
  const fs::path tex = beside(out, ".tex");
  const OutputKind source{"the LaTeX source of an exported figure",
                          [tex](const fs::path&) { return isOwnTex(tex); }};
  places.push_back({tex, source});
  places.push_back({beside(out, ".pgf.csv"), source});
  // Images NAME-1.png, NAME-2.png, ... as long as they exist.
  std::error_code code;
  for (std::size_t i = 1; fs::exists(pgfImage(out, i), code); ++i) {
    const fs::path image = pgfImage(out, i);
    places.push_back({image, {source.name, [tex, image](const fs::path&) {
                                return isOwnTex(tex) &&
                                       readFile(tex).find(image.filename().string()) != std::string::npos;
                              }}});
  }
}

std::vector<Place> placesOf(const fs::path& out, const ExportOptions& options) {
  std::vector<Place> places = {{out, figureOutput()}};
  if (!options.dataFile.empty())
    places.push_back({options.dataFile, tableOf(out)});
  else if (options.dataTable)
    places.push_back({beside(out, ".csv"), tableOf(out)});
  if (options.provenance)
    places.push_back({beside(out, ".json"), {"the provenance of an exported figure", isProvenanceFile}});
  if (options.pgfplots) addPgfplots(out, places);
  if (options.caption) {
    const fs::path tex = beside(out, ".caption.tex");
    const OutputKind caption{"the caption of an exported figure",
                             [tex](const fs::path&) { return isOwnCaption(tex); }};
    places.push_back({tex, caption});
    places.push_back({beside(out, ".caption.txt"), caption});
  }
  return places;
}

void requireDifferent(const std::vector<Place>& places) {
  std::error_code code;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const fs::path one = fs::weakly_canonical(places[i].file, code),
                     other = fs::weakly_canonical(places[j].file, code);
      if (one == other)
        throw UsageError(places[i].file.string() + ": two files of one figure would have this name");
    }
  }
}

}  // namespace

OutputKind figureOutput() {
  return {"a figure that Plastiscope exported", isOwnFigure};
}

void requireFigurePlaces(const fs::path& out, const ExportOptions& options,
                         const std::vector<fs::path>& inputs) {
  const std::vector<Place> places = placesOf(out, options);
  requireDifferent(places);
  OutputRules rules{inputs, options.force};
  if (!options.remedy.empty()) rules.remedy = options.remedy;
  for (const Place& place : places) requireOutputPlace(place.file, place.kind, rules);
}

std::vector<fs::path> inputsOf(const Studies& studies, const FigureSpec& spec) {
  std::vector<fs::path> inputs = {spec.scores};
  for (const auto& study : studies) {
    inputs.emplace_back(study->file);
    if (study->capture) inputs.push_back(study->capture->path());
  }
  return inputs;
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
  if (options.caption) flags.emplace_back("--caption");
  if (options.fixedDate) flags.emplace_back("--fixed-date");
  return flags;
}

std::vector<fs::path> writePgfplots(const FigureContent& content, const FigureSpec& spec,
                                    const fs::path& out) {
  const std::string name = out.stem().string();
  const auto [units, style] = layoutOf(spec);
  const PgfFigure figure = pgfFigure(layOutPlot(units, style, content.plot), style, name);
  std::vector<fs::path> written;
  const auto write = [&](const std::string& file, std::string_view bytes) {
    written.push_back(out.parent_path() / file);
    writeFileAtomically(written.back(), bytes);
  };
  for (std::size_t i = 0; i < figure.images.size(); ++i) {
    const QByteArray png = pngOf(figure.images[i]);
    write(pgfImage(out, i + 1).filename().string(), {png.constData(), static_cast<std::size_t>(png.size())});
  }
  write(name + ".pgf.csv", figure.table);
  write(name + ".tex", figure.tex);
  return written;
}

std::vector<fs::path> exportFigure(const Studies& studies, const FigureContent& content,
                                   const FigureSpec& spec, const fs::path& out,
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
  std::vector<fs::path> written;
  // Written together, so that the provenance always matches the table and the figure.
  std::vector<NewFile> together;
  const auto add = [&](const fs::path& file, std::string text) {
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
  if (options.caption) {
    const std::string caption = captionOf(studies, content, spec), latex = latexText(caption);
    const bool letters = latex.find("\\otherletter") != std::string::npos;
    add(beside.replace_extension(".caption.txt"), caption + "\n");
    beside = out;
    add(beside.replace_extension(".caption.tex"), std::string(kCaptionStart) + "\n" +
                                                      (letters ? std::string(kOtherLetter) + "%\n" : "") +
                                                      "\\caption{" + latex + "}\n");
  }
  if (options.pgfplots) {
    for (const auto& file : writePgfplots(content, spec, out)) written.push_back(file);
  }
  add(out, bytes.toStdString());
  writeFilesTogether(out.parent_path(), together, {});
  return written;
}

}  // namespace plastiscope
