#pragma once
// Tables of a command: as files, as JSON, and as columns of text on standard output.
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/store/table_folder.h"

namespace plastiscope {

// --force of a command, said alike everywhere.
void addForce(CLI::App& app, bool& force);

// The folder of a command's tables.
struct TableTarget {
  std::string csv;
  bool fresh = false, force = false;
  // Nothing without --csv. Throws as TableFolder does.
  std::optional<TableFolder> open(TableOrigin origin, const std::vector<std::string>& tables) const;
};
// --fresh and --force; --csv is the command's own.
void addTableTarget(CLI::App& app, TableTarget& target);
// Whether the tables are there already; then it is said, and there is nothing to do.
bool isLeft(const std::optional<TableFolder>& folder, const TableTarget& target,
            const GlobalOptions& globals);

// One object a row; missing numbers are null.
Json toJson(const Table& table);

// The named columns of a table, aligned; whole numbers in full, others with four significant digits, missing
// ones as "-".
void printTable(const Table& table, const std::vector<std::string>& columns);

// "a,b" -> a, b; empty parts are left out.
std::vector<std::string> splitList(const std::string& text);

}  // namespace plastiscope
