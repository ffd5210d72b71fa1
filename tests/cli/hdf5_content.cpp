#include "tests/cli/hdf5_content.h"

#include <hdf5.h>

#include <stdexcept>
#include <vector>

namespace plastiscope::test {

namespace {

using Content = std::map<std::string, std::string>;

struct Shape {
  hid_t type, space;
  std::size_t elements;
  std::string text;  // class, element size, dimensions

  Shape(hid_t fileType, hid_t fileSpace) : type(fileType), space(fileSpace) {
    elements = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
    std::vector<hsize_t> dims(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    text = "class " + std::to_string(H5Tget_class(type)) + ", " + std::to_string(H5Tget_size(type)) +
           " bytes, [";
    for (const hsize_t size : dims) text += std::to_string(size) + " ";
    text += "] ";
  }
  ~Shape() {
    H5Sclose(space);
    H5Tclose(type);
  }
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
};

// `read` fills a buffer of the given memory type.
template <typename Read>
std::string valuesOf(const Shape& shape, Read read) {
  if (H5Tis_variable_str(shape.type) > 0) {
    std::vector<char*> texts(shape.elements);
    if (read(texts.data()) < 0) throw std::runtime_error("unreadable texts");
    std::string all;
    for (const char* text : texts) all += std::string(text == nullptr ? "" : text) + '\0';
    H5Dvlen_reclaim(shape.type, shape.space, H5P_DEFAULT, texts.data());
    return shape.text + all;
  }
  std::string bytes(shape.elements * H5Tget_size(shape.type), '\0');
  if (read(bytes.data()) < 0) throw std::runtime_error("unreadable values");
  return shape.text + bytes;
}

struct Visit {
  Content* content;
  std::string path;
};

herr_t addAttribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
  auto& visit = *static_cast<Visit*>(data);
  if (std::string(name) == "created") return 0;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  {
    const Shape shape(H5Aget_type(attribute), H5Aget_space(attribute));
    (*visit.content)[visit.path + "@" + name] =
        valuesOf(shape, [&](void* buffer) { return H5Aread(attribute, shape.type, buffer); });
  }
  H5Aclose(attribute);
  return 0;
}

herr_t addObject(hid_t root, const char* name, const H5O_info_t* info, void* data) {
  Visit visit{static_cast<Content*>(data), std::string("/") + name};
  const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, addAttribute, &visit);
  if (info->type == H5O_TYPE_DATASET) {
    const Shape shape(H5Dget_type(object), H5Dget_space(object));
    (*visit.content)[visit.path] = valuesOf(shape, [&](void* buffer) {
      return H5Dread(object, shape.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
    });
  }
  H5Oclose(object);
  return 0;
}

}  // namespace

Content hdf5Content(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error("cannot open " + path.string());
  Content content;
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, addObject, &content);
  H5Fclose(file);
  return content;
}

}  // namespace plastiscope::test
