// What a pass is, and the runner that does for all of them what none should do itself: switching off, running in nested
// regions, timing, verifying, snapshots.
//
// One pass is one file: engine/passes/fold_constants.cpp holds `passes::Pass pass_fold_constants()`. The order in which
// passes run is data in _runner.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/printer.hpp"
#include "engine/ir/rewriter.hpp"
#include "fusescope/snapshot.hpp"

namespace fusescope::passes {

/// What a pass works on. It changes the graph by `rewriter` and keeps no state.
struct PassContext {
    ir::Rewriter& rewriter;
    const ir::Graph& graph;                   ///< rewriter.graph()
    bool region = false;                      ///< the graph is a branch or a loop's part
    std::vector<std::string>* why = nullptr;  ///< null unless somebody asked

    /// Notes a decision; `text` is a function, so that nothing is put into words when nobody listens.
    template <class Text>
    void explain(Text&& text) const {
        if (why) why->push_back(text());
    }
};

struct Pass {
    std::string name;      ///< "fuse-elementwise", as in --passes
    std::string sentence;  ///< what it does to a graph
    void (*run)(PassContext&);
    bool default_on = true;
    std::string rounding = {};  ///< how it may change results; empty: not by one bit
};

/// Every pass in the order of its first run, plan-memory last. For --list-passes and for help.
struct PassInfo {
    std::string name, sentence, rounding;
    bool default_on;
};
const std::vector<PassInfo>& list_passes();

/// Which passes are on after "-fuse-elementwise,+cse,-all", read from left to right over the defaults. "+cse=5" lets a
/// pass make its first 5 rewrites and no more: of all graphs of a run, in the order in which they are compiled.
/// Throws UserError (value) that names an unknown pass and lists the known ones.
class PassSwitches {
 public:
    explicit PassSwitches(std::string_view spec = {});
    bool on(std::string_view name) const;
    /// How many rewrites it may make; nothing: as many as it likes.
    std::optional<std::uint64_t> limit(std::string_view name) const;

 private:
    std::vector<std::string> off_;
    std::map<std::string, std::uint64_t, std::less<>> limits_;
};

/// How many rewrites each pass with a limit has made so far.
using RewriteCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// What the last stage, plan-memory, has to say.
struct PlanNote {
    std::int64_t peak_bytes = -1;
    std::string note;
};

struct PipelineOptions {
    std::string spec;                 ///< of --passes
    RewriteCounts* counts = nullptr;  ///< of the run; null: limits count anew for this graph
    /// Asked before each pass; true leaves the graph as it is then.
    std::function<bool()> cancelled;
#ifdef NDEBUG
    bool verify = false;
#else
    bool verify = true;
#endif
    std::vector<StageSnapshot>* stages = nullptr;  ///< set while recording: gets the captured graph and every stage
    bool follow_values = false;                    ///< the stages say where each value went and what was rewritten
    ir::FrameResolver frame;                       ///< for the texts of the stages; may be null
    std::vector<std::string>* why = nullptr;       ///< gets the passes' reasons
    /// Lays the final graph out; `reuse` says whether plan-memory is on. Shown as the last stage.
    std::function<PlanNote(const ir::GraphPtr& final_graph, bool reuse)> plan;
};

/// Runs all passes that are on. Throws UserError for a bad spec, std::logic_error when a pass breaks a rule of the IR
/// (with `verify`).
ir::GraphPtr run_pipeline(ir::GraphPtr graph, const PipelineOptions& options = {});

/// Runs one pass alone, with verification. For tests.
ir::GraphPtr run_pass(std::string_view name, ir::GraphPtr graph, std::vector<ir::Drop>* drops = nullptr,
                      std::vector<std::string>* why = nullptr);

}  // namespace fusescope::passes
