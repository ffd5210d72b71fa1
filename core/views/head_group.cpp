#include "core/views/head_group.h"

#include <algorithm>
#include <cctype>

#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/views/head_filter.h"
#include "core/views/study_facts.h"

namespace plastiscope {

std::string_view embeddedCaptureLooks();

namespace {

constexpr std::size_t kLongestGroupName = 64;

std::vector<std::string> groupNames(const HeadGroups& groups) {
  std::vector<std::string> names;
  for (const HeadGroup& group : groups) names.push_back(group.name);
  return names;
}

// Why a text cannot be the name of a group; "" if it can.
std::string problemOfGroupName(std::string_view name) {
  const std::string shown = "\"" + sanitized(std::string(name)) + "\"";
  if (name.empty()) return "a group of heads needs a name";
  if (name.size() > kLongestGroupName)
    return "group " + shown + ": expected a name of at most " + std::to_string(kLongestGroupName) +
           " letters";
  if (!std::ranges::all_of(name, isInGroupName))
    return "group " + shown + ": expected a name of letters, digits, '-', '_' and '.'";
  if (name == "rest" || name == "layers")  // what groups are compared with
    return "group " + shown + ": this name stands for other heads; choose another one";
  return "";
}

bool isColour(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string textMember(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "L14" or "L0-5": the layers; "" for other texts.
std::string layersIn(const std::string& part) {
  const bool layer = part.size() > 1 && (part[0] == 'L' || part[0] == 'l') &&
                     part.find_first_not_of("0123456789-Ll", 1) == std::string::npos;
  std::string numbers = layer ? part.substr(1) : "";
  std::erase_if(numbers, [](char c) { return c == 'L' || c == 'l'; });  // "L0-L5"
  return numbers;
}

bool isHeadList(const std::string& text) {
  return text.find_first_not_of(" ") != std::string::npos &&
         text.find_first_not_of("0123456789,-LlHh ") == std::string::npos &&
         text.find_first_of("Ll") != std::string::npos;
}

// Heads and layers of a list such as "L12H6,L14,L0-5".
std::vector<HeadName> headsListed(const std::string& list, const std::vector<HeadName>& there) {
  std::vector<std::int64_t> layers;
  for (const HeadName& head : there) {
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  }
  std::vector<HeadName> heads;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string part = list.substr(begin, end - begin);
    std::erase(part, ' ');
    begin = end + 1;
    if (const std::string wanted = layersIn(part); !wanted.empty()) {
      const std::vector<std::int64_t> meant = layersMeant(wanted, layers);
      std::ranges::copy_if(there, std::back_inserter(heads), [&](const HeadName& head) {
        return std::ranges::binary_search(meant, head.layer);
      });
    } else {
      const std::vector<HeadName> meant = headsMeant(part, there);
      heads.insert(heads.end(), meant.begin(), meant.end());
    }
  }
  std::ranges::sort(heads);
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

std::vector<HeadName> headsMatching(const std::string& expression, const HeadGroups& groups,
                                    const Table& heads) {
  const HeadFilter filter(expression, heads, HeadSets{{}, groups});
  const std::vector<HeadName> there = headsOf(heads);
  std::vector<HeadName> members;
  for (std::size_t row = 0; row < there.size(); ++row) {
    if (filter.matches(row)) members.push_back(there[row]);
  }
  std::ranges::sort(members);
  return members;
}

}  // namespace

bool isInGroupName(unsigned char c) {
  return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
}

void checkGroupName(std::string_view name, const HeadGroups& groups) {
  if (const std::string problem = problemOfGroupName(name); !problem.empty()) throw UsageError(problem);
  if (std::ranges::find(groups, name, &HeadGroup::name) != groups.end())
    throw UsageError("there is already a group \"" + std::string(name) + "\"");
}

std::string freeGroupColour(const HeadGroups& groups) {
  static const std::vector<std::string> kColours = [] {
    const Json looks = parseJson(std::string(embeddedCaptureLooks()), "captures.json");
    std::vector<std::string> colours;
    for (const Json& colour : looks.at("colours")) colours.push_back(colour.at("light"));
    return colours;
  }();
  const auto uses = [&](const std::string& colour) {
    return std::ranges::count(groups, colour, &HeadGroup::colour);
  };
  return std::ranges::min(kColours, {}, uses);
}

Json groupsToJson(const HeadGroups& groups) {
  Json list = Json::array();
  for (const HeadGroup& group : groups) {
    Json heads = Json::array();
    for (const HeadName& head : group.heads) heads.push_back(head.text());
    list.push_back({{"name", group.name}, {"colour", group.colour}, {"heads", heads}});
    if (!group.origin.empty()) list.back()["origin"] = group.origin;
  }
  return list;
}

HeadGroups groupsFromJson(const Json& value) {
  HeadGroups groups;
  if (!value.is_array()) return groups;
  for (const Json& each : value) {
    if (!each.is_object() || !each.contains("heads") || !each["heads"].is_array()) continue;
    HeadGroup group{textMember(each, "name"), textMember(each, "colour"), {}, textMember(each, "origin")};
    for (const Json& name : each["heads"]) {
      if (const auto head = name.is_string() ? headNamed(name) : std::nullopt) group.heads.push_back(*head);
    }
    std::ranges::sort(group.heads);
    group.heads.erase(std::unique(group.heads.begin(), group.heads.end()), group.heads.end());
    const bool taken = std::ranges::find(groups, group.name, &HeadGroup::name) != groups.end();
    if (taken || group.heads.empty() || !problemOfGroupName(group.name).empty()) continue;
    if (!isColour(group.colour)) group.colour = freeGroupColour(groups);
    groups.push_back(std::move(group));
  }
  return groups;
}

const HeadGroup& groupNamed(const HeadGroups& groups, std::string_view name) {
  const auto found = std::ranges::find(groups, name, &HeadGroup::name);
  if (found != groups.end()) return *found;
  const std::string wanted(name);
  const std::vector<std::string> names = groupNames(groups);
  throw UsageError("there is no group \"" + sanitized(wanted) + "\"" +
                   (groups.empty() ? ": the study has no groups"
                                   : didYouMean(wanted, names, "; known groups: " + joined(names))));
}

HeadGroup parseGroup(std::string_view text, const HeadGroups& groups, const Table& heads) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    HeadGroup group = groupNamed(groups, text);
    const std::vector<HeadName> all = headsOf(heads);
    std::erase_if(group.heads, [&](const HeadName& head) { return !std::ranges::count(all, head); });
    if (group.heads.empty())
      throw UsageError("no head of group \"" + group.name + "\" was captured in this study");
    return group;
  }
  HeadGroup group{std::string(text.substr(0, equals)), "", {}, std::string(text.substr(equals + 1))};
  checkGroupName(group.name, {});
  const auto known = std::ranges::find(groups, group.name, &HeadGroup::name);
  group.colour = known == groups.end() ? freeGroupColour(groups) : known->colour;
  std::vector<HeadName> all = headsOf(heads);
  std::ranges::sort(all);
  if (group.origin.find_first_not_of(' ') == std::string::npos)
    throw UsageError("group \"" + group.name + "\": expected heads or an expression after \"=\"");
  group.heads =
      isHeadList(group.origin) ? headsListed(group.origin, all) : headsMatching(group.origin, groups, heads);
  if (group.heads.empty())
    throw UsageError("group \"" + group.name + "\": no head matches " + sanitized(group.origin));
  if (group.origin == headListText(group.heads)) group.origin.clear();
  return group;
}

}  // namespace plastiscope
