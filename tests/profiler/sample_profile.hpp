// A small but realistic recording for tests of everything that reads profiles: a training script run eagerly first and
// then as a graph, with one thing of each kind in it.
#pragma once

#include <filesystem>
#include <string>

#include "fusescope/recorder.hpp"

namespace fusescope::testing {

/// A folder that is removed with all it holds.
class TemporaryFolder {
 public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path path;
    std::string operator/(const std::string& name) const { return (path / name).string(); }
};

/// Ids that the sample uses, for tests that name them.
namespace sample {
// Lines of the script, which write_sample_script writes.
inline constexpr int kAddLine = 8, kMulLine = 9, kLogLine = 10, kPrintLine = 11, kDenseLine = 16, kReluLine = 17,
                     kLossLine = 18, kStepLine = 24;
inline constexpr std::int64_t kStart = 1'000'000'000;  ///< ns; everything happens from here on
// Eager: 4 ops (Add, Mul, Log, ReduceMean) in each of 3 steps, one of them with a NaN; ids 1 to 12.
inline constexpr int kEagerEvents = 12;
inline constexpr EventId kNanEvent = 11;  ///< Log in the third step
// Graph 'train_step': 10 runs of 3 kernels: ids 13 to 42, on the modelled device.
inline constexpr int kGraphEvents = 30;
inline constexpr GraphId kGraph = 1;
// Nodes as captured: 101 x, 102 weight, 103 bias, 104 label, 105 MatMul, 106 BiasAdd, 107 ReLU, 108 Sub, 109 Square,
// 110 ReduceMean, 111 Return. Stage 1 (fuse-matmul) makes 205 of 105 to 107 and 208, 209, 210, 211 of their namesakes;
// stage 2 (dce) changes nothing; stage 3 (fuse-elementwise) makes 308 of 208 to 210, with 309 and 310 inside, and 311.
inline constexpr NodeId kMatMul = 105, kFusedMatMul = 205, kFusedLoss = 308;
inline constexpr KindId kAddKind = 1, kMulKind = 2, kLogKind = 3, kMeanKind = 4, kFusedMatMulKind = 5,
                        kFusedLossKind = 6, kMomentumKind = 7;
}  // namespace sample

/// The script that the sample's frames lie in.
void write_sample_script(const std::string& path);

/// Records the sample; `script` is the path that frames name.
void record_sample(Recorder& recorder, const std::string& script);

/// Both: writes FOLDER/train.py and FOLDER/train.fscope, returns the profile's path.
std::string write_sample_profile(const std::filesystem::path& folder);

}  // namespace fusescope::testing
