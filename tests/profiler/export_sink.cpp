// A file appears whole or not at all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "profiler/export/json_writer.hpp"
#include "profiler/export/sink.hpp"

namespace fs = std::filesystem;
using fusescope::FileSink;
using fusescope::WriteError;

namespace {

class FileSinkTest : public testing::Test {
 protected:
    FileSinkTest() {
        std::string pattern = (fs::temp_directory_path() / "fusescope-sink-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~FileSinkTest() override { fs::remove_all(folder_); }

    static std::string content(const fs::path& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
    }
    fs::path folder_;
};

}  // namespace

TEST_F(FileSinkTest, CommitPutsTheWholeFileInPlace) {
    const fs::path path = folder_ / "out 张.txt";
    FileSink sink(path);
    sink << "one "
         << "two";
    EXPECT_FALSE(fs::exists(path));
    sink.commit();
    EXPECT_EQ(content(path), "one two");
    EXPECT_EQ(files(), 1u);
    const mode_t mask = umask(0);
    umask(mask);
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666 & ~mask);
}

TEST_F(FileSinkTest, WithoutCommitTheOldFileStays) {
    const fs::path path = folder_ / "out.txt";
    std::ofstream(path) << "old";
    {
        FileSink sink(path);
        sink << std::string(1 << 20, 'x');
    }
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(FileSinkTest, KeepsTheModeOfTheFileItReplaces) {
    const fs::path path = folder_ / "out.txt";
    std::ofstream(path) << "old";
    ASSERT_EQ(chmod(path.c_str(), 0640), 0);
    FileSink sink(path);
    sink << "new";
    sink.commit();
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
    EXPECT_EQ(content(path), "new");
}

TEST_F(FileSinkTest, FollowsASymbolicLinkInsteadOfReplacingIt) {
    const fs::path path = folder_ / "real.txt", link = folder_ / "link.txt";
    std::ofstream(path) << "old";
    fs::create_symlink("real.txt", link);
    FileSink sink(link);
    sink << "new";
    sink.commit();
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(content(path), "new");
}

TEST_F(FileSinkTest, AFullDiskIsAnErrorThatNamesTheFile) {
    FileSink sink("/dev/full");
    sink << "x";
    try {
        sink.commit();
        FAIL() << "wrote to a full disk";
    } catch (const WriteError& error) {
        EXPECT_NE(std::string(error.what()).find("/dev/full"), std::string::npos);
        EXPECT_EQ(error.error_number, ENOSPC);
    }
}

TEST_F(FileSinkTest, AMissingFolderAndADirectoryAreErrors) {
    EXPECT_THROW(FileSink(folder_ / "no" / "such" / "file"), WriteError);
    EXPECT_THROW(FileSink{folder_.string()}, WriteError);
}

TEST(JsonWriter, EscapesWhatJsonDemands) {
    std::string out;
    fusescope::append_json_string(out, std::string("a\"b\\c\n\t\x01 张\xff", 13));
    EXPECT_EQ(out, "\"a\\\"b\\\\c\\u000a\\u0009\\u0001 张\uFFFD\"");
}

TEST(JsonWriter, MicrosecondsAreExact) {
    const auto text = [](std::int64_t ns) {
        std::string out;
        fusescope::append_microseconds(out, ns);
        return out;
    };
    EXPECT_EQ(text(1'234'567), "1234.567");
    EXPECT_EQ(text(1000), "1");
    EXPECT_EQ(text(-1), "-0.001");
    EXPECT_EQ(text(INT64_MAX), "9223372036854775.807");
    EXPECT_EQ(text(0), "0");
}
