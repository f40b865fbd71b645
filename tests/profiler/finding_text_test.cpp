// Every kind and rule gives a sentence in both languages.
#include "profiler/query/finding_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "fusescope/finding.hpp"

namespace fusescope::query {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

FindingDetail full() {
    FindingDetail detail;
    detail.op = "Log";
    detail.step = 3;
    detail.count = 2;
    detail.index = {0, 1};
    detail.inputs = {"-1.5"};
    detail.shapes = {"(2, 3)", "(3,)"};
    detail.root_op = "Sub";
    detail.root_line = 12;
    detail.arguments = {{"reason", "why"}, {"bytes", "24"}, {"dtype", "Float16"}, {"result", "(2, 3)"}};
    for (const char* name : {"fit_op", "fit_operand", "fit_shape", "fit_axis", "fit_expression", "fit_order",
                             "fit_extent", "fit_mode", "fit_layer", "fit_call", "fit_dtype"}) {
        detail.arguments[name] = name;
    }
    return detail;
}

TEST(FindingText, EveryKindHasASentenceInBothLanguages) {
    for (int kind = 0; kind < kFindingKindCount; ++kind) {
        std::string name = name_of(static_cast<FindingKind>(kind));
        for (const FindingDetail& detail : {full(), FindingDetail{}}) {
            for (Language language : {Language::english, Language::chinese}) {
                std::string text = finding_text(name, detail, language);
                EXPECT_FALSE(text.empty()) << name;
                EXPECT_THAT(text, Not(HasSubstr("{"))) << name;
                EXPECT_THAT(text, Not(HasSubstr("["))) << name;
            }
        }
        EXPECT_NE(finding_text(name, full(), Language::english), finding_text(name, full(), Language::chinese));
    }
}

TEST(FindingText, EveryRuleOfTheCatalogueFillsItsSentence) {
    ASSERT_GE(catalogued_rules().size(), 25u);
    for (const std::string& rule : catalogued_rules()) {
        FindingDetail detail = full();
        detail.rule = rule;
        for (Language language : {Language::english, Language::chinese}) {
            std::string text = finding_text("suspicious", detail, language);
            EXPECT_THAT(text, Not(HasSubstr("{"))) << rule;
            EXPECT_THAT(text, Not(HasSubstr("["))) << rule;
            EXPECT_NE(text, "suspicious: Log") << rule << " names a value that findings do not have";
        }
    }
}

TEST(FindingText, EveryHazardOfTheOpTableHasASentence) {
    // Only names are compared: the profile library does not link the engine.
    std::vector<std::string> known = catalogued_rules();
    std::regex hazard(R"rx(hazards?[^"\n]{0,12}"([a-z_]+)")rx");
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(FUSESCOPE_SOURCE_DIR "/engine/ops")) {
        std::ifstream stream(entry.path());
        std::string text{std::istreambuf_iterator<char>(stream), {}};
        for (std::sregex_iterator match(text.begin(), text.end(), hazard), end; match != end; ++match) {
            ++found;
            EXPECT_THAT(known, ::testing::Contains((*match)[1].str()))
                << entry.path() << ": add a sentence to profiler/query/finding_catalogue.cpp";
        }
    }
    EXPECT_GE(found, 8);
}

TEST(FindingText, ChineseHasNoEnglishWordsForValuesWithoutAName) {
    for (const std::string& rule : catalogued_rules()) {
        FindingDetail detail = full();
        detail.rule = rule;
        detail.root_name.clear();
        detail.root_value = "0";
        for (const std::vector<std::int64_t>& index : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{0, 1}}) {
            detail.root_index = index;
            const std::string text = finding_text("suspicious", detail, Language::chinese);
            for (const char* word : {"element", "value", " the "}) EXPECT_THAT(text, Not(HasSubstr(word))) << rule;
        }
    }
}

TEST(FindingText, LeavesOutWhatIsNotKnown) {
    FindingDetail detail;
    detail.op = "Log";
    detail.rule = "log_of_zero";
    EXPECT_EQ(finding_text("inf", detail), "Log of zero gave -inf");
    detail.count = 4;
    EXPECT_EQ(finding_text("inf", detail), "Log of zero gave -inf in 4 elements");
    EXPECT_THAT(finding_advice("inf", detail), HasSubstr("epsilon"));
    detail.rule = "never heard of";
    EXPECT_EQ(finding_text("inf", detail), "Log gave infinity in 4 elements");
}

TEST(FindingDetailJson, BadJsonGivesEmptyFields) {
    for (const char* text : {"", "{", "[1]", "null", R"({"op": 3, "line": "x", "index": {}, "root": 1})", "\xff"}) {
        FindingDetail detail = parse_finding_detail(text);
        EXPECT_EQ(detail.op, "") << text;
        EXPECT_EQ(detail.line, 0) << text;
        EXPECT_TRUE(detail.index.empty()) << text;
    }
}

}  // namespace
}  // namespace fusescope::query
