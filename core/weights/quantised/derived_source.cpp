#include "core/weights/quantised/derived_source.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope::quantised {

DerivedSource::DerivedSource(std::shared_ptr<const TensorSource> stored, Derivation derivation,
                             std::string description)
    : m_stored(std::move(stored)), m_description(std::move(description)) {
  std::set<std::string, std::less<>> hidden(derivation.hidden.begin(), derivation.hidden.end());
  std::map<std::string, std::string, std::less<>> shownAt;  // first part -> derived tensor
  for (DerivedTensor& tensor : derivation.tensors) {
    tensor.shown.bytes = 0;
    for (const TensorInfo& part : tensor.parts) {
      tensor.shown.bytes += part.bytes;
      hidden.insert(part.name);
    }
    tensor.shown.file = tensor.parts.front().file;
    tensor.shown.offset = tensor.parts.front().offset;
    shownAt[tensor.parts.front().name] = tensor.shown.name;
    m_derived.emplace(tensor.shown.name, std::move(tensor));
  }
  for (const TensorInfo& tensor : m_stored->tensors()) {
    const auto derivedName = shownAt.find(tensor.name);
    if (derivedName != shownAt.end()) {
      m_tensors.push_back(m_derived.at(derivedName->second).shown);
    } else if (!hidden.contains(tensor.name)) {
      m_tensors.push_back(tensor);
    } else {
      continue;
    }
    const std::string& name = m_tensors.back().name;
    if (!m_places.emplace(name, m_tensors.size() - 1).second) {
      throw InputError({tensor.file, "tensor " + sanitized(name), "either quantised or plain", "both"});
    }
  }
}

const TensorInfo* DerivedSource::find(std::string_view name) const {
  const auto place = m_places.find(name);
  return place == m_places.end() ? nullptr : &m_tensors[place->second];
}

const DerivedTensor* DerivedSource::derived(const TensorInfo& tensor) const {
  const auto found = m_derived.find(tensor.name);
  return found == m_derived.end() ? nullptr : &found->second;
}

void DerivedSource::readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const {
  const DerivedTensor* made = derived(tensor);
  if (made == nullptr) {
    m_stored->readBytes(tensor, first, out);
    return;
  }
  for (const TensorInfo& part : made->parts) {
    if (first >= part.bytes) {
      first -= part.bytes;
      continue;
    }
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), part.bytes - first));
    m_stored->readBytes(part, first, out.first(taken));
    out = out.subspan(taken);
    first = 0;
  }
  if (!out.empty()) {
    throw Error(ErrorKind::Internal, tensor.name + ": bytes outside the tensor are asked for");
  }
}

void DerivedSource::readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
  if (const DerivedTensor* made = derived(tensor)) {
    made->read(*m_stored, first, out);
  } else {
    m_stored->readValues(tensor, first, out);
  }
}

void DerivedSource::forget(const TensorInfo& tensor) const {
  const DerivedTensor* made = derived(tensor);
  if (made == nullptr) {
    m_stored->forget(tensor);
    return;
  }
  for (const TensorInfo& part : made->parts) m_stored->forget(part);
}

std::string DerivedSource::directoryText() const {
  return m_stored->directoryText() + m_description + "\n";
}

}  // namespace plastiscope::quantised
