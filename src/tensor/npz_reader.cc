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

std::vector<std::string> NpzMembers(const std::string& path) {
  const FileBytes file = MapFile(path);
  return InFile(path, "", [&] {
    std::vector<std::string> members;
    for (std::string& name : ZipReader(file).Names()) {
      if (!name.ends_with(kNpy)) continue;
      name.resize(name.size() - kNpy.size());
      members.push_back(std::move(name));
    }
    return members;
  });
}

Tensor ReadNpz(const std::string& path, const std::string& member) {
  const FileBytes file = MapFile(path);
  return InFile(path, fmt::format("member {}: ", Quoted(member)),
                [&] { return Member(ZipReader(file), member); });
}

}  // namespace onnx_expose
