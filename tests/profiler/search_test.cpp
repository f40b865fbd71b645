// Search over the sample recording, one kind of thing at a time.
#include "profiler/query/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

using namespace testing::sample;
using query::Place;
using query::SearchHit;
using query::SearchIn;
using ::testing::HasSubstr;

class Search : public ::testing::Test {
 protected:
    std::vector<SearchHit> find(SearchIn in, const std::string& part, std::size_t limit = 100) {
        return query::search(
            database_, in, [&](std::string_view text) { return text.find(part) != std::string_view::npos; }, limit);
    }

    testing::TemporaryFolder folder_;
    Database database_ = Database::open_readonly(testing::write_sample_profile(folder_.path));
};

TEST_F(Search, FindsOpsByName) {
    const auto hits = find(SearchIn::ops, "Log");
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].place, (Place{Place::Table::kind, kLogKind, 0}));
}

TEST_F(Search, GivesNodesThatRanBeforeThoseThatAreGone) {
    const auto hits = find(SearchIn::nodes, "MatMul");
    ASSERT_GE(hits.size(), 2u);
    EXPECT_EQ(hits[0].place, (Place{Place::Table::node, kFusedMatMul, 0}));
    EXPECT_THAT(hits[0].where, HasSubstr("train_step"));
    bool captured = false;
    for (const auto& hit : hits) captured = captured || hit.place.id == kMatMul;
    EXPECT_TRUE(captured);
}

TEST_F(Search, FindsLinesWithTheirNumbers) {
    const auto hits = find(SearchIn::lines, "print");
    ASSERT_FALSE(hits.empty());
    EXPECT_EQ(hits[0].line, kPrintLine);
    EXPECT_THAT(hits[0].where, HasSubstr("train.py"));
}

TEST_F(Search, FindsTensorsThatHaveANaN) {
    const auto hits = find(SearchIn::tensors, " NaN");
    ASSERT_EQ(hits.size(), 2u);  // and what follows from it
    EXPECT_EQ(hits[0].op_event, kNanEvent);
    EXPECT_EQ(hits[0].line, kLogLine);
}

TEST_F(Search, FindsGraphsAndScopes) {
    EXPECT_EQ(find(SearchIn::graphs, "train").size(), 1u);
    EXPECT_EQ(find(SearchIn::graphs, "nowhere").size(), 0u);
    for (const auto& hit : find(SearchIn::scopes, "")) EXPECT_EQ(hit.place.table, Place::Table::scope);
}

TEST_F(Search, StopsAtTheLimit) {
    EXPECT_EQ(find(SearchIn::nodes, "", 3).size(), 3u);
    EXPECT_EQ(find(SearchIn::lines, "", 2).size(), 2u);
    EXPECT_EQ(find(SearchIn::tensors, "", 0).size(), 0u);
}

}  // namespace
}  // namespace fusescope
