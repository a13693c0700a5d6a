#include "pipeline/execution.h"

#include <utility>

namespace onnx_expose {
namespace {

class Whole : public Execution {
 public:
  explicit Whole(Session session) : session_(std::move(session)) {}

  void Run(const FeedSet& feeds, const std::vector<std::string>& values,
           const ValueSink& sink) override {
    std::vector<Data> results = session_.Run(feeds.feeds, values);
    for (size_t i = 0; i < results.size(); ++i) {
      // Moved, so that each is freed as soon as it is dealt with.
      if (!sink(values[i], std::move(results[i]))) return;
    }
  }

  Warnings TakeWarnings() override { return session_.TakeWarnings(); }

 private:
  Session session_;
};

}  // namespace

std::unique_ptr<Execution> WholeExecution(Session session) {
  return std::make_unique<Whole>(std::move(session));
}

}  // namespace onnx_expose
