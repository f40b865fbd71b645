// The public handle, used as a program outside of the project would use it.
#include "fusescope/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Profile, TellsRunTimesAndFindings) {
    testing::TemporaryFolder folder;
    Profile profile(testing::write_sample_profile(folder.path));
    ProfileRun run = profile.run();
    EXPECT_THAT(run.script, HasSubstr("train.py"));
    EXPECT_EQ(run.status, "ok");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_GT(run.duration_ns.value(), 0);
    ASSERT_THAT(profile.op_times(), SizeIs(7));
    EXPECT_EQ(profile.op_times()[0].clock, Clock::modelled);
    EXPECT_EQ(profile.op_times()[0].total_ns, 50000);
    ASSERT_THAT(profile.findings(), SizeIs(3));
    EXPECT_EQ(profile.findings()[0].line, testing::sample::kLogLine);
    EXPECT_THAT(profile.findings()[0].advice, HasSubstr("Clip"));
}

TEST(Profile, SaysWhyAFileCannotBeOpened) {
    try {
        Profile profile("/nowhere/run.fscope");
        FAIL();
    } catch (const ProfileError& error) {
        EXPECT_THAT(error.what(), HasSubstr("/nowhere/run.fscope"));
        EXPECT_THAT(error.what(), HasSubstr("no such file"));
    }
}

}  // namespace
}  // namespace fusescope
