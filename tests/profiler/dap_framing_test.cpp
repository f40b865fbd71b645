// Messages of the debug protocol, whole, cut and hostile.
#include <gtest/gtest.h>

#include "profiler/dap/framing.hpp"
#include "profiler/dap/message.hpp"

namespace fusescope::dap {
namespace {

TEST(Framing, MessagesComeCutAnywhere) {
    const std::string bytes = framed(R"({"a":1})") + framed("") + framed("ünï");
    FrameReader reader;
    std::vector<std::string> got;
    for (char c : bytes) {
        reader.feed({&c, 1});
        while (auto message = reader.next()) got.push_back(*message);
    }
    EXPECT_EQ((std::vector<std::string>{R"({"a":1})", "", "ünï"}), got);
}

TEST(Framing, HeadersMayHoldMore) {
    FrameReader reader;
    reader.feed("content-type: x\r\nContent-length:   2\r\n\r\n{}rest");
    EXPECT_EQ("{}", reader.next());
}

TEST(Framing, WhatIsNoMessageIsRefused) {
    for (const char* bytes : {"hello\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 12x\r\n\r\n",
                              "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length:\r\n\r\n",
                              "Content-Length: 100000000\r\n\r\n"}) {
        FrameReader reader;
        reader.feed(bytes);
        EXPECT_THROW(reader.next(), FramingError) << bytes;
    }
    FrameReader endless;
    endless.feed(std::string(10'000, 'x'));
    EXPECT_THROW(endless.next(), FramingError);
}

TEST(Message, WrongTypesAreTheFallback) {
    const Json m = parsed(R"({"seq":"x","command":5,"arguments":[1],"flag":1,"list":["a",2,"b"]})");
    EXPECT_EQ("", text_of(m, "command"));
    EXPECT_EQ(0, number_of(m, "seq"));
    EXPECT_TRUE(object_of(m, "arguments").empty());
    EXPECT_TRUE(truth_of(m, "flag", true));
    EXPECT_EQ((std::vector<std::string>{"a", "b"}), texts_of(m, "list"));
    EXPECT_TRUE(parsed("[1]").is_null());
    EXPECT_TRUE(parsed("{").is_null());
    EXPECT_NE(std::string::npos, dumped({{"a", "\xff"}}).find("\xef\xbf\xbd"));
}

}  // namespace
}  // namespace fusescope::dap
