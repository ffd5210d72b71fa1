#pragma once
// The tables of the thesis by number, made from the published numbers, with rows of own analyses if these
// have the same quantities.
#include <span>
#include <string>

#include "core/compare/comparison.h"

namespace plastiscope {

struct ThesisTable {
  const char *number, *title;
  Table (*make)();
  // Adds a row for each model of a comparison below the published ones; null: own analyses have no such
  // numbers.
  void (*addOwn)(const Comparison& own, Table& table) = nullptr;
};
std::span<const ThesisTable> thesisTables();
// UsageError names all numbers.
const ThesisTable& thesisTable(const std::string& number);
bool isThesisTable(const std::string& number);
// `own`: null = only published rows. UsageError if own analyses have no such numbers.
Table makeThesisTable(const std::string& number, const Comparison* own = nullptr);

}  // namespace plastiscope
