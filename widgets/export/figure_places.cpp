#include "widgets/export/figure_places.h"

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/pgfplots.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

fs::path beside(fs::path out, const char* extension) {
  return out.replace_extension(extension);
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
  for (std::size_t i = 1; fs::exists(pgfImageOf(out, i), code); ++i) {
    const fs::path image = pgfImageOf(out, i);
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

}  // namespace plastiscope
