#ifndef ONNX_EXPOSE_RUNTIME_H_
#define ONNX_EXPOSE_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "onnx_expose/error.h"
#include "onnx_expose/feeds.h"
#include "onnx_expose/tensor.h"

namespace onnx_expose {

// ONNX Runtime, found when the program runs: nothing is linked against it. The
// first library loaded stays the process's only one.
class Runtime {
 public:
  // Loads the first of `candidates` that is there and is version 1.17 or newer:
  // paths, or names for the dynamic loader to look up. Throws Error(kRuntime)
  // that says what was tried and how to get one.
  explicit Runtime(const std::vector<std::string>& candidates);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const std::string& version() const;  // "1.32.0"
  const std::string& path() const;     // of the library
  // "CPUExecutionProvider", ...
  std::vector<std::string> providers() const;
  // Whether a model in memory may have its weights in files (from 1.21 on).
  bool reads_weights_beside_memory() const;

 private:
  friend class Session;
  struct State;
  std::unique_ptr<State> state_;
};

enum class OptLevel { kDisable, kBasic, kExtended, kAll };

struct SessionOptions {
  // Nothing moved or fused: what is computed is what the model says.
  OptLevel opt_level = OptLevel::kDisable;
  // Of one operator; 0: as many as there are cores. Other thread counts may
  // round sums differently.
  int threads = 1;
  std::string provider = "cpu";  // "cuda", "CUDAExecutionProvider", ...
  std::vector<std::string> custom_op_libraries;
  // Keep freed memory for the next run: many runs are faster, one run needs
  // more memory than it has to.
  bool arena = false;
  // Weights are used as they lie in the file, not repacked: less memory, and
  // slower matrix products.
  bool prepack = true;
  // What the values of all sessions that have a limit may take together; the
  // run of a model that needs more fails. 0: no limit.
  uint64_t max_bytes = 0;
  // Not empty: a profile of every node is written; the file's name begins so.
  std::string profile_prefix;
};

// Where a session's model is.
struct ModelSource {
  // What is loaded if `bytes` is empty.
  std::string path;
  // A serialised ModelProto, and the folder its external data lies in.
  std::string bytes;
  std::string folder;
  // For messages, if that isn't `path`.
  std::string name = "";
};

// A model, ready to run.
//
//   const Runtime runtime({"libonnxruntime.so"});
//   Session session(runtime, {"model.onnx", "", ""}, {});
//   std::vector<Data> y = session.Run(feeds, {"y"});
//
// All functions throw Error(kRuntime) with ONNX Runtime's own sentence when it
// refuses.
class Session {
 public:
  Session(const Runtime& runtime, const ModelSource& model,
          const SessionOptions& options);
  ~Session();
  Session(Session&&) noexcept;

  // In the model's order; initializers that may be overridden come last and
  // have `has_default` set.
  const std::vector<InputInfo>& inputs() const;
  const std::vector<std::string>& outputs() const;
  // As TypeText writes it, with ONNX Runtime's inferred dims.
  const std::vector<std::string>& output_types() const;

  // The values of `outputs`, in order. They keep what they need alive and may
  // outlive the session.
  std::vector<Data> Run(std::span<const Feed> feeds,
                        const std::vector<std::string>& outputs);

  // Ends profiling and returns the file that was written.
  std::string EndProfiling();

  // What ONNX Runtime had to say since this was called last, each thing once.
  Warnings TakeWarnings();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_RUNTIME_H_
