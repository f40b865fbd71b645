// The command line, parsed.
#include <gtest/gtest.h>

#include "profiler/cli/arguments.hpp"

using namespace fusescope::cli;
using fusescope::FindingKind;
using Words = std::vector<std::string>;

namespace {

std::string usage_error(const Words& words) {
    try {
        parse_arguments(words);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(CliArguments, EverythingAfterTheScriptIsItsOwn) {
    const Command command = parse_arguments(
        {"--record", "out.fscope", "--mode", "graph", "train.py", "--help", "--mode", "eager", "-o", "--"});
    EXPECT_EQ(command.verb, Verb::record);
    EXPECT_EQ(command.record.out, "out.fscope");
    EXPECT_EQ(command.record.mode, "graph");
    EXPECT_EQ(command.record.script, "train.py");
    EXPECT_EQ(command.record.args, (Words{"--help", "--mode", "eager", "-o", "--"}));
}

TEST(CliArguments, OptionsMayComeBeforeRecordAndWithEquals) {
    const Command command = parse_arguments({"--device=ascend-model", "--record=o", "--watch=values",
                                             "--values-budget=1G", "--fail-on=nan,break", "s.py", "x"});
    EXPECT_EQ(command.record.out, "o");
    EXPECT_EQ(command.record.device, "ascend-model");
    EXPECT_EQ(command.record.watch, fusescope::Watch::values);
    EXPECT_EQ(command.record.values_budget, 1u << 30);
    EXPECT_EQ(command.record.fail_on, (std::vector{FindingKind::nan, FindingKind::graph_break}));
    EXPECT_EQ(command.record.args, Words{"x"});
}

TEST(CliArguments, APassSpecificationMayStartWithADash) {
    const Command command = parse_arguments({"--record", "o", "--passes", "-fuse-elementwise,+all", "s.py"});
    EXPECT_EQ(command.record.passes, "-fuse-elementwise,+all");
    EXPECT_EQ(command.record.script, "s.py");
}

TEST(CliArguments, TwoDashesEndTheOptionsOfRecord) {
    const Command command = parse_arguments({"--record", "o", "--", "-odd name.py", "--"});
    EXPECT_EQ(command.record.script, "-odd name.py");
    EXPECT_EQ(command.record.args, Words{"--"});
}

TEST(CliArguments, DefaultsAreThoseOfTheContract) {
    const RecordOptions record = parse_arguments({"--record", "o", "s.py"}).record;
    EXPECT_EQ(record.mode, "script");
    EXPECT_EQ(record.device, "script");
    EXPECT_EQ(record.watch, fusescope::Watch::health);
    EXPECT_EQ(record.values_budget, 256u << 20);
    EXPECT_TRUE(record.fail_on.empty());
    EXPECT_TRUE(record.args.empty());
}

TEST(CliArguments, ReadsTheOtherVerbs) {
    EXPECT_EQ(parse_arguments({}).verb, Verb::window);
    EXPECT_EQ(parse_arguments({"a.fscope", "b.py"}).files, (Words{"a.fscope", "b.py"}));
    const Command report = parse_arguments({"--report", "p", "--format", "json"});
    EXPECT_EQ(report.verb, Verb::report);
    EXPECT_EQ(report.files, Words{"p"});
    EXPECT_EQ(report.format, "json");
    EXPECT_EQ(parse_arguments({"--format", "html", "--report", "p"}).format, "html");
    const Command compare = parse_arguments({"--compare", "a", "b", "--fail-above", "5"});
    EXPECT_EQ(compare.files, (Words{"a", "b"}));
    EXPECT_EQ(compare.fail_above, 5.0);
    const Command exported = parse_arguments({"--export", "trace.json", "p", "-o", "-"});
    EXPECT_EQ(exported.verb, Verb::export_profile);
    EXPECT_EQ(exported.format, "trace.json");
    EXPECT_EQ(exported.files, Words{"p"});
    EXPECT_EQ(exported.out, "-");
    EXPECT_EQ(parse_arguments({"--export", "ops.csv", "-o", "x.csv", "p"}).out, "x.csv");
    EXPECT_EQ(parse_arguments({"--version"}).verb, Verb::version);
    EXPECT_EQ(parse_arguments({"--list-passes"}).verb, Verb::list_passes);
    EXPECT_NE(parse_arguments({"--help"}).help.find("--fail-above"), std::string::npos);
    EXPECT_EQ(parse_arguments({"--record", "o", "--help"}).verb, Verb::help);
}

TEST(CliArguments, EachMistakeIsNamed) {
    EXPECT_NE(usage_error({"--record", "o"}).find("which script"), std::string::npos);
    EXPECT_NE(usage_error({"--record"}).find("--record"), std::string::npos);
    EXPECT_NE(
        usage_error({"--record", "o", "--mode", "fast", "s.py"}).find("'fast' is not one of script, eager, graph"),
        std::string::npos);
    EXPECT_NE(usage_error({"--record", "o", "--moed", "eager", "s.py"}).find("'--moed'"), std::string::npos);
    EXPECT_NE(usage_error({"--record", "o", "--values-budget", "much", "s.py"}).find("'much' is not a size"),
              std::string::npos);
    EXPECT_NE(usage_error({"--record", "o", "--fail-on", "nan,bad", "s.py"}).find("'bad'"), std::string::npos);
    EXPECT_NE(usage_error({"--report", "p", "--format", "pdf"}).find("'pdf'"), std::string::npos);
    EXPECT_NE(usage_error({"--report", "p", "--mode", "eager"}).find("does not go with --report"), std::string::npos);
    EXPECT_NE(usage_error({"--report", "p", "q"}).find("'q'"), std::string::npos);
    EXPECT_NE(usage_error({"--report", "p", "--version"}).find("exclude each other"), std::string::npos);
    EXPECT_NE(usage_error({"--compare", "a"}), "");
    EXPECT_NE(usage_error({"--compare", "a", "b", "--fail-above", "-3"}).find("0 or more"), std::string::npos);
    EXPECT_NE(usage_error({"--no-such"}).find("--no-such"), std::string::npos);
    EXPECT_NE(usage_error({"--export", "ops.csv"}), "");
}

TEST(CliArguments, VerbsOfLaterVersionsAreToldApart) {
    EXPECT_EQ(usage_error({"--import", "x", "-o", "y"}), "this build does not have --import yet");
    EXPECT_EQ(parse_arguments({"--record", "o", "s.py", "--dap"}).record.args, Words{"--dap"});
}

TEST(CliArguments, TheDebuggerMayListen) {
    EXPECT_EQ(parse_arguments({"--dap"}).verb, Verb::dap);
    EXPECT_EQ(parse_arguments({"--dap", "--listen", "0"}).port, 0);
    EXPECT_FALSE(parse_arguments({"--dap"}).port.has_value());
    EXPECT_NE(usage_error({"--dap", "--listen", "65536"}).find("0 to 65535"), std::string::npos);
    EXPECT_NE(usage_error({"--listen", "4711"}), "");
    EXPECT_NE(usage_error({"--dap", "--record", "x", "y.py"}), "");
}

TEST(CliArguments, CheckTakesAScriptAndItsOwnOptions) {
    const Command command = parse_arguments({"--check", "--rtol", "1e-3", "--passes", "-cse", "--device=cpu",
                                             "--format", "json", "--values-budget", "1M", "s.py", "--rtol", "x"});
    EXPECT_EQ(command.verb, Verb::check);
    EXPECT_EQ(command.rtol, 1e-3);
    EXPECT_FALSE(command.atol);
    EXPECT_EQ(command.format, "json");
    EXPECT_EQ(command.record.passes, "-cse");
    EXPECT_EQ(command.record.device, "cpu");
    EXPECT_EQ(command.record.values_budget, 1u << 20);
    EXPECT_EQ(command.record.script, "s.py");
    EXPECT_EQ(command.record.args, (Words{"--rtol", "x"}));
    EXPECT_EQ(parse_arguments({"--atol=0", "--check", "--", "s.py"}).atol, 0.0);
    EXPECT_NE(usage_error({"--check"}).find("which script"), std::string::npos);
    EXPECT_NE(usage_error({"--check", "--rtol", "-1", "s.py"}).find("0 or more"), std::string::npos);
    EXPECT_NE(usage_error({"--check", "--rtol", "nan", "s.py"}), "");
    EXPECT_NE(usage_error({"--check", "--mode", "eager", "s.py"}).find("does not go with --check"), std::string::npos);
    EXPECT_NE(usage_error({"--check", "--record", "o", "s.py"}).find("exclude each other"), std::string::npos);
    EXPECT_NE(usage_error({"--report", "p", "--rtol", "1"}).find("does not go with --report"), std::string::npos);
    EXPECT_NE(usage_error({"--check", "--formt", "json", "s.py"}).find("'--formt'"), std::string::npos);
}

TEST(CliArguments, Sizes) {
    EXPECT_EQ(parse_size("4096"), 4096u);
    EXPECT_EQ(parse_size("256M"), 256u << 20);
    EXPECT_EQ(parse_size("1.5GiB"), 3ull << 29);
    EXPECT_EQ(parse_size("512kb"), 512u << 10);
    EXPECT_EQ(parse_size("0"), 0u);
    for (const char* bad : {"", "M", "-1M", "1X", "1 M", "nan", "1e30", "12MM"}) EXPECT_FALSE(parse_size(bad)) << bad;
}
