#include <QFile>

#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/export/figure_spec.h"

static void initResources() {
  Q_INIT_RESOURCE(figures);
}  // must stand outside of any namespace

namespace plastiscope {

namespace {

std::vector<VenuePreset> readPresets() {
  initResources();
  QFile file(":/figures/presets.json");
  if (!file.open(QIODevice::ReadOnly))
    throw Error(ErrorKind::Internal, "the list of venue presets is missing");
  const Json json = parseJson(file.readAll().toStdString(), "presets.json");
  std::vector<VenuePreset> presets;
  for (const Json& preset : json.at("presets")) {
    presets.push_back(
        {preset.at("id"), preset.at("title"), preset.at("column"), preset.at("text"), preset.at("caption")});
  }
  return presets;
}

}  // namespace

const std::vector<VenuePreset>& venuePresets() {
  static const std::vector<VenuePreset> presets = readPresets();
  return presets;
}

}  // namespace plastiscope
