#include "core/store/hdf5_reader.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/base/stand_in.h"
#include "core/store/file_signature.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxText = std::size_t{64} << 20;  // of one attribute
constexpr hsize_t kMaxObjects = 100000;                  // in one group

// Name of a type class for messages.
const char* className(H5T_class_t type) {
  return type == H5T_INTEGER  ? "an integer"
         : type == H5T_FLOAT  ? "a real number"
         : type == H5T_STRING ? "a text"
                              : "another kind of value";
}

// Frees what HDF5 allocated for one variable-length text.
struct HeapText {
  char* text = nullptr;
  ~HeapText() {
    if (text != nullptr) H5free_memory(text);
  }
};

}  // namespace

// ---- attributes

void Hdf5Object::fail(const std::string& expected, const std::string& found) const {
  throw InputError({m_source->path, m_name, expected, found});
}

bool Hdf5Object::has(const std::string& attribute) const {
  const Hdf5Lock lock = hdf5Lock();
  return H5Aexists(m_id.get(), attribute.c_str()) > 0;
}

Hdf5Object::Attribute Hdf5Object::attribute(const std::string& name) const {
  const std::string place = m_name + " attribute " + name;
  if (H5Aexists(m_id.get(), name.c_str()) <= 0) fail("the attribute " + name, "no attribute of that name");
  Hdf5Handle id = hdf5Own(H5Aopen(m_id.get(), name.c_str(), H5P_DEFAULT), H5Aclose, m_source->path, place);
  const Hdf5Handle space = hdf5Own(H5Aget_space(id.get()), H5Sclose, m_source->path, place);
  const hssize_t values = H5Sget_simple_extent_npoints(space.get());
  if (values != 1) throw InputError({m_source->path, place, "one value", values == 0 ? "none" : "a list"});
  Hdf5Handle type = hdf5Own(H5Aget_type(id.get()), H5Tclose, m_source->path, place);
  const H5T_class_t kind = H5Tget_class(type.get());
  return {place, std::move(id), std::move(type), kind};
}

std::string Hdf5Object::text(const std::string& name) const {
  const Hdf5Lock lock = hdf5Lock();
  const auto [place, id, type, kind] = attribute(name);
  if (kind != H5T_STRING) throw InputError({m_source->path, place, "a text", className(kind)});
  if (H5Tis_variable_str(type.get()) > 0) {
    HeapText value;
    hdf5Require(H5Aread(id.get(), type.get(), &value.text), m_source->path, place);
    const std::size_t length = value.text == nullptr ? 0 : std::strlen(value.text);
    if (length > kMaxText) throw InputError({m_source->path, place, "at most 64 MiB", byteText(length)});
    return std::string(value.text == nullptr ? "" : value.text, length);
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > kMaxText || size > m_source->bytes)
    throw InputError({m_source->path, place, "at most 64 MiB", byteText(size)});
  std::string value(size, '\0');
  hdf5Require(H5Aread(id.get(), type.get(), value.data()), m_source->path, place);
  return hdf5FixedText(type.get(), value);
}

std::int64_t Hdf5Object::integer(const std::string& name) const {
  const Hdf5Lock lock = hdf5Lock();
  const auto [place, id, type, kind] = attribute(name);
  if ((kind != H5T_INTEGER && kind != H5T_ENUM) || H5Tget_size(type.get()) > 8)  // h5py's bool is an enum
    throw InputError({m_source->path, place, "an integer", className(kind)});
  std::int64_t value = 0;
  hdf5Require(H5Aread(id.get(), H5T_NATIVE_INT64, &value), m_source->path, place);
  return value;
}

double Hdf5Object::number(const std::string& name) const {
  const Hdf5Lock lock = hdf5Lock();
  const auto [place, id, type, kind] = attribute(name);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Tget_size(type.get()) > 8)
    throw InputError({m_source->path, place, "a number", className(kind)});
  double value = 0;
  hdf5Require(H5Aread(id.get(), H5T_NATIVE_DOUBLE, &value), m_source->path, place);
  return value;
}

bool Hdf5Object::flag(const std::string& name) const {
  const std::int64_t value = integer(name);
  if (value != 0 && value != 1) {
    throw InputError({m_source->path, m_name + " attribute " + name, "0 or 1", std::to_string(value)});
  }
  return value == 1;
}

