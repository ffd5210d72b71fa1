#pragma once
// Tables of a command: as files, as JSON, and as columns of text on standard output; and the settings of the
// analysis that they come from.
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
  // Nothing without --csv. Throws as TableFolder does.
  std::optional<TableFolder> open(TableOrigin origin, const std::vector<std::string>& tables) const;
};
// --fresh and --force; --csv is the command's own.
void addTableTarget(OptionList& options, TableTarget& target);
// Whether the tables are there already; then it is said, and there is nothing to do.
bool isLeft(const std::optional<TableFolder>& folder, const TableTarget& target,
            const GlobalOptions& globals);

// The settings of an analysis as given on the command line; they must live until the command has run.
struct GivenSettings {
  std::string preset = "thesis";
  SettingTexts values;

  AnalysisSettings resolved() const { return settingsOf(preset, values); }  // UsageError
};
// --preset and one option for every entry of settingList(): --pair-scope sets "pair_scope", and so on.
void addSettingOptions(OptionList& options, GivenSettings& given);

// One object a row; missing numbers are null.
Json toJson(const Table& table);

// The named columns of a table, aligned; whole numbers in full, others with four significant digits, missing
// ones as "-".
void printTable(const Table& table, const std::vector<std::string>& columns);

// "a,b" -> a, b; empty parts are left out.
std::vector<std::string> splitList(const std::string& text);

}  // namespace plastiscope
