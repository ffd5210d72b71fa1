#pragma once
// Inside core/store only: reads untrusted HDF5 files (resources/help/limits.md). Accepts hard links only, and
// contiguous, compact or chunked datasets without external files or virtual parts and with no filters beyond
// HDF5's own (limits in hdf5_storage.cpp). Compares every declared size with the stored one before memory is
// allocated, and values with the checksums of their dataset when they are first read. InputError names file
// and object.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/store/hdf5_handle.h"

namespace plastiscope {

// An open file, with the datasets that were read and matched their checksums. Thread-safe.
class Hdf5Source {
 public:
  explicit Hdf5Source(const InputFile& input) : path(input.path()), bytes(input.size()) {}
  const std::filesystem::path path;
  const std::uint64_t bytes;

  bool isIntact(const std::string& dataset) const {
    const std::lock_guard lock(m_mutex);
    return m_intact.contains(dataset);
  }
  void foundIntact(const std::string& dataset) const {
    const std::lock_guard lock(m_mutex);
    m_intact.insert(dataset);
  }

 private:
  mutable std::mutex m_mutex;
  mutable std::set<std::string> m_intact;
};

// Attributes of a group or dataset. Each call throws if the attribute is missing or of another type.
class Hdf5Object {
 public:
  bool has(const std::string& attribute) const;
  std::string text(const std::string& attribute) const;
  std::int64_t integer(const std::string& attribute) const;
  double number(const std::string& attribute) const;
  bool flag(const std::string& attribute) const;    // 0 or 1 of any integer type, or h5py's bool
  std::vector<std::string> textAttributes() const;  // their names
  const std::string& name() const { return m_name; }
  const std::filesystem::path& file() const { return m_source->path; }
  std::uint64_t fileBytes() const { return m_source->bytes; }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

 protected:
  Hdf5Object(std::shared_ptr<const Hdf5Source> source, Hdf5Handle id, std::string name)
      : m_source(std::move(source)), m_id(std::move(id)), m_name(std::move(name)) {}
  // An open attribute with one value.
  struct Attribute {
    std::string place;  // for messages
    Hdf5Handle id, type;
    H5T_class_t kind;
  };
  Attribute attribute(const std::string& name) const;
  void require(long long status) const { hdf5Require(status, m_source->path, m_name); }

  std::shared_ptr<const Hdf5Source> m_source;
  Hdf5Handle m_id;
  std::string m_name;
};

enum class Hdf5Element { UInt8, Int32, Int64, Float16, Float32, Float64, FixedText, VariableText };

class Hdf5Dataset : public Hdf5Object {
 public:
  Hdf5Element element() const { return m_element; }
  std::int64_t rows() const { return m_rows; }
  std::int64_t width() const { return m_width; }  // 1 for one-dimensional data
  int rank() const { return m_rank; }

  std::vector<std::int32_t> int32s() const;
  std::vector<std::int64_t> int64s() const;
  std::vector<double> doubles() const;
  std::vector<std::string> texts() const;
  std::vector<float> floats() const;                                        // [rows, width], float16 widened
  std::vector<float> floats(std::int64_t first, std::int64_t count) const;  // of rows [first, first + count)
  // Stored bytes of rows [first, first + count); not for texts of variable length.
  std::vector<std::byte> bytes(std::int64_t first, std::int64_t count) const;
  std::size_t rowBytes() const;

  bool filtered() const { return m_filtered; }
  bool hasChecksum() const;
  // Reads all values and compares them with every checksum of the dataset.
  void requireIntact() const;

 private:
  friend class Hdf5Group;
  class Comparison;
  Hdf5Dataset(std::shared_ptr<const Hdf5Source> source, Hdf5Handle id, std::string name);
  void checkType();
  std::size_t elementBytes() const;
  std::uint64_t declaredBytes() const;
  void requireRows(std::int64_t first, std::int64_t count) const;
  void readInto(void* out, std::int64_t first, std::int64_t count) const;
  void readAll(void* out) const;  // and compares it with a checksum, unless done before
  void compare(Comparison& comparison) const;
  std::vector<std::string> fixedTexts() const;
  std::vector<std::string> variableTexts() const;
  void checkLayout();
  void checkFilters(hid_t list);
  void checkShape();
  void checkStored() const;
  [[noreturn]] void failDamaged(const std::string& found) const;  // names the head
  template <typename Value>
  std::vector<Value> all(Hdf5Element element, const char* what) const;

  Hdf5Element m_element = Hdf5Element::Int32;
  Hdf5Handle m_type;
  int m_rank = 1;
  std::int64_t m_rows = 0, m_width = 1;
  H5D_layout_t m_layout = H5D_CONTIGUOUS;
  bool m_filtered = false;
  std::int64_t m_chunkRows = 1, m_chunkWidth = 1;
};

class Hdf5Group : public Hdf5Object {
 public:
  static Hdf5Group openFile(const std::shared_ptr<const InputFile>& file);  // its root
  bool contains(const std::string& child) const;
  bool isGroup(const std::string& child) const;  // InputError for links that are not hard
  std::vector<std::string> names() const;        // ascending by name; refuses more than 100,000
  Hdf5Group group(const std::string& child) const;
  Hdf5Dataset dataset(const std::string& child) const;
  // For the root group: compares the text attributes with their checksum, if there is one. InputError.
  void requireIntactTexts() const;

 private:
  using Hdf5Object::Hdf5Object;
  void collectTexts(int depth, std::map<std::string, std::string>& texts) const;
  H5O_type_t typeOf(const std::string& child, const char* what) const;
  void requireType(const std::string& child, H5O_type_t type, const char* what) const;
  std::string pathOf(const std::string& child) const { return hdf5ChildPath(m_name, child); }
};

}  // namespace plastiscope
