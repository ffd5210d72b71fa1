#include <gtest/gtest.h>

#include <string>

#include "core/base/hash.h"

namespace plastiscope {
namespace {

// FIPS 180-4 examples.
TEST(Hash, Sha256OfKnownTexts) {
  EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 pieces;
  pieces.add("a");
  pieces.add("bc");
  EXPECT_EQ(pieces.hex(), sha256Hex("abc"));
}

// The method's golden id: Python hashlib.blake2b(b"abc", digest_size=8), little-endian signed.
TEST(Hash, TextIdsBecomeNumbers) {
  EXPECT_EQ(blake2bInt64("abc"), 6455300059550759896);
}

// The check value of CRC-32/ISO-HDLC.
TEST(Hash, Crc32CheckValue) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32Of(std::as_bytes(std::span(text))), 0xCBF43926u);
}

}  // namespace
}  // namespace plastiscope
