#include "app/desktop/layout_store.h"

#include "core/base/json.h"

namespace plastiscope {
namespace {

constexpr int kLayoutVersion = 1;

std::string encoded(const QByteArray& bytes) {
  return bytes.toBase64().toStdString();
}

QByteArray decoded(const Json& content, const char* key) {
  if (!content.is_object() || !content.contains(key) || !content[key].is_string()) return {};
  return QByteArray::fromBase64(QByteArray::fromStdString(content[key].get<std::string>()));
}

}  // namespace

LayoutStore::LayoutStore(const std::filesystem::path& folder)
    : m_file(folder / "layout.json", "plastiscope-layout", kLayoutVersion) {}

WindowLayout LayoutStore::read() const {
  const Json content = m_file.read();
  return {decoded(content, "geometry"), decoded(content, "docks"), decoded(content, "model_page"),
          decoded(content, "compare_page")};
}

void LayoutStore::write(const WindowLayout& layout) {
  m_file.write({{"geometry", encoded(layout.geometry)},
                {"docks", encoded(layout.docks)},
                {"model_page", encoded(layout.modelPage)},
                {"compare_page", encoded(layout.comparePage)}});
}

}  // namespace plastiscope
