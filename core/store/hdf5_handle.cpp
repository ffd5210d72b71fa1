#include "core/store/hdf5_handle.h"

#include "core/base/error.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

std::recursive_mutex& theMutex() {
  static std::recursive_mutex mutex;  // guards the library's own global state
  return mutex;
}

struct Innermost {
  std::string text;
  bool lackedMemory = false;
};

herr_t keepInnermost(unsigned /*depth*/, const H5E_error2_t* entry, void* kept) {
  auto& innermost = *static_cast<Innermost*>(kept);
  if (!innermost.text.empty() || entry->desc == nullptr) return 0;
  innermost = {entry->desc, entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE};
  return 0;
}

Innermost innermostError() {
  Innermost found;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &found);
  return found;
}

}  // namespace

Hdf5Lock hdf5Lock() {
  Hdf5Lock lock(theMutex());
  static const bool closesByItself = H5dont_atexit() >= 0;  // every file is closed by its owner
  static_cast<void>(closesByItself);
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
  return lock;
}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this != &other) {
    close();
    m_id = std::exchange(other.m_id, -1);
    m_closer = other.m_closer;
  }
  return *this;
}

void Hdf5Handle::close() {
  if (m_id < 0) return;
  const Hdf5Lock lock = hdf5Lock();
  m_closer(std::exchange(m_id, -1));
}

std::string hdf5Reason() {
  return innermostError().text;
}

void throwIfHdf5LackedMemory(const std::filesystem::path& file, const std::string& place) {
  if (const Innermost error = innermostError(); error.lackedMemory)
    throw ResourceError(pathText(file) + ": " + place + ": not enough memory (HDF5: " + error.text + ")");
}

void hdf5Require(long long status, const std::filesystem::path& file, const std::string& place) {
  if (status >= 0) return;
  const std::string reason = hdf5Reason();
  throw InputError({file, place, "", "not readable as HDF5" + (reason.empty() ? "" : " (" + reason + ")")});
}

Hdf5Handle hdf5Own(hid_t id, Hdf5Handle::Closer closer, const std::filesystem::path& file,
                   const std::string& place) {
  hdf5Require(id, file, place);
  return {id, closer};
}

Hdf5Handle hdf5HalfType() {
  Hdf5Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type.get(), 15, 10, 5, 0, 10);
  H5Tset_size(type.get(), 2);
  H5Tset_ebias(type.get(), 15);
  return type;
}

Hdf5Handle hdf5FixedTextType(std::size_t bytes) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

std::string hdf5FixedText(hid_t type, std::string_view cell) {
  return cell.empty() ? std::string() : hdf5FixedTexts(type, cell, cell.size()).front();
}

std::vector<std::string> hdf5FixedTexts(hid_t type, std::string_view cells, std::size_t width) {
  const bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  std::vector<std::string> texts;
  texts.reserve(cells.size() / std::max<std::size_t>(width, 1));
  for (; !cells.empty(); cells.remove_prefix(width)) {
    std::string_view cell = cells.substr(0, width);
    cell = cell.substr(0, cell.find('\0'));
    if (spaces) cell = cell.substr(0, cell.find_last_not_of(' ') + 1);
    texts.emplace_back(cell);
  }
  return texts;
}

Hdf5Handle hdf5TextType() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace plastiscope
