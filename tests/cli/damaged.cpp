// A profile is data from anywhere: whatever is in it, the verbs that read end with status 0 or 4, never by a signal.
#include <algorithm>
#include <random>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using ::testing::HasSubstr;

namespace {

class Damaged : public RecordedScript {
 protected:
    void SetUp() override {
        ASSERT_EQ(record("import mindspore as ms\n"
                         "@ms.jit\n"
                         "def f(x): return ms.ops.relu(x * 2.0 + 1.0).sum()\n"
                         "print(f(ms.Tensor([1.0, 2.0])))\n")
                      .status,
                  0);
        whole_ = content(*this / "run.fscope");
        ASSERT_GT(integer("SELECT count(*) FROM node"), 0);
    }

    /// Runs every verb that reads on bad.fscope; how many of them managed.
    int read_all(const std::string& why) {
        int managed = 0;
        for (const char* line : {"fusescope --report bad.fscope", "fusescope --report bad.fscope --format html",
                                 "fusescope --report bad.fscope --format json",
                                 "fusescope --export trace.json bad.fscope", "fusescope --export graph.svg bad.fscope",
                                 "fusescope --export graph.dot bad.fscope", "fusescope --export ops.csv bad.fscope",
                                 "fusescope --export ir.txt bad.fscope", "fusescope --compare bad.fscope run.fscope"}) {
            const Outcome outcome = shell(line);
            EXPECT_TRUE(outcome.status == 0 || outcome.status == 4) << line << ", " << why << ": " << outcome.status;
            if (outcome.status == 4) {
                EXPECT_THAT(outcome.err, HasSubstr("bad.fscope")) << line << ", " << why;
                EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
            }
            managed += outcome.status == 0;
        }
        return managed;
    }

    std::string whole_;
};

}  // namespace

TEST_F(Damaged, WholeItIsReadByAllVerbs) {
    write("bad.fscope", whole_);
    EXPECT_EQ(read_all("undamaged"), 9);
}

TEST_F(Damaged, CutAnywhereItIsRefused) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{99}, std::size_t{4096},
                                   whole_.size() / 2, whole_.size() - 4096, whole_.size() - 1}) {
        write("bad.fscope", whole_.substr(0, size));
        EXPECT_EQ(read_all("cut to " + std::to_string(size)), 0);
    }
}

TEST_F(Damaged, WithBytesChangedItIsReadOrRefused) {
    std::mt19937 random(7);
    for (int changes = 1; changes <= 4096; changes *= 4) {
        std::string bytes = whole_;
        for (int i = 0; i < changes; ++i) bytes[100 + random() % (bytes.size() - 100)] = static_cast<char>(random());
        write("bad.fscope", bytes);
        read_all(std::to_string(changes) + " bytes changed");
    }
}

TEST_F(Damaged, WhatIsNoProfileIsRefused) {
    std::mt19937 random(11);
    std::string noise(200000, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    write("bad.fscope", noise);
    EXPECT_EQ(read_all("noise"), 0);
    shell("truncate -s 20G bad.fscope");
    EXPECT_EQ(read_all("20 GB, most of it a hole"), 0);
    shell(
        "rm bad.fscope; /usr/bin/python3 -c \"import sqlite3; d = sqlite3.connect('bad.fscope'); "
        "d.execute('CREATE TABLE run(id)'); d.commit()\"");
    EXPECT_THAT(shell("fusescope --report bad.fscope").err, HasSubstr("another program"));
    EXPECT_EQ(read_all("another database"), 0);
}

TEST_F(Damaged, ANewerFormatIsRefusedWithTheReason) {
    std::string bytes = whole_;
    bytes[63] = 2;
    write("bad.fscope", bytes);
    EXPECT_THAT(shell("fusescope --report bad.fscope").err, HasSubstr("newer fusescope: its format is version 2"));
    EXPECT_EQ(read_all("version 2"), 0);
}