std::vector<std::string> Hdf5Object::textAttributes() const {
  const Hdf5Lock lock = hdf5Lock();
  std::vector<std::string> names;
  const auto add = [](hid_t object, const char* name, const H5A_info_t*, void* list) -> herr_t {
    const Hdf5Handle id(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(id.valid() ? H5Aget_type(id.get()) : -1, H5Tclose);
    if (type.valid() && H5Tget_class(type.get()) == H5T_STRING)
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  require(H5Aiterate2(m_id.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names));
  return names;
}

// ---- groups

Hdf5Group Hdf5Group::openFile(const std::shared_ptr<const InputFile>& input) {
  const std::filesystem::path& file = input->path();
  if (!hasHdf5Signature(*input)) {
    refuseStandIn(*input, true);
    throw InputError({file, "", "an HDF5 file", foreignContentOf(file)});
  }
  requireNotCutShort(*input);
  const Hdf5Lock lock = hdf5Lock();
  const Hdf5Handle access = hdf5ReadAccess(input);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_WEAK);
  const Hdf5Handle id = hdf5Own(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, file, "");
  return {std::make_shared<Hdf5Source>(*input),
          hdf5Own(H5Gopen2(id.get(), "/", H5P_DEFAULT), H5Gclose, file, "/"), "/"};
}

bool Hdf5Group::contains(const std::string& child) const {
  const Hdf5Lock lock = hdf5Lock();
  return H5Lexists(m_id.get(), child.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5Group::names() const {
  const Hdf5Lock lock = hdf5Lock();
  H5G_info_t info{};
  require(H5Gget_info(m_id.get(), &info));
  if (info.nlinks > kMaxObjects) fail("at most 100,000 objects", std::to_string(info.nlinks));
  std::vector<std::string> names;
  hsize_t next = 0;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    auto& all = *static_cast<std::vector<std::string>*>(list);
    if (all.size() >= kMaxObjects) return 1;
    all.emplace_back(name);
    return 0;
  };
  require(H5Literate(m_id.get(), H5_INDEX_NAME, H5_ITER_INC, &next, add, &names));
  return names;
}

H5O_type_t Hdf5Group::typeOf(const std::string& child, const char* what) const {
  const std::string place = pathOf(child);
  if (!contains(child)) throw InputError({m_source->path, place, what, "no object of that name"});
  H5L_info_t link{};
  hdf5Require(H5Lget_info(m_id.get(), child.c_str(), &link, H5P_DEFAULT), m_source->path, place);
  if (link.type != H5L_TYPE_HARD) {
    throw InputError({m_source->path, place, what, "a soft or external link, which is not followed"});
  }
  H5O_info_t object{};
  hdf5Require(H5Oget_info_by_name(m_id.get(), child.c_str(), &object, H5P_DEFAULT), m_source->path, place);
  return object.type;
}

void Hdf5Group::requireType(const std::string& child, H5O_type_t type, const char* what) const {
  const H5O_type_t found = typeOf(child, what);
  if (found == type) return;
  throw InputError({m_source->path, pathOf(child), what,
                    found == H5O_TYPE_GROUP     ? "a group"
                    : found == H5O_TYPE_DATASET ? "a dataset"
                                                : "a named type"});
}

bool Hdf5Group::isGroup(const std::string& child) const {
  const Hdf5Lock lock = hdf5Lock();
  return typeOf(child, "a group or dataset") == H5O_TYPE_GROUP;
}

Hdf5Group Hdf5Group::group(const std::string& child) const {
  const Hdf5Lock lock = hdf5Lock();
  requireType(child, H5O_TYPE_GROUP, "a group");
  const std::string place = pathOf(child);
  return {m_source,
          hdf5Own(H5Gopen2(m_id.get(), child.c_str(), H5P_DEFAULT), H5Gclose, m_source->path, place), place};
}

Hdf5Dataset Hdf5Group::dataset(const std::string& child) const {
  const Hdf5Lock lock = hdf5Lock();
  requireType(child, H5O_TYPE_DATASET, "a dataset");
  const std::string place = pathOf(child);
  return {m_source,
          hdf5Own(H5Dopen2(m_id.get(), child.c_str(), H5P_DEFAULT), H5Dclose, m_source->path, place), place};
}

}  // namespace plastiscope
