#pragma once
// Named sets of heads that a user keeps with a study, in NAME.notes.json beside the file.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"

namespace plastiscope {

struct HeadGroup {
  std::string name;             // unique in a study: letters, digits, '-', '_', '.'; "induction"
  std::string colour;           // "#0072b2"
  std::vector<HeadName> heads;  // ascending, not empty
  std::string origin = {};      // how it was chosen: "induction_score > 0.3", "L0-L5"; "" = by hand
  bool operator==(const HeadGroup&) const = default;
};
using HeadGroups = std::vector<HeadGroup>;  // in the order in which they were made

bool isInGroupName(unsigned char c);  // a letter, a digit, '-', '_' or '.'
// UsageError with the reason if `name` cannot name a group, or names one of `groups`.
void checkGroupName(std::string_view name, const HeadGroups& groups);
// A colour that no group has, as long as there is one (resources/themes/captures.json).
std::string freeGroupColour(const HeadGroups& groups);

Json groupsToJson(const HeadGroups& groups);
HeadGroups groupsFromJson(const Json& value);  // invalid entries are left out

// Groups of the notes beside a study; none without notes. InputError if they cannot be read.
HeadGroups groupsBeside(const std::filesystem::path& study);

// The group of that name. UsageError names the nearest one, or says that the study has no groups.
const HeadGroup& groupNamed(const HeadGroups& groups, std::string_view name);

// A group written as NAME (one of `groups`) or as NAME=HEADS, where HEADS is an expression of head_filter.h
// ("induction_score > 0.3") or a list of heads and layers ("L12H6,L14", "L0-L5"). Only heads of the table
// `heads` belong to it. UsageError: no head belongs to it, an unknown name, an error of the expression.
HeadGroup parseGroup(std::string_view text, const HeadGroups& groups, const Table& heads);

}  // namespace plastiscope
