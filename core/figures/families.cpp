// The colour and marker of each model family: resources/themes/families.json, built into the program.
#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/json.h"
#include "core/figures/parts.h"

namespace plastiscope {

std::string_view embeddedFamilies();

namespace {

std::uint32_t colourOf(const std::string& hex) {
  return static_cast<std::uint32_t>(std::stoul(hex.substr(1), nullptr, 16));
}

std::map<std::string, FamilyMark> readFamilies() {
  static const std::map<std::string, Marker> kMarkers = {{"circle", Marker::Circle},
                                                         {"square", Marker::Square},
                                                         {"diamond", Marker::Diamond},
                                                         {"triangle", Marker::Triangle}};
  std::map<std::string, FamilyMark> marks;
  const Json root = parseJson(std::string(embeddedFamilies()), "families.json");
  for (const auto& [name, mark] : root.items()) {
    const auto text = [&mark = mark](const char* key) { return mark.at(key).get<std::string>(); };
    marks[name] = {Colour(colourOf(text("light")), colourOf(text("dark"))), kMarkers.at(text("marker"))};
  }
  return marks;
}

}  // namespace

FamilyMark familyMark(const std::string& family) {
  static const std::map<std::string, FamilyMark> kMarks = readFamilies();
  std::string lower = family;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  const auto found = kMarks.find(lower);
  return found != kMarks.end() ? found->second : FamilyMark{Colour(0x7d858b, 0x9aa2a8), Marker::Ring};
}

}  // namespace plastiscope
