#ifndef ONNX_EXPOSE_REWRITER_CLIMB_H_
#define ONNX_EXPOSE_REWRITER_CLIMB_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rewriter/body_editor.h"
#include "rewriter/body_facts.h"
#include "rewriter/inline_calls.h"
#include "rewriter/lift.h"
#include "rewriter/lift_step.h"

namespace onnx_expose {

// What kept a value in, and the function (a position in the model) that it was
// in then, or had come out of: -1 if there was none.
struct Failure {
  std::string obstacle;
  int function = -1;
};

// One try on a model of its own: everything climbs level by level until it is
// in the main graph. Values that can't are named in failed().
class Climb {
 public:
  Climb(onnx::ModelProto& model, const InferOptions& infer, bool last,
        Provenance& record);

  // `inlined` are functions (positions in the model) whose values come out of
  // copies of their calls.
  void Run(const std::vector<int>& values, const std::set<int>& inlined);

  std::vector<LiftedValue>& done() { return done_; }
  const std::map<int, Failure>& failed() const { return failed_; }
  // Values of Scans that come out of Loops beside them, and why.
  const std::map<int, std::string>& by_loop() const { return by_loop_; }

 private:
  // A value on its way out.
  struct Climber {
    int value;          // as it was asked for
    const void* scope;  // the graph or function that defines it now
    std::string name;   // there
    std::string shown;  // what its name outside is made of
    std::vector<int> order;
    onnx::TypeProto type = {};  // if inference can't tell
    int function = -1;          // that it came out of last
  };
  // In the body of a Scan, which can't give it out.
  struct Waiting {
    Climber climber;
    int scope;
    std::string obstacle;
  };
  // A Scan that a Loop computes once more, by the Loop's body: what names and
  // places of values are made of.
  struct Original {
    std::string path;
    std::vector<int> order;
  };
  // What is known at the start of a level.
  struct Level {
    const GraphIndex& index;
    BodyEditor& editor;
    BodyFacts& facts;
  };

  void Start(const std::vector<int>& values, const std::set<int>& inlined);
  void ClimbOnce();
  Original OriginalOf(const GraphIndex& index, int scope) const;
  void OutOfBody(Level& level, int scope, const Climber& climber);
  void IntoLoops(Level& level, std::vector<Waiting> waiting);
  void OutOfFunction(Level& level, int scope, const Climber& climber);
  void OutOfCall(Level& level, int call, const Climber& climber);
  void Fail(const Level& level, int scope, const Climber& climber,
            std::string obstacle);
  // The climber is outside of the node now.
  Climber& Reached(const Level& level, const NodeRef& node,
                   std::vector<int> order, const Climber& climber,
                   LiftOutcome now, std::string shown);

  onnx::ModelProto& model_;
  const InferOptions& infer_;
  const bool last_;
  Provenance& record_;
  UniqueNames names_;
  InlinedCalls inlined_;
  std::vector<Climber> climbers_;
  std::vector<Climber> next_;     // level
  std::vector<Waiting> waiting_;  // until nothing else climbs
  std::map<const void*, Original> originals_;
  std::map<int, std::string> by_loop_;
  std::vector<LiftedValue> done_;
  std::map<int, Failure> failed_;
};

}  // namespace onnx_expose

#endif  // ONNX_EXPOSE_REWRITER_CLIMB_H_
