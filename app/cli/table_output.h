#pragma once
// Tables of a command: as files, as JSON, and as columns of text on standard output.
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/table.h"

namespace plastiscope {

// NAME.csv for every table and provenance.json, each written atomically; the folder is made if need be.
void writeTables(const std::vector<Table>& tables, const Json& provenance, const std::string& folder);

// One object a row; missing numbers are null.
Json toJson(const Table& table);

// The named columns of a table, aligned; whole numbers in full, others with four significant digits, missing
// ones as "-".
void printTable(const Table& table, const std::vector<std::string>& columns);

// "a,b" -> a, b; empty parts are left out.
std::vector<std::string> splitList(const std::string& text);

}  // namespace plastiscope
