#include "widgets/plots/colour_maps.h"

#include <QFile>
#include <map>

#include "core/base/error.h"

static void initResources() {
  Q_INIT_RESOURCE(colour_maps);
}  // must stand outside of any namespace

namespace plastiscope {

namespace {

ColourMap readMap(const QString& name) {
  QFile file(":/colour_maps/" + name + ".txt");
  std::array<QRgb, 256> colours{};
  std::size_t count = 0;
  if (file.open(QIODevice::ReadOnly)) {
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray& line : lines) {
      if (line.size() == 6 && count < colours.size())
        colours[count++] = 0xff000000u | line.toUInt(nullptr, 16);
    }
  }
  if (count != colours.size()) throw Error(ErrorKind::Internal, "no colour map " + name.toStdString());
  return ColourMap(colours);
}

std::map<QString, ColourMap> readMaps() {
  initResources();
  std::map<QString, ColourMap> maps;
  for (const QString& name : colourMapNames()) maps.emplace(name, readMap(name));
  return maps;
}

}  // namespace

QStringList colourMapNames() {
  return {"viridis", "cividis", "magma", "blue_white_red", "blues", "reds"};
}

const ColourMap& colourMap(const QString& name) {
  static const std::map<QString, ColourMap> maps = readMaps();
  const auto found = maps.find(name);
  if (found == maps.end()) throw Error(ErrorKind::Internal, "no colour map " + name.toStdString());
  return found->second;
}

}  // namespace plastiscope
