#include "core/jobs/clamp_source.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"

namespace plastiscope {

ClampSource::ClampSource(const std::filesystem::path& file) : m_file(file), m_analysis(readAnalysis(file)) {}

void ClampSource::requireFitting(const ModelSpec& spec) const {
  const std::int64_t width = integer("head_dim");
  if (width != spec.headDim) refuse("head_dim", std::to_string(spec.headDim), std::to_string(width));
  const std::string point = canonicalJson(m_analysis.provenance.capture->value("point", Json("post-rope")));
  if (point == "\"pre-rope\"") refuse("point", "keys after the rotation, which are the ones to clamp", point);
}

double ClampSource::centre() const {
  return static_cast<double>(integer("window") - 1) / 2;
}

std::vector<KeyClamp> ClampSource::clamps(const std::vector<HeadName>& heads, const ModelSpec& spec) const {
  std::vector<KeyClamp> all;
  std::map<HeadName, KeyClamp*> places;
  all.reserve(heads.size());
  for (const HeadName& head : heads) {
    const auto width = static_cast<std::size_t>(spec.layer(head.layer).headDim);
    all.push_back({{head.layer, head.head}, std::vector<double>(width, kMissing), kMissing, centre()});
    places[head] = &all.back();
  }
  readSlopes(places);
  readAxes(places);
  for (const auto& [head, clamp] : places) requireComplete(head, *clamp);
  return all;
}

void ClampSource::refuse(const std::string& place, const std::string& expected,
                         const std::string& found) const {
  throw InputError({m_file, place, expected, found});
}

std::int64_t ClampSource::integer(const std::string& key) const {
  const Json& facts = m_analysis.provenance.capture;
  const auto found = facts.find(key);
  if (found == facts.end() || !found->is_number_integer() || *found < 1)
    refuse("capture " + key, "a number above 0", found == facts.end() ? "none" : canonicalJson(*found));
  return found->get<std::int64_t>();
}

const Table& ClampSource::table(const std::string& name) const {
  const Table* found = m_analysis.find(name);
  if (found == nullptr) refuse("table " + name, "a table", "none");
  return *found;
}

template <typename Value>
const std::vector<Value>& ClampSource::column(const Table& table, const std::string& name) const {
  const Column* found = table.find(name);
  const auto* values = found == nullptr ? nullptr : std::get_if<std::vector<Value>>(&found->values);
  if (values == nullptr || values->size() != table.rows())
    refuse("table " + table.name, "a column " + name, "no such column, or one of another type");
  return *values;
}

void ClampSource::readSlopes(const Places& places) const {
  const Table& heads = table("heads");
  const auto& layer = column<std::int64_t>(heads, "layer");
  const auto& head = column<std::int64_t>(heads, "head");
  const auto& slope = column<double>(heads, "alpha_k");
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    const auto place = places.find({layer[row], head[row]});
    if (place != places.end()) place->second->slope = slope[row];
  }
}

void ClampSource::readAxes(const Places& places) const {
  const Table& axes = table("axes");
  const auto& layer = column<std::int64_t>(axes, "layer");
  const auto& head = column<std::int64_t>(axes, "head");
  const auto& dimension = column<std::int64_t>(axes, "dimension");
  const auto& name = column<std::string>(axes, "axis");
  const auto& value = column<double>(axes, "value");
  for (std::size_t row = 0; row < axes.rows(); ++row) {
    const auto place = name[row] == "a" ? places.find({layer[row], head[row]}) : places.end();
    if (place == places.end()) continue;
    std::vector<double>& axis = place->second->axis;
    if (dimension[row] < 0 || static_cast<std::size_t>(dimension[row]) >= axis.size())
      refuse("table axes, head " + place->first.text(), std::to_string(axis.size()) + " dimensions",
             "dimension " + std::to_string(dimension[row]));
    axis[dimension[row]] = value[row];
  }
}

void ClampSource::requireComplete(const HeadName& head, const KeyClamp& clamp) const {
  if (!std::isfinite(clamp.slope)) refuse("head " + head.text(), "its alpha_k in the table heads", "none");
  double length = 0;
  for (const double value : clamp.axis) length += value * value;
  if (std::isnan(length)) refuse("head " + head.text(), "its axis a in the table axes", "none");
  if (std::abs(length - 1) > 1e-6)
    refuse("head " + head.text(), "an axis a of length 1", std::to_string(std::sqrt(length)));
}

}  // namespace plastiscope
