// Which values belong to an op, over the sample recording.
#include "profiler/query/tensor_places.hpp"

#include <gmock/gmock.h>

#include "profiler/query/frames.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope::query {

using ::testing::SizeIs;
namespace sample = fusescope::testing::sample;

class TensorPlaces : public ::testing::Test {
 protected:
    fusescope::testing::TemporaryFolder folder;
    Database db = Database::open_readonly(fusescope::testing::write_sample_profile(folder.path));
};

TEST_F(TensorPlaces, OfAnEagerOpAreItsOutputs) {
    const auto places = tensor_places(db, sample::kNanEvent);
    ASSERT_THAT(places, SizeIs(1));
    EXPECT_FALSE(places[0].input);
    EXPECT_EQ(places[0].name, "Log");
    ASSERT_TRUE(places[0].info);
    EXPECT_EQ(places[0].info->nan, 1);
    EXPECT_THAT(tensor_places(db, 99999), SizeIs(0));
}

TEST_F(TensorPlaces, OfAnOpInAGraphAreItsInputsToo) {
    // Event 14 is the fused loss: it reads what the fused product made, and the label.
    const auto places = tensor_places(db, 14);
    std::vector<std::string> names;
    for (const TensorPlace& p : places) {
        if (p.input) names.push_back(p.name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("MatMul", "label"));
    for (const TensorPlace& p : places) {
        EXPECT_FALSE(p.shape.empty());
        EXPECT_EQ(p.op_event_id, !p.input ? 14 : p.name == "label" ? 0 : 13);
    }
}

TEST_F(TensorPlaces, HistoryIsOneValueForEachRunOfTheSameOp) {
    const auto log = tensor_history(db, sample::kNanEvent, 0);
    ASSERT_THAT(log, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(log[i].info.op_event_id, 3 + 4 * static_cast<std::int64_t>(i));
        EXPECT_EQ(log[i].info.nan, i == 2);
    }
    EXPECT_THAT(tensor_history(db, sample::kNanEvent, 1), SizeIs(0));
    EXPECT_THAT(tensor_history(db, sample::kNanEvent, 0, 2), SizeIs(2));
}

TEST_F(TensorPlaces, LinesTellWhatTheirOpsMade) {
    std::int64_t source = 0;
    for (const Source& s : sources(db)) source = s.path.ends_with("train.py") ? s.id : source;
    const auto lines = tensors_by_line(db, source);
    const auto log = std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.line == sample::kLogLine; });
    ASSERT_NE(log, lines.end());
    EXPECT_EQ(log->op, "ReduceMean");  // the last op of the line
    EXPECT_FALSE(log->shape.empty());
    EXPECT_EQ(log->unhealthy, 2);  // the logarithm and its mean
    for (const auto& l : lines) EXPECT_EQ(l.unhealthy > 0, l.line == sample::kLogLine);
}

}  // namespace fusescope::query
