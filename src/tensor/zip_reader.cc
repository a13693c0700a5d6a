#include "tensor/zip_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "support/text.h"
#include "tensor/format_error.h"
#include "tensor/zip_format.h"

namespace onnx_expose {
namespace {

using Bytes = std::span<const std::byte>;

// Deflate can't do better than 1032 to 1.
constexpr uint64_t kMostInflation = 1032;
constexpr size_t kLongestComment = 0xffff;

// A part of the file, all of which must be in it.
Bytes Part(Bytes file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) {
    throw FormatError("the zip file is damaged: it points beyond its end");
  }
  return file.subspan(offset, size);
}

template <typename Int>
Int Get(Bytes record, size_t at) {
  Int number;
  std::memcpy(&number, Part(record, at, sizeof(Int)).data(), sizeof(Int));
  return number;
}

std::string_view Text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What the zip64 extra field has for those of the numbers that say so, in this
// order.
void FillFrom64(Bytes extra, std::initializer_list<uint64_t*> numbers) {
  while (extra.size() >= 4) {
    const auto id = Get<uint16_t>(extra, 0);
    Bytes field = Part(extra, 4, Get<uint16_t>(extra, 2));
    extra = extra.subspan(4 + field.size());
    if (id != zip::kExtra64) continue;
    for (uint64_t* number : numbers) {
      if (*number != zip::kIn64) continue;
      *number = Get<uint64_t>(field, 0);
      field = field.subspan(8);
    }
    return;
  }
}

uint32_t Checksum(Bytes bytes) {
  return static_cast<uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

class Inflater {
 public:
  explicit Inflater(Bytes packed) : packed_(packed) {
    constexpr int kRaw = -15;
    if (::inflateInit2(&stream_, kRaw) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Exactly `size` bytes. Memory grows with what there is, not with what the
  // file says.
  std::vector<std::byte> Read(uint64_t size) {
    std::vector<std::byte> content;
    while (!ended_) {
      const size_t have = content.size();
      const uint64_t room = std::max<uint64_t>(have, kFirst);
      content.resize(have + std::min<uint64_t>(room, size - have) + 1);
      content.resize(have + Inflate(&content[have], content.size() - have));
      if (content.size() > size) break;
    }
    if (content.size() != size) {
      throw FormatError("the zip file is damaged: a size is wrong");
    }
    return content;
  }

 private:
  static constexpr uint64_t kFirst = uint64_t{1} << 16;

  size_t Inflate(std::byte* to, size_t room) {
    const auto most = std::min<size_t>(room, size_t{1} << 30);
    const auto part = std::min<size_t>(packed_.size(), size_t{1} << 30);
    stream_.next_in =
        const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed_.data()));
    stream_.avail_in = static_cast<uInt>(part);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(most);
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    packed_ = packed_.subspan(part - stream_.avail_in);
    const size_t got = most - stream_.avail_out;
    ended_ = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && !ended_) {
      throw FormatError("the zip file is damaged: a member can't be inflated");
    }
    return got;
  }

  Bytes packed_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

ZipReader::ZipReader(FileBytes file) : file_(std::move(file)) {
  ReadDirectory(FindDirectory());
}

ZipReader::Directory ZipReader::FindDirectory() const {
  const Bytes file = file_.bytes;
  for (size_t back = zip::kEndSize;
       back <= file.size() && back <= zip::kEndSize + kLongestComment; ++back) {
    const Bytes end = file.last(back);
    if (Get<uint32_t>(end, 0) != zip::kEnd) continue;
    Directory directory{Get<uint32_t>(end, 16), Get<uint32_t>(end, 12),
                        Get<uint16_t>(end, 10)};
    FindDirectory64(file.size() - back, directory);
    return directory;
  }
  throw FormatError("is no zip file, or one that is cut off");
}

void ZipReader::FindDirectory64(uint64_t end, Directory& directory) const {
  if (end < zip::kEnd64LocatorSize) return;
  const Bytes locator =
      Part(file_.bytes, end - zip::kEnd64LocatorSize, zip::kEnd64LocatorSize);
  if (Get<uint32_t>(locator, 0) != zip::kEnd64Locator) return;
  const Bytes record =
      Part(file_.bytes, Get<uint64_t>(locator, 8), zip::kEnd64Size);
  if (Get<uint32_t>(record, 0) != zip::kEnd64) {
    throw FormatError("the zip file is damaged: its zip64 record is missing");
  }
  directory = {Get<uint64_t>(record, 48), Get<uint64_t>(record, 40),
               Get<uint64_t>(record, 32)};
}

void ZipReader::ReadDirectory(const Directory& directory) {
  Bytes rest = Part(file_.bytes, directory.offset, directory.size);
  for (uint64_t i = 0; i < directory.count; ++i) {
    const Bytes header = Part(rest, 0, zip::kCentralHeaderSize);
    if (Get<uint32_t>(header, 0) != zip::kCentralHeader) {
      throw FormatError("the zip file is damaged: its directory is");
    }
    const uint64_t name = Get<uint16_t>(header, 28);
    const uint64_t extra = Get<uint16_t>(header, 30);
    const uint64_t comment = Get<uint16_t>(header, 32);
    Member member;
    member.flags = Get<uint16_t>(header, 8);
    member.method = Get<uint16_t>(header, 10);
    member.crc = Get<uint32_t>(header, 16);
    member.packed = Get<uint32_t>(header, 20);
    member.size = Get<uint32_t>(header, 24);
    member.offset = Get<uint32_t>(header, 42);
    member.name = Text(Part(rest, header.size(), name));
    FillFrom64(Part(rest, header.size() + name, extra),
               {&member.size, &member.packed, &member.offset});
    by_name_.insert_or_assign(member.name, members_.size());
    members_.push_back(member);
    const uint64_t size = header.size() + name + extra + comment;
    rest = rest.subspan(Part(rest, 0, size).size());
  }
}

std::vector<std::string> ZipReader::Names() const {
  std::vector<std::string> names;
  for (const Member& member : members_) names.emplace_back(member.name);
  return names;
}

Bytes ZipReader::PackedBytes(const Member& member) const {
  const Bytes header = Part(file_.bytes, member.offset, zip::kLocalHeaderSize);
  if (Get<uint32_t>(header, 0) != zip::kLocalHeader) {
    throw FormatError("the zip file is damaged: a member's header is missing");
  }
  const uint64_t begin = member.offset + header.size() +
                         Get<uint16_t>(header, 26) + Get<uint16_t>(header, 28);
  return Part(file_.bytes, begin, member.packed);
}

std::optional<uint64_t> ZipReader::StoredSize(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  const Member& member = members_[found->second];
  if (member.method != zip::kStored) return {};
  return member.size;
}

FileBytes ZipReader::Read(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    throw FormatError(fmt::format("has no member {}", Quoted(name)));
  }
  const Member& member = members_[found->second];
  if ((member.flags & zip::kFlagEncrypted) != 0) {
    throw FormatError("is encrypted");
  }
  const Bytes packed = PackedBytes(member);
  FileBytes content = PartOf(file_, packed);
  if (member.method == zip::kDeflated) {
    if (member.size / kMostInflation > packed.size()) {
      throw FormatError("the zip file is damaged: a size is impossible");
    }
    auto inflated = std::make_shared<const std::vector<std::byte>>(
        Inflater(packed).Read(member.size));
    content = {*inflated, inflated};
  } else if (member.method != zip::kStored) {
    throw FormatError(
        fmt::format("compression method {} is not supported", member.method),
        "numpy's savez_compressed uses deflate");
  } else if (member.packed != member.size) {
    throw FormatError("the zip file is damaged: a size is wrong");
  }
  if (Checksum(content.bytes) != member.crc) {
    throw FormatError("the zip file is damaged: a checksum is wrong");
  }
  return content;
}

}  // namespace onnx_expose
