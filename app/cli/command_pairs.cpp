#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <limits>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/jobs/inspect_job.h"
#include "core/store/capture_parts.h"
#include "core/store/output_place.h"

namespace plastiscope {

namespace {

struct PairsOptions {
  std::string capture, head, cell, out;
  bool force = false;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  GivenSettings settings;
};

// "3,5" -> 3, 5
std::pair<std::int64_t, std::int64_t> parseCell(const std::string& text) {
  const auto fail = [&] {
    return UsageError("--cell: expected DISTANCE,MIDPOINT as in map.csv, found " + text);
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw fail();
  const auto number = [&](const char* from, const char* to) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(from, to, value);
    if (error != std::errc() || end != to || value < 0) throw fail();
    return value;
  };
  const char* const start = text.data();
  return {number(start, start + comma), number(start + comma + 1, start + text.size())};
}

Table answer(const PairsOptions& options, const CaptureFile& capture, const Progress& progress) {
  const std::vector<HeadName> heads = parseHeadList(options.head);
  if (heads.size() != 1) throw UsageError("--head: expected one head such as L5H1, found " + options.head);
  const AnalysisSettings settings = options.settings.resolved();
  if (options.cell.empty()) return ppSpreadTable(inspectSpread(capture, heads.front(), settings, progress));
  const auto [distance, midpoint] = parseCell(options.cell);
  return pairsTable(inspectCell(capture, heads.front(), settings, distance, midpoint, options.most, progress),
                    capture.info());
}

}  // namespace

CommandRun addPairs(CLI::App& app, GlobalOptions& global) {
  auto options = std::make_shared<PairsOptions>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--head", options->head, "The head, such as L5H1")->required();
  app.add_option(
      "--cell", options->cell,
      "List the key pairs of this cell of the map: DISTANCE,MIDPOINT as in map.csv. Without it: how PP "
      "is spread over the pairs at every query position");
  app.add_option("--most", options->most, "List no more pairs than this")->check(CLI::NonNegativeNumber);
  app.add_option("--out", options->out, "Write the table into this CSV file instead of printing it");
  addForce(app, options->force);
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions&, Progress& progress) {
    const auto capture = openCapture(options->capture);
    warnOfPart(capture->info(), progress);
    if (!options->out.empty()) {
      const Table columns = options->cell.empty() ? ppSpreadTable({}) : pairsTable({}, capture->info());
      requireOutputPlace(options->out, tableOutput(columns), {{options->capture}, options->force});
      requireWritableFolderOf(options->out);
    }
    const std::string text = toCsv(answer(*options, *capture, progress));
    if (options->out.empty())
      std::fputs(text.c_str(), stdout);
    else
      writeFileAtomically(options->out, text);
  };
}

}  // namespace plastiscope
