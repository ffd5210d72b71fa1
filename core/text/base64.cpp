#include "core/text/base64.h"

#include <openssl/evp.h>

#include <algorithm>

namespace plastiscope {

std::optional<std::string> bytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0 || static_cast<std::size_t>(size) != bytes.size()) return std::nullopt;
  const auto padding =
      std::ranges::count(text.substr(text.size() - std::min<std::size_t>(text.size(), 2)), '=');
  bytes.resize(bytes.size() - std::min(bytes.size(), static_cast<std::size_t>(padding)));
  return bytes;
}

}  // namespace plastiscope
