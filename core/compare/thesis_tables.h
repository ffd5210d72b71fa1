#pragma once
// The tables of the thesis by their numbers, from the published numbers, with rows of own analyses where such
// have the same quantities; and any table as LaTeX.
#include <span>
#include <string>

#include "core/compare/comparison.h"

namespace plastiscope {

struct ThesisTable {
  const char *number, *title;
  Table (*make)();
  // A row for each model of a comparison, below the published ones; null: own analyses have no such numbers.
  void (*addOwn)(const Comparison& own, Table& table) = nullptr;
};
std::span<const ThesisTable> thesisTables();
// UsageError names all numbers.
const ThesisTable& thesisTable(const std::string& number);
bool isThesisTable(const std::string& number);
// `own`: null = the published rows alone. UsageError where own ones have no such numbers.
Table makeThesisTable(const std::string& number, const Comparison* own = nullptr);

// A tabular with the rules of booktabs in a table with the caption and a label: numbers at the right, missing
// values as dashes, all text escaped.
std::string toLatex(const Table& table, const std::string& caption, const std::string& label);

}  // namespace plastiscope
