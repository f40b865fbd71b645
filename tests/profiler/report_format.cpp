// Numbers and names as people read them.
#include <gtest/gtest.h>

#include <cstdint>

#include "profiler/report/document.hpp"
#include "profiler/report/format.hpp"

using namespace fusescope::report;

TEST(ReportFormat, DurationsHaveThreeDigitsAndAUnit) {
    EXPECT_EQ(format_duration(0), "0");
    EXPECT_EQ(format_duration(873), "873 ns");
    EXPECT_EQ(format_duration(12'400), "12.4 µs");
    EXPECT_EQ(format_duration(1'070'000), "1.07 ms");
    EXPECT_EQ(format_duration(999'600'000), "1.00 s");
    EXPECT_EQ(format_duration(3'210'000'000), "3.21 s");
    EXPECT_EQ(format_duration(125'000'000'000), "2 min 05 s");
    EXPECT_EQ(format_duration(-1500), "-1.50 µs");
    EXPECT_EQ(format_duration(INT64_MIN).front(), '-');
}

TEST(ReportFormat, SizesAndRates) {
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_bytes(1536), "1.50 KiB");
    EXPECT_EQ(format_bytes(UINT64_MAX), "16.0 EiB");
    EXPECT_EQ(format_signed_bytes(INT64_MIN), "-8.00 EiB");
    EXPECT_EQ(format_bandwidth(4'000'000, 1'000'000), "4.00 GB/s");
    EXPECT_EQ(format_bandwidth(4'000'000, 0), "-");
    EXPECT_EQ(format_percent(1, 0), "-");
    EXPECT_EQ(format_percent(1, 3), "33.3 %");
    EXPECT_EQ(format_count(1234567), "1 234 567");
    EXPECT_EQ(format_count(123), "123");
}

TEST(ReportFormat, WideCharactersTakeTwoCellsAndMarksNone) {
    EXPECT_EQ(display_width("abc"), 3);
    EXPECT_EQ(display_width("张量"), 4);
    EXPECT_EQ(display_width("e\u0301"), 1);
    EXPECT_EQ(display_width("\xff\xfe"), 2);  // two replacement characters
}

TEST(ReportFormat, CutsAtACharacterNotInsideOne) {
    EXPECT_EQ(fit_width("张量运算", 5), "张量…");
    EXPECT_EQ(fit_width("/home/me/train.py:12", 12, true), "…train.py:12");
    EXPECT_EQ(fit_width("short", 5), "short");
    for (int width = 0; width < 9; ++width) {
        EXPECT_LE(display_width(fit_width("张a量b运c", width)), width);
        EXPECT_LE(display_width(fit_width("张a量b运c", width, true)), width);
    }
}

TEST(ReportFormat, TerminalEscapesAreShownNotSent) {
    EXPECT_EQ(printable("a\x1b[2Jb\nc\td"), "a\\x1b[2Jb\\nc\\td");
    EXPECT_EQ(printable("x\u202ey"), "x\\u202ey");
    EXPECT_EQ(printable("\u009b31m"), "\\x9b31m");
    EXPECT_EQ(printable("naïve 张量"), "naïve 张量");
    EXPECT_EQ(printable("\xff"), "\uFFFD");
}

TEST(ReportFormat, InvalidUtf8IsReplacedByteByByte) {
    EXPECT_EQ(valid_utf8("ok"), "ok");
    EXPECT_EQ(valid_utf8("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
    EXPECT_EQ(valid_utf8("a\xe5\xbc"), "a\uFFFD\uFFFD");          // cut off
    EXPECT_EQ(valid_utf8("\uFFFD"), "\uFFFD");
}

TEST(ReportText, ColumnsLineUpWithWideCharacters) {
    Document document;
    document.title = "t";
    Section section{"s", "Section", "", {}, ""};
    section.table.columns = {{"name"}, {"n", true}};
    section.table.rows = {{"张量", "1"}, {"abcdef", "22"}};
    document.sections.push_back(section);
    const std::string text = to_text(document);
    EXPECT_NE(text.find("  张量     1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  abcdef  22\n"), std::string::npos) << text;
}

TEST(ReportText, SaysHowMuchItLeftOut) {
    Document document;
    Section section{"s", "Section", "", {}, ""};
    section.table.columns = {{"name"}};
    for (int i = 0; i < 20; ++i) section.table.rows.push_back({Cell(std::to_string(i))});
    document.sections.push_back(section);
    EXPECT_NE(to_text(document, 15).find("… 5 more"), std::string::npos);
}

TEST(ReportHtml, EscapesEverythingAndNeedsNoNetwork) {
    Document document;
    document.title = "<script>alert(1)</script>";
    document.facts = {{"Script", "a\"b'&<i>.py"}};
    Section section{"s", "A & B", "", {}, ""};
    section.table.columns = {{"<th>"}};
    section.table.rows = {{Cell("</td><img src=x onerror=1>", 0.5)}};
    document.sections.push_back(section);
    const std::string html = to_html(document);
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_NE(html.find("a&quot;b&#39;&amp;&lt;i&gt;.py"), std::string::npos);
    EXPECT_EQ(html.find("http"), std::string::npos);
    EXPECT_NE(html.find("prefers-color-scheme:dark"), std::string::npos);
    EXPECT_NE(html.find("var(--bar) 50.0%"), std::string::npos);
}
