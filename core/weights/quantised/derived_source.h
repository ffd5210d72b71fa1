#pragma once
// A source some of whose tensors are made from several stored ones.
#include <map>
#include <memory>

#include "core/weights/quantised/method.h"

namespace plastiscope::quantised {

class DerivedSource final : public TensorSource {
 public:
  // `description` goes into the directory text, beside all stored tensors.
  DerivedSource(std::shared_ptr<const TensorSource> stored, Derivation derivation, std::string description);

  const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
  const TensorInfo* find(std::string_view name) const override;
  // Of a derived tensor: the bytes of its parts, one after the other.
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const override;
  void readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const override;
  void forget(const TensorInfo& tensor) const override;
  const std::filesystem::path& path() const override { return m_stored->path(); }
  std::string directoryText() const override;

 private:
  const DerivedTensor* derived(const TensorInfo& tensor) const;

  std::shared_ptr<const TensorSource> m_stored;
  std::map<std::string, DerivedTensor, std::less<>> m_derived;  // by name
  std::vector<TensorInfo> m_tensors;
  std::map<std::string, std::size_t, std::less<>> m_places;  // in m_tensors, by name
  std::string m_description;
};

}  // namespace plastiscope::quantised
