#include "tensor/zip_writer.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#include "tensor/zip_format.h"

namespace onnx_expose {
namespace {

using zip::Record;

constexpr uint64_t kAlignment = 64;
constexpr uint16_t kVersion = 45;  // zip64
constexpr uint16_t kUnix = 3 << 8;
constexpr uint16_t kNewYear1980 = 1 << 5 | 1;
constexpr uint32_t kMode = 0100644U << 16;

// What a member's content goes through: counted, summed up, passed on.
class StoredSink : public ByteSink {
 public:
  explicit StoredSink(NewFile& file) : file_(file) {}
  using ByteSink::Write;
  void Write(std::string_view bytes) override {
    Count(bytes);
    file_.Write(bytes);
  }
  virtual void Finish() {}
  uint64_t size() const { return size_; }
  uint32_t crc() const { return crc_; }

 protected:
  void Count(std::string_view bytes) {
    if (bytes.empty()) return;  // it would begin anew for a null pointer
    crc_ = ::libdeflate_crc32(crc_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  NewFile& file_;

 private:
  uint64_t size_ = 0;
  uint32_t crc_ = 0;
};

class DeflatedSink : public StoredSink {
 public:
  explicit DeflatedSink(NewFile& file)
      : StoredSink(file), buffer_(size_t{1} << 16, '\0') {
    constexpr int kRaw = -15;
    constexpr int kMemory = 8;
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw,
                       kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~DeflatedSink() override { ::deflateEnd(&stream_); }
  DeflatedSink(const DeflatedSink&) = delete;
  DeflatedSink& operator=(const DeflatedSink&) = delete;

  using ByteSink::Write;
  void Write(std::string_view bytes) override {
    Count(bytes);
    while (!bytes.empty()) {
      const size_t part = std::min(bytes.size(), size_t{1} << 30);
      Deflate(bytes.substr(0, part), Z_NO_FLUSH);
      bytes.remove_prefix(part);
    }
  }
  void Finish() override { Deflate("", Z_FINISH); }

 private:
  void Deflate(std::string_view bytes, int flush) {
    stream_.next_in =
        const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      ::deflate(&stream_, flush);
      file_.Write(std::string_view(buffer_).substr(
          0, buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string buffer_;
};

uint16_t NameFlags(const std::string& name) {
  const bool ascii = std::all_of(name.begin(), name.end(),
                                 [](char c) { return (c & 0x80) == 0; });
  return ascii ? uint16_t{0} : zip::kFlagUtf8;
}

uint32_t Short(uint64_t number) {
  return static_cast<uint32_t>(std::min<uint64_t>(number, zip::kIn64));
}

}  // namespace

ZipWriter::ZipWriter(const std::string& path, bool deflate)
    : file_(path), deflate_(deflate) {}

// Sizes are always in 64 bits: they aren't known yet when this is written.
std::string ZipWriter::LocalHeader(const Member& member) const {
  Record extra;
  extra.Add(zip::kExtra64).Add(uint16_t{16});
  extra.Add(member.size).Add(member.packed);
  if (!deflate_) {
    const uint64_t end = member.offset + zip::kLocalHeaderSize +
                         member.name.size() + extra.bytes().size() + 6;
    const uint64_t gap = (kAlignment - end % kAlignment) % kAlignment;
    extra.Add(zip::kExtraAlignment).Add(static_cast<uint16_t>(2 + gap));
    extra.Add(static_cast<uint16_t>(kAlignment)).Add(std::string(gap, '\0'));
  }
  Record header;
  header.Add(zip::kLocalHeader).Add(kVersion).Add(NameFlags(member.name));
  header.Add(deflate_ ? zip::kDeflated : zip::kStored);
  header.Add(uint16_t{0}).Add(kNewYear1980).Add(member.crc);
  header.Add(zip::kIn64).Add(zip::kIn64);
  header.Add(static_cast<uint16_t>(member.name.size()));
  header.Add(static_cast<uint16_t>(extra.bytes().size()));
  return header.Add(member.name).Add(extra.bytes()).bytes();
}

std::string ZipWriter::CentralHeader(const Member& member) const {
  Record wide;
  for (const uint64_t number : {member.size, member.packed, member.offset}) {
    if (number >= zip::kIn64) wide.Add(number);
  }
  Record extra;
  if (!wide.bytes().empty()) {
    extra.Add(zip::kExtra64).Add(static_cast<uint16_t>(wide.bytes().size()));
    extra.Add(wide.bytes());
  }
  Record header;
  header.Add(zip::kCentralHeader);
  header.Add(static_cast<uint16_t>(kUnix | kVersion)).Add(kVersion);
  header.Add(NameFlags(member.name));
  header.Add(deflate_ ? zip::kDeflated : zip::kStored);
  header.Add(uint16_t{0}).Add(kNewYear1980).Add(member.crc);
  header.Add(Short(member.packed)).Add(Short(member.size));
  header.Add(static_cast<uint16_t>(member.name.size()));
  header.Add(static_cast<uint16_t>(extra.bytes().size()));
  header.Add(uint16_t{0}).Add(uint16_t{0}).Add(uint16_t{0});
  header.Add(kMode).Add(Short(member.offset));
  return header.Add(member.name).Add(extra.bytes()).bytes();
}

void ZipWriter::Add(const std::string& name,
                    const std::function<void(ByteSink&)>& write) {
  Member member{name, file_.size(), 0, 0, 0};
  file_.Write(LocalHeader(member));
  const uint64_t begin = file_.size();
  std::unique_ptr<StoredSink> sink;
  if (deflate_) {
    sink = std::make_unique<DeflatedSink>(file_);
  } else {
    sink = std::make_unique<StoredSink>(file_);
  }
  write(*sink);
  sink->Finish();
  member.size = sink->size();
  member.packed = file_.size() - begin;
  member.crc = sink->crc();
  file_.Patch(member.offset, LocalHeader(member));
  members_.push_back(std::move(member));
}

void ZipWriter::Finish() {
  const uint64_t begin = file_.size();
  std::string directory;
  for (const Member& member : members_) directory += CentralHeader(member);
  const uint64_t count = members_.size();
  const uint64_t size = directory.size();
  Record end;
  if (count >= zip::kMany || begin >= zip::kIn64 || size >= zip::kIn64) {
    end.Add(zip::kEnd64).Add(uint64_t{zip::kEnd64Size - 12});
    end.Add(static_cast<uint16_t>(kUnix | kVersion)).Add(kVersion);
    end.Add(uint32_t{0}).Add(uint32_t{0}).Add(count).Add(count);
    end.Add(size).Add(begin);
    end.Add(zip::kEnd64Locator).Add(uint32_t{0}).Add(begin + size);
    end.Add(uint32_t{1});
  }
  const auto few = static_cast<uint16_t>(std::min<uint64_t>(count, zip::kMany));
  end.Add(zip::kEnd).Add(uint16_t{0}).Add(uint16_t{0}).Add(few).Add(few);
  end.Add(Short(size)).Add(Short(begin)).Add(uint16_t{0});
  file_.Write(directory);
  file_.Write(end.bytes());
  file_.Close();
}

}  // namespace onnx_expose
