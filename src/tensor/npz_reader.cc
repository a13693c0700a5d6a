#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "onnx_expose/tensor_files.h"
#include "support/text.h"
#include "tensor/format_error.h"
#include "tensor/npy.h"
#include "tensor/npz.h"

namespace onnx_expose {
namespace {

constexpr std::string_view kNpy = ".npy";

Tensor Member(const ZipReader& zip, const std::string& name) {
  return ParseNpy(zip.Read(name + std::string(kNpy)));
}

Data MapAt(const ZipReader& zip, const std::string& prefix) {
  Data map;
  map.kind = Data::Kind::kMap;
  map.parts.resize(2);
  map.parts[0].tensor = Member(zip, prefix + "keys");
  map.parts[1].tensor = Member(zip, prefix + "values");
  const auto& keys = map.parts[0].tensor.shape;
  if (keys.size() != 1 || keys != map.parts[1].tensor.shape) {
    throw FormatError("a map has another number of keys than of values");
  }
  return map;
}

}  // namespace

Data MapFromNpz(const ZipReader& zip) { return MapAt(zip, ""); }

Data SequenceFromNpz(const ZipReader& zip) {
  Data sequence;
  sequence.kind = Data::Kind::kSequence;
  for (size_t i = 0;; ++i) {
    const std::string name = fmt::format("{}", i);
    if (zip.Has(name + ".keys.npy")) {
      sequence.parts.push_back(MapAt(zip, name + "."));
    } else if (zip.Has(name + ".npy")) {
      sequence.parts.emplace_back().tensor = Member(zip, name);
    } else {
      break;
    }
  }
  return sequence;
}

struct NpzFile::State {
  std::string path;
  ZipReader zip;
};

NpzFile::NpzFile(const std::string& path) {
  const FileBytes file = MapFile(path);
  InFile(path, "", [&] {
    state_ = std::make_unique<const State>(State{path, ZipReader(file)});
  });
}
NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile&&) noexcept = default;

std::vector<std::string> NpzFile::Members() const {
  std::vector<std::string> members;
  for (std::string& name : state_->zip.Names()) {
    if (!name.ends_with(kNpy)) continue;
    name.resize(name.size() - kNpy.size());
    members.push_back(std::move(name));
  }
  return members;
}

Tensor NpzFile::Read(const std::string& member) const {
  return InFile(state_->path, fmt::format("member {}: ", Quoted(member)),
                [&] { return Member(state_->zip, member); });
}

uint64_t NpzFile::BytesOf(const std::string& member) const {
  return state_->zip.StoredSize(member + std::string(kNpy))
      .value_or(UINT64_MAX);
}

}  // namespace onnx_expose
