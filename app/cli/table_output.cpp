#include "app/cli/table_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/views/table_text.h"

namespace plastiscope {

namespace {

Json cellJson(const Column& column, std::size_t row) {
  return std::visit(
      [row](const auto& values) -> Json {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_same_v<Value, double>) {
          if (!std::isfinite(values[row])) return nullptr;
        }
        return values[row];
      },
      column.values);
}

std::string shownCell(const Column& column, std::size_t row) {
  if (const auto* values = std::get_if<std::vector<std::int64_t>>(&column.values))
    return std::to_string((*values)[row]);
  if (const auto* values = std::get_if<std::vector<std::string>>(&column.values))
    return (*values)[row].empty() ? "-" : sanitized((*values)[row]);
  const double value = std::get<std::vector<double>>(column.values)[row];
  if (!std::isfinite(value)) return "-";
  char text[32];
  const bool whole = value == std::floor(value) && std::abs(value) < 1e9;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", value);
  return text;
}

}  // namespace

void addTableTarget(OptionList& options, TableTarget& target) {
  options.push_back(
      option("--fresh", &target.fresh,
             "Compute again even if the tables are finished, and replace tables of other settings"));
  options.push_back(forceOption(target.force));
}

void addSettingOptions(OptionList& options, GivenSettings& given) {
  std::string presets;
  std::vector<std::string> names;
  for (const SettingPreset& preset : settingPresets()) {
    presets += (presets.empty() ? "Start from " : "; ") + std::string(preset.name) + ": " + preset.meaning;
    names.emplace_back(preset.name);
  }
  options.push_back(
      option("--preset", &given.preset, presets, {.showsDefault = true, .words = names, .open = true}));
  const SettingTexts standard = settingTexts(AnalysisSettings());
  for (const SettingInfo& info : settingList()) {
    const std::string& usual = standard.at(info.name);
    const TextForm value{[usual] { return usual; },
                         [&given, key = info.name](const std::string& text) { given.values[key] = text; }};
    options.push_back({settingOption(info.name),
                       "",
                       value,
                       info.help + " (" + info.values() + (usual.empty() ? "" : "; default " + usual) + ")",
                       {.group = info.group, .words = info.words, .open = true}});
  }
}

std::optional<TableFolder> TableTarget::open(TableOrigin origin,
                                             const std::vector<std::string>& tables) const {
  if (csv.empty()) return std::nullopt;
  return TableFolder(csv, std::move(origin), {.otherSettings = fresh, .force = force}, tables);
}

void tellFinished(const std::string& folder, const GlobalOptions& globals) {
  tell(globals, folder +
                    ": these tables already exist with the same inputs and settings and were not changed; "
                    "use --fresh to compute them again");
}

bool isLeft(const std::optional<TableFolder>& folder, const TableTarget& target,
            const GlobalOptions& globals) {
  if (!folder || !folder->isFinished()) return false;
  tellFinished(target.csv, globals);
  return true;
}

Json toJson(const Table& table) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json object = Json::object();
    for (const Column& column : table.columns) object[column.name] = cellJson(column, row);
    rows.push_back(std::move(object));
  }
  return rows;
}

void printTable(const Table& table, const std::vector<std::string>& columns) {
  std::vector<std::vector<std::string>> lines(table.rows() + 1);
  std::vector<std::size_t> width;
  for (const std::string& name : columns) {
    const Column* column = table.find(name);
    if (column == nullptr) continue;
    lines[0].push_back(sanitized(name));
    std::size_t widest = lines[0].back().size();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      lines[row + 1].push_back(shownCell(*column, row));
      widest = std::max(widest, lines[row + 1].back().size());
    }
    width.push_back(widest);
  }
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool last = c + 1 == line.size();
      std::printf("%-*s%s", last ? 0 : static_cast<int>(width[c]), line[c].c_str(), last ? "\n" : "  ");
    }
  }
}

Option formatOption(PrintFormat& format) {
  return option("--format", choiceOf(format),
                "Form of the printed table; latex and markdown round numbers to their interval",
                {.showsDefault = true});
}

std::string printedText(const Table& table, PrintFormat format) {
  if (format == PrintFormat::Text)
    throw UsageError("--format: this table is printed as csv, latex or markdown");
  return tableText(table, static_cast<TableFormat>(static_cast<int>(format) - 1));
}

void printTable(const Table& table, const std::vector<std::string>& columns, PrintFormat format) {
  std::vector<std::string> shown = columns;
  if (columns.empty())
    for (const Column& column : table.columns) shown.push_back(column.name);
  if (format == PrintFormat::Text) return printTable(table, shown);
  Table part{table.name, {}};
  for (const Column& column : table.columns) {
    const bool listed = std::ranges::any_of(shown, [&](const std::string& name) {
      return column.name == name || column.name == name + "_low" || column.name == name + "_high";
    });
    if (listed || format == PrintFormat::Csv) part.columns.push_back(column);
  }
  std::fputs(printedText(part, format).c_str(), stdout);
}

std::vector<std::string> splitList(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

}  // namespace plastiscope
