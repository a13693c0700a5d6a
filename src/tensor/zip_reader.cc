#include "tensor/zip_reader.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
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

// What is large doesn't stay in memory: it is read again bit by bit.
uint32_t Checksum(const FileBytes& content) {
  constexpr size_t kLarge = size_t{1} << 24;
  constexpr size_t kPart = size_t{1} << 22;
  uint32_t crc = 0;
  Bytes rest = content.bytes;
  while (!rest.empty()) {
    const Bytes part = rest.first(std::min(rest.size(), kPart));
    crc = ::libdeflate_crc32(crc, part.data(), part.size());
    if (content.bytes.size() > kLarge) ForgetPages(content.owner, part);
    rest = rest.subspan(part.size());
  }
  return crc;
}

// Pages that a wrong size asks for are never touched, and so never there.
FileBytes Inflated(Bytes packed, uint64_t size) {
  const std::unique_ptr<libdeflate_decompressor,
                        decltype(&libdeflate_free_decompressor)>
      inflater(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!inflater) throw std::bad_alloc();
  const std::shared_ptr<std::byte[]> content(new std::byte[size]);
  switch (::libdeflate_deflate_decompress(inflater.get(), packed.data(),
                                          packed.size(), content.get(), size,
                                          nullptr)) {
    case LIBDEFLATE_SUCCESS:
      return {{content.get(), size}, content};
    case LIBDEFLATE_BAD_DATA:
      throw FormatError("the zip file is damaged: a member can't be inflated");
    default:
      throw FormatError("the zip file is damaged: a size is wrong");
  }
}

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

const ZipReader::Member* ZipReader::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &members_[found->second];
}

std::optional<uint64_t> ZipReader::StoredSize(std::string_view name) const {
  const Member* member = Find(name);
  if (member == nullptr || member->method != zip::kStored) return {};
  return member->size;
}

FileBytes ZipReader::Read(std::string_view name) const {
  const Member* found = Find(name);
  if (found == nullptr) {
    throw FormatError(fmt::format("has no member {}", Quoted(name)));
  }
  const Member& member = *found;
  if ((member.flags & zip::kFlagEncrypted) != 0) {
    throw FormatError("is encrypted");
  }
  const Bytes packed = PackedBytes(member);
  FileBytes content = PartOf(file_, packed);
  if (member.method == zip::kDeflated) {
    if (member.size / kMostInflation > packed.size()) {
      throw FormatError("the zip file is damaged: a size is impossible");
    }
    content = Inflated(packed, member.size);
  } else if (member.method != zip::kStored) {
    throw FormatError(
        fmt::format("compression method {} is not supported", member.method),
        "numpy's savez_compressed uses deflate");
  } else if (member.packed != member.size) {
    throw FormatError("the zip file is damaged: a size is wrong");
  }
  if (Checksum(content) != member.crc) {
    throw FormatError("the zip file is damaged: a checksum is wrong");
  }
  return content;
}

}  // namespace onnx_expose
