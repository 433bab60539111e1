#include "train/safetensors.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support/temp_dir.h"
#include "tensor/arena.h"
#include "train/user_error.h"

namespace heed {
namespace {

using test::user_error;

// CRC-32 (ISO 3309) bit by bit.
uint32_t crc32(const std::string& bytes) {
  uint32_t crc = 0xffffffffu;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

// A file of that header and data, as any program would write it.
std::string file_bytes(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

class Safetensors : public testing::Test {
 protected:
  void SetUp() override {
    a_ = arena_.tensor({2, 3});
    b_ = arena_.tensor({1});
    for (int i = 0; i < 6; ++i) a_.data[i] = static_cast<Real>(i * 0.5 - 1);
    b_.data[0] = 7;
  }
  void write() { write_safetensors(path_, {{"format", "heed"}}, {{"a", a_}, {"b", b_}}); }
  // The message of opening a file with these bytes.
  std::string opening(const std::string& bytes) {
    test::put(path_, bytes);
    return user_error([this] { SafetensorsFile file(path_); });
  }

  test::TempDir folder_;
  std::string path_ = folder_.path() + "/x.heed";
  Arena arena_;
  Tensor a_, b_;
};

TEST_F(Safetensors, LiesInTheFileAsTheFormatSays) {
  write();
  const std::string bytes = read_file(path_);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  ASSERT_EQ(length % 8, 0u);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  const std::string data = bytes.substr(8 + length);
  const char* dtype = sizeof(Real) == 4 ? "F32" : "F64";
  EXPECT_EQ(header.at("a").at("dtype"), dtype);
  EXPECT_EQ(header.at("a").at("shape"), nlohmann::json({2, 3}));
  EXPECT_EQ(header.at("a").at("data_offsets"), nlohmann::json({0, 6 * sizeof(Real)}));
  EXPECT_EQ(header.at("b").at("data_offsets"),
            nlohmann::json({6 * sizeof(Real), 7 * sizeof(Real)}));
  ASSERT_EQ(data.size(), 7 * sizeof(Real));
  Real numbers[7];
  std::memcpy(numbers, data.data(), data.size());
  EXPECT_EQ(numbers[0], Real(-1));
  EXPECT_EQ(numbers[5], Real(1.5));
  EXPECT_EQ(numbers[6], Real(7));
  EXPECT_EQ(header.at("__metadata__").at("format"), "heed");
  char checksum[9];
  std::snprintf(checksum, sizeof(checksum), "%08x", crc32(data));
  EXPECT_EQ(header.at("__metadata__").at("checksum"), checksum);
}

TEST_F(Safetensors, GivesBackWhatWasWritten) {
  write();
  const SafetensorsFile file(path_);
  file.verify();
  EXPECT_EQ(file.metadata().at("format"), "heed");
  Tensor back = arena_.tensor({2, 3});
  file.read("a", back);
  EXPECT_EQ(std::memcmp(back.data, a_.data, 6 * sizeof(Real)), 0);
}

TEST_F(Safetensors, ReadsNumbersOfTheOtherWidth) {
  std::string data;
  const auto append = [&data](auto value) {
    data.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const bool single = sizeof(Real) == 4;
  for (const double value : {0.25, -3.0}) {
    if (single) {
      append(value);
    } else {
      append(static_cast<float>(value));
    }
  }
  const std::string header = std::string(R"({"x":{"dtype":")") + (single ? "F64" : "F32") +
                             R"(","shape":[2],"data_offsets":[0,)" + std::to_string(data.size()) +
                             "]}}";
  test::put(path_, file_bytes(header, data));
  Tensor x = arena_.tensor({2});
  SafetensorsFile(path_).read("x", x);
  EXPECT_EQ(x.data[0], Real(0.25));
  EXPECT_EQ(x.data[1], Real(-3));
}

TEST_F(Safetensors, ACutFileReportsBothSizes) {
  write();
  const std::string whole = read_file(path_);
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    const std::string message = opening(whole.substr(0, cut));
    ASSERT_EQ(message.rfind(path_ + ": ", 0), 0u) << cut << ": " << message;
    if (cut > 8) {
      ASSERT_NE(message.find("cut: " + std::to_string(cut) + " of "), std::string::npos) << message;
    }
  }
  EXPECT_EQ(opening(whole.substr(0, whole.size() - 5)),
            path_ + ": cut: " + std::to_string(whole.size() - 5) + " of " +
                std::to_string(whole.size()) + " bytes; copy it again");
  EXPECT_NE(opening(whole + "x").find("damaged"), std::string::npos);
}

TEST_F(Safetensors, EveryAlteredByteIsNoticed) {
  write();
  const std::string whole = read_file(path_);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string altered = whole;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    test::put(path_, altered);
    const std::string message = user_error([this] { SafetensorsFile(path_).verify(); });
    ASSERT_EQ(message.rfind(path_ + ": ", 0), 0u) << "byte " << i << ": " << message;
  }
}

TEST_F(Safetensors, RefusesOtherFilesInOneLine) {
  const std::string other = path_ + ": not a heed model";
  EXPECT_EQ(opening("").rfind(path_ + ": empty file", 0), 0u);
  EXPECT_EQ(opening("hello").rfind(other, 0), 0u);
  EXPECT_EQ(opening(std::string(1000, 'x')).rfind(other, 0), 0u);
  EXPECT_EQ(opening(std::string("\x80\x02}q\0ctorch", 12)).rfind(other, 0), 0u);
  EXPECT_EQ(opening(file_bytes("[1, 2]  ", "")).rfind(other, 0), 0u);
  EXPECT_EQ(opening(file_bytes("{\"a\": 1}", "")).rfind(other, 0), 0u);
  EXPECT_EQ(opening(file_bytes("{\"a\": ", "")).rfind(other, 0), 0u);
}

TEST_F(Safetensors, BelievesNoSizeThatTheFileClaims) {
  const auto with_tensor = [](const std::string& shape, const std::string& offsets) {
    return file_bytes(
        R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
        std::string(8, '\0'));
  };
  EXPECT_EQ(opening(with_tensor("[2]", "[0,8]")), "(no error)");
  const std::pair<const char*, const char*> wrong[] = {
      {"[3]", "[0,8]"},
      {"[-2]", "[0,8]"},
      {"[2]", "[4,12]"},
      {"[2]", "[8,0]"},
      {"[4611686018427387904, 4, 2]", "[0,8]"},
      {"[9007199254740992]", "[0,36028797018963968]"},
      {"[2]", "[-8,0]"},
  };
  for (const auto& [shape, offsets] : wrong) {
    const std::string message = opening(with_tensor(shape, offsets));
    EXPECT_EQ(message.rfind(path_ + ": damaged: tensor a", 0), 0u) << shape << ": " << message;
  }
  EXPECT_EQ(opening(with_tensor("[1000000]", "[0,4000000]")).rfind(path_ + ": cut: ", 0), 0u);
  const std::string overlap = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                              R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_NE(opening(file_bytes(overlap, std::string(8, '\0'))).find("damaged"), std::string::npos);
  EXPECT_NE(opening(file_bytes(R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})",
                               std::string(8, '\0')))
                .find("elements of type I32"),
            std::string::npos);
}

TEST_F(Safetensors, ANestedHeaderDoesNotExhaustTheStack) {
  EXPECT_NE(opening(file_bytes("{\"a\":" + std::string(1 << 20, '['), "")).find("not a heed model"),
            std::string::npos);
}

TEST_F(Safetensors, NamesTensorAndBothShapes) {
  write();
  const SafetensorsFile file(path_);
  EXPECT_EQ(user_error([&] { file.check_shape("c", {1}); }), path_ + ": tensor c is missing");
  EXPECT_EQ(user_error([&] {
              file.check_shape("a", {3, 2});
            }),
            path_ + ": tensor a has shape [2, 3], the model needs [3, 2]");
}

TEST_F(Safetensors, ReportsWhyAFileCannotBeOpened) {
  EXPECT_EQ(user_error([this] { SafetensorsFile file(folder_.path() + "/none"); }),
            folder_.path() + "/none: cannot open: No such file or directory");
  const std::string pipe = folder_.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(user_error([&] { SafetensorsFile file(pipe); }).find("not a regular file"),
            std::string::npos);
  EXPECT_NE(user_error([this] { SafetensorsFile file(folder_.path()); }).find("is a folder"),
            std::string::npos);
}

}  // namespace
}  // namespace heed
