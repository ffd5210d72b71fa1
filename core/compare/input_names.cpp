#include "core/compare/input_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "core/base/error.h"

namespace plastiscope {

namespace {

// Columns that stand beside those named after inputs.
constexpr const char* kReserved[] = {"layer", "head", "metric", "group", "setting"};

std::string stemOf(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string suffix : {".analysis.h5", ".h5", ".hdf5"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

std::string proposedName(const std::vector<ComparisonInput>& inputs, const std::vector<std::string>& models,
                         std::size_t i) {
  if (!inputs[i].name.empty()) return inputs[i].name;
  const std::string stem = stemOf(inputs[i].file);
  const bool onlyOne = std::count(models.begin(), models.end(), models[i]) == 1;
  if (!models[i].empty() && (onlyOne || stem.empty())) return models[i];
  return stem.empty() ? "input" : stem;
}

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The run of digits at `place`, without leading zeros; `place` moves behind it.
std::string numberAt(const std::string& text, std::size_t& place) {
  std::string digits;
  for (; place < text.size() && isDigit(text[place]); ++place) {
    if (!digits.empty() || text[place] != '0') digits += text[place];
  }
  return digits;
}

}  // namespace

std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs) {
  std::vector<std::string> models, names;
  for (const ComparisonInput& input : inputs) models.push_back(factsOf(*input.analysis).model);
  std::set<std::string> used(std::begin(kReserved), std::end(kReserved));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string proposed = proposedName(inputs, models, i);
    std::string name = proposed;
    for (int number = 2; used.contains(name) || used.contains(name + "_difference"); ++number)
      name = proposed + " " + std::to_string(number);
    used.insert(name);
    used.insert(name + "_difference");
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> withoutOwners(const std::vector<std::string>& names) {
  std::vector<std::string> tails;
  for (const std::string& name : names) tails.push_back(name.substr(name.rfind('/') + 1));
  const std::set<std::string> different(tails.begin(), tails.end());
  return different.size() < tails.size() || different.contains("") ? names : tails;
}

std::vector<std::string> withoutCommonStart(const std::vector<std::string>& names) {
  if (names.size() < 2) return names;
  const std::string& first = names.front();
  std::size_t start = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool all = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return i + 1 < name.size() && name[i] == first[i];
    });
    if (!all) break;
    if (std::string_view(" -_/.:").find(first[i]) != std::string_view::npos) start = i + 1;
  }
  std::vector<std::string> rests;
  for (const std::string& name : names) rests.push_back(name.substr(start));
  return rests;
}

bool naturallyBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string left = numberAt(a, i), right = numberAt(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  const std::size_t restA = a.size() - i, restB = b.size() - j;
  return restA != restB ? restA < restB : a < b;
}

void sortModels(Comparison& comparison, CompareOrder order) {
  if (order == CompareOrder::Given) return;
  std::stable_sort(comparison.models.begin(), comparison.models.end(),
                   [order](const ComparedModel& a, const ComparedModel& b) {
                     return order == CompareOrder::Name ? naturallyBefore(a.name, b.name)
                                                        : a.facts.window < b.facts.window;
                   });
}

}  // namespace plastiscope
