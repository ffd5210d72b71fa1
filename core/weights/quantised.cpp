// Sources in which some tensors are computed from several stored ones.
#include "core/weights/quantised.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/weights/quantised/method.h"
#include "core/weights/tensor_type.h"

namespace plastiscope::quantised {

class DerivedSource final : public TensorSource {
 public:
  // `description` is added to the directory text.
  DerivedSource(std::shared_ptr<const TensorSource> stored, Derivation derivation, std::string description);

  const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
  const TensorInfo* find(std::string_view name) const override;
  // For a derived tensor: the concatenated bytes of its parts.
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const override;
  void readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const override;
  void dropPageCache(const TensorInfo& tensor) const override;
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

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

using namespace quantised;

// To add a method: a file in quantised/ and a line here.
constexpr const Method* kMethods[] = {&kFp8, &kFbgemmFp8, &kCompressedTensors, &kModelopt, &kMxfp4};

// Known but unsupported methods, with a description of their weights.
struct UnreadMethod {
  std::string_view name, what;
};
constexpr UnreadMethod kUnread[] = {
    {"aqlm", "sums of codebook vectors"},
    {"auto-round", "integers packed into words"},
    {"awq", "4-bit integers packed into words"},
    {"bitnet", "ternary numbers packed into bytes"},
    {"bitsandbytes", "4-bit or 8-bit codes"},
    {"eetq", "8-bit integers"},
    {"fp_quant", "4-bit floats after a rotation"},
    {"gptq", "integers packed into words"},
    {"higgs", "vectors of a grid after a rotation"},
    {"hqq", "integers packed into words"},
    {"mlx", "integers packed into words"},
    {"mxfp8", "8-bit floats with exponents as scales"},
    {"nvfp4", "4-bit floats with two levels of scales"},
    {"quanto", "8-bit, 4-bit or 2-bit integers"},
    {"quark", "one of many schemes"},
    {"spqr", "3-bit integers with outliers apart"},
    {"torchao", "serialised tensor classes"},
    {"vptq", "indices of codebook vectors"},
};

// Files older than quant_method show bitsandbytes by flags only; MLX has no name entry.
std::string methodOf(const Json& config) {
  if (!config.is_object()) return "unnamed";
  const Json method = config.value("quant_method", Json());
  if (method.is_string()) return sanitized(method.get<std::string>());
  const Json eight = config.value("load_in_8bit", Json()), four = config.value("load_in_4bit", Json());
  if (eight == true || four == true) return "bitsandbytes";
  return config.contains("bits") && config.contains("group_size") ? "mlx" : "unnamed";
}

[[noreturn]] void refuse(const std::string& method, const std::string& what, const fs::path& file) {
  throw InputError({file, "quantization_config", "",
                    "the quantisation " + method + " is not supported" +
                        (what.empty() ? "" : " (" + what + ")") +
                        ": open the unquantised safetensors model (F32, F16, BF16), one quantised by " +
                        joined(kMethods, &Method::name) + ", or a GGUF file (" + ggufTypeNames() + ")"});
}

const Method& checkedMethod(const Json& config, const fs::path& file) {
  const std::string name = methodOf(config);
  const auto found = std::find_if(std::begin(kMethods), std::end(kMethods),
                                  [&](const Method* method) { return method->name == name; });
  if (found == std::end(kMethods)) {
    const auto known = std::find_if(std::begin(kUnread), std::end(kUnread),
                                    [&](const auto& one) { return one.name == name; });
    refuse(name, known == std::end(kUnread) ? "" : std::string(known->what), file);
  }
  const std::string reason = (*found)->unread({config, file});
  if (!reason.empty()) refuse(name, reason, file);
  return **found;
}

}  // namespace

void checkQuantisation(const Json& config, const fs::path& file) {
  if (!config.is_null()) checkedMethod(config, file);
}

std::shared_ptr<const TensorSource> withQuantisation(std::shared_ptr<const TensorSource> source,
                                                     const Json& config, const fs::path& file) {
  if (config.is_null()) return source;
  const Method& method = checkedMethod(config, file);
  Derivation derivation = method.derive(*source, {config, file});
  return std::make_shared<const DerivedSource>(std::move(source), std::move(derivation),
                                               "quantised " + canonicalJson(config));
}

}  // namespace plastiscope

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
      if (part.unread) tensor.shown.unread = part.unread;
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

void DerivedSource::dropPageCache(const TensorInfo& tensor) const {
  const DerivedTensor* made = derived(tensor);
  if (made == nullptr) {
    m_stored->dropPageCache(tensor);
    return;
  }
  for (const TensorInfo& part : made->parts) m_stored->dropPageCache(part);
}

std::string DerivedSource::directoryText() const {
  return m_stored->directoryText() + m_description + "\n";
}

}  // namespace plastiscope::quantised
