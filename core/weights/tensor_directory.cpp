#include "core/weights/tensor_directory.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/memory.h"
#include "core/base/platform.h"
#include "core/base/stand_in.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const fs::path& file) : m_file(file) { refuseStandIn(m_file); }

  const fs::path& path() const override { return m_file.path(); }
  std::uint64_t size() const override { return m_file.size(); }

  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::size_t got = m_file.read(offset, out);
    if (got == out.size()) return;
    throw InputError({path(), "byte " + std::to_string(offset + got),
                      std::to_string(size()) + " bytes as when it was opened",
                      "the end of the file (it was cut short meanwhile)"});
  }

  void dropPageCache(std::uint64_t offset, std::uint64_t size) const override {
    dropCachedPages(m_file.descriptor(), static_cast<off_t>(offset), static_cast<off_t>(size));
  }

 private:
  InputFile m_file;
};

}  // namespace

std::shared_ptr<const ByteSource> openBytes(const fs::path& file) {
  return std::make_shared<const FileBytes>(file);
}

void TensorDirectory::add(std::shared_ptr<const ByteSource> file, std::vector<TensorInfo> tensors) {
  m_bytes += file->size();
  m_largerThanMemory = m_bytes > availableMemoryBytes();
  m_files.push_back(std::move(file));
  m_tensors.insert(m_tensors.end(), std::make_move_iterator(tensors.begin()),
                   std::make_move_iterator(tensors.end()));
  m_byName.resize(m_tensors.size());
  std::iota(m_byName.begin(), m_byName.end(), 0u);
  const auto nameOfNumber = [&](std::uint32_t number) -> const std::string& {
    return m_tensors[number].name;
  };
  std::sort(m_byName.begin(), m_byName.end(),
            [&](std::uint32_t a, std::uint32_t b) { return nameOfNumber(a) < nameOfNumber(b); });
  const auto twice = std::adjacent_find(
      m_byName.begin(), m_byName.end(),
      [&](std::uint32_t a, std::uint32_t b) { return nameOfNumber(a) == nameOfNumber(b); });
  if (twice != m_byName.end()) {
    throw InputError(
        {m_files.back()->path(), "tensor " + sanitized(nameOfNumber(*twice)), "", "this name appears twice"});
  }
}

const TensorInfo* TensorDirectory::find(std::string_view name) const {
  const auto place =
      std::lower_bound(m_byName.begin(), m_byName.end(), name,
                       [&](std::uint32_t number, auto wanted) { return m_tensors[number].name < wanted; });
  return place != m_byName.end() && m_tensors[*place].name == name ? &m_tensors[*place] : nullptr;
}

const ByteSource& TensorDirectory::fileOf(const TensorInfo& tensor) const {
  for (const auto& file : m_files) {
    if (file->path() == tensor.file && tensor.offset <= file->size() &&
        tensor.bytes <= file->size() - tensor.offset) {
      return *file;
    }
  }
  throw Error(ErrorKind::Internal, tensor.name + " is not a tensor of this source");
}

void TensorDirectory::readBytes(const TensorInfo& tensor, std::uint64_t first,
                                std::span<std::byte> out) const {
  if (tensor.unread) throw InputError(*tensor.unread);
  if (first > tensor.bytes || out.size() > tensor.bytes - first) {
    throw Error(ErrorKind::Internal, tensor.name + ": bytes outside the tensor are asked for");
  }
  fileOf(tensor).read(tensor.offset + first, out);
}

void TensorDirectory::dropPageCache(const TensorInfo& tensor) const {
  if (m_largerThanMemory) fileOf(tensor).dropPageCache(tensor.offset, tensor.bytes);
}

std::string TensorDirectory::text() const {
  std::string text;
  std::size_t fileNumber = 0;  // not the name: renaming must not change the fingerprint
  for (const TensorInfo& tensor : m_tensors) {
    while (fileNumber + 1 < m_files.size() && m_files[fileNumber]->path() != tensor.file) ++fileNumber;
    text += tensor.name + ' ' + std::string(nameOf(tensor.type)) + ' ' + shapeText(tensor.shape) + ' ' +
            std::to_string(fileNumber) + ' ' + std::to_string(tensor.offset) + '\n';
  }
  return text;
}

}  // namespace plastiscope
