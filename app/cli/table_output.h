#pragma once
// Output of a command's tables: files, JSON, or aligned text on standard output; and options for the analysis
// settings behind them.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/analysis/settings.h"
#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/store/table_folder.h"

namespace plastiscope {

// The folder of a command's tables.
struct TableTarget {
  std::string csv;
  bool fresh = false, force = false;
  // Nullopt without --csv. Throws as TableFolder does.
  std::optional<TableFolder> open(TableOrigin origin, const std::vector<std::string>& tables) const;
};
// Adds --fresh and --force; --csv belongs to the command.
void addTableTarget(OptionList& options, TableTarget& target);
// Reports that the tables in the folder exist already.
void tellFinished(const std::string& folder, const GlobalOptions& globals);
// True if the tables exist already, which is then reported: nothing is left to do.
bool isLeft(const std::optional<TableFolder>& folder, const TableTarget& target,
            const GlobalOptions& globals);

// Analysis settings from the command line; must live until the command has run.
struct GivenSettings {
  std::string preset = "thesis";
  SettingTexts values;

  AnalysisSettings resolved() const { return settingsOf(preset, values); }  // UsageError
};
// Adds --preset and the options of an analysis, one per entry of settingList(): --pair-scope sets
// "pair_scope".
void addSettingOptions(OptionList& options, GivenSettings& given);

// One object per row; missing numbers are null.
Json toJson(const Table& table);

// Prints columns of a table, aligned; integers in full, other numbers with four significant digits, missing
// ones as "-".
void printTable(const Table& table, const std::vector<std::string>& columns);

// Form of a printed table: aligned text, or a format of core/views/table_text.h.
enum class PrintFormat { Text, Csv, Latex, Markdown };
constexpr std::array<const char*, 4> namesOf(PrintFormat) {
  return {"text", "csv", "latex", "markdown"};
}
Option formatOption(PrintFormat& format);
// These columns (all if empty) as text, in LaTeX and Markdown with their intervals; CSV has all columns.
void printTable(const Table& table, const std::vector<std::string>& columns, PrintFormat format);
// The whole table as printed; not for Text.
std::string printedText(const Table& table, PrintFormat format);

// "a,b" -> a, b; empty parts are left out.
std::vector<std::string> splitList(const std::string& text);

}  // namespace plastiscope
