#include "profiler/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace fusescope::cli {

namespace {

constexpr const char* kFooter = R"(
Forms:
  fusescope [FILE…]                       open the window on scripts and profiles
  fusescope --record OUT [options] SCRIPT [ARGS…]
  fusescope --report PROFILE [--format text|json|html] [-o OUT]
  fusescope --compare BASE NEW [--format text|json|html] [--fail-above PERCENT]
  fusescope --export FORMAT PROFILE [-o OUT]
  fusescope --check [options] SCRIPT [ARGS…]
  fusescope --list-ops | --list-passes | --version | --help

Exit status: 0 done; 1 the script raised; 2 wrong usage; 3 a finding that --fail-on names, a
regression above --fail-above, or a difference that --check found; 4 a file could not be read or
written. A script that ends with sys.exit(N) passes N on. Everything after SCRIPT belongs to it.

Without --rtol and --atol, --check takes numbers for close within 1e-5 of the larger one plus 1e-5
(Float64 1e-9 and 1e-9; Float16 1e-3 and BFloat16 1.6e-2 plus 1e-5); ints must be equal.
)";

/// Verbs of the command line contract that later versions bring.
constexpr const char* kLaterVerbs[] = {"--import"};

std::string comma_list(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// The option that an argument before SCRIPT names, with whether its value is still to come.
const CLI::Option* option_of(const CLI::App& app, const std::string& argument, bool& has_value) {
    const std::size_t equals = argument.find('=');
    has_value = equals != std::string::npos;
    std::string name = argument.substr(0, equals);
    if (name.size() > 2 && name[0] == '-' && name[1] != '-') {  // -oOUT
        has_value = true;
        name.resize(2);
    }
    return app.get_option_no_throw(name);
}

/// Where SCRIPT stands: the first argument that is neither an option nor the value of one. Everything from there on is
/// the script's own, even when it looks like one of ours.
std::size_t find_script(const CLI::App& app, const std::vector<std::string>& arguments, std::size_t& options_end) {
    std::size_t i = 0;
    while (i < arguments.size()) {
        const std::string& argument = arguments[i];
        if (argument == "--") {
            options_end = i;
            return i + 1;
        }
        if (argument.size() < 2 || argument[0] != '-') break;
        bool has_value = false;
        const CLI::Option* option = option_of(app, argument, has_value);
        if (option == nullptr) break;  // CLI11 says what is wrong with it
        const bool flag = option->get_expected_min() == 0;
        i += 1 + (has_value || flag ? 0 : static_cast<std::size_t>(std::max(0, option->get_type_size())));
    }
    options_end = std::min(i, arguments.size());
    return options_end;
}

}  // namespace

std::optional<std::uint64_t> parse_size(const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
    std::string unit(rest, end);
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
    if (unit.size() > 1 && unit.back() == 'b') unit.pop_back();
    if (unit.size() > 1 && unit.back() == 'i') unit.pop_back();
    if (unit == "b") unit.clear();
    constexpr std::string_view units = "kmgt";
    if (!unit.empty()) {
        const std::size_t power = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
        if (power == std::string_view::npos) return std::nullopt;
        for (std::size_t i = 0; i <= power; ++i) number *= 1024;
    }
    if (number >= 9.2e18) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

std::vector<FindingKind> parse_fail_on(const std::string& text) {
    std::vector<FindingKind> kinds;
    for (const std::string& word : CLI::detail::split(text, ',')) {
        if (word == "none" || word.empty()) continue;
        bool known = word == "break";
        if (known) kinds.push_back(FindingKind::graph_break);
        if (word == "inf") kinds.push_back(FindingKind::overflow);
        for (int k = 0; k < kFindingKindCount; ++k) {
            const auto kind = static_cast<FindingKind>(k);
            if (word == name_of(kind)) {
                kinds.push_back(kind);
                known = true;
            }
        }
        if (!known) {
            throw UsageError("--fail-on: '" + word +
                             "' is not a kind of finding; use nan, inf, shape, break or none, "
                             "with commas between several");
        }
    }
    return kinds;
}

Command parse_arguments(const std::vector<std::string>& all) {
    Command command;
    CLI::App app("fusescope records tensor programs, shows what fusion did to them, and says where the time went.");
    app.name("fusescope");
    app.footer(kFooter);
    app.set_help_flag();

    std::string record, report, watch = "health", budget = "256M", fail_on, format;
    std::string compare, exported;
    bool version = false, help = false, list_ops = false, list_passes = false, check = false;
    double rtol = 0, atol = 0;
    std::int64_t listen = 0;
    bool dap = false;
    const std::vector<std::string> modes = {"script", "eager", "graph"};
    const std::vector<std::string> devices = {"script", "cpu", "ascend", "ascend-model"};
    const std::vector<std::string> watches = {"off", "health", "stats", "values"};
    const std::vector<std::string> formats = {"text", "json", "html"};

    app.add_option("--record", record, "run SCRIPT and write what it did to this profile")->type_name("OUT");
    app.add_option("--mode", command.record.mode, comma_list(modes) + " (default: what the script sets)")
        ->type_name("MODE");
    app.add_option("--device", command.record.device, comma_list(devices) + " (default: what the script sets)")
        ->type_name("DEVICE");
    app.add_option("--watch", watch,
                   "how much of each op output to look at: " + comma_list(watches) +
                       " (default: health, NaN and Inf of every output)")
        ->type_name("LEVEL");
    app.add_option("--values-budget", budget, "how much tensor data to keep with --watch values (default: 256M)")
        ->type_name("SIZE");
    app.add_option("--passes", command.record.passes, "switch passes off and on, e.g. -fuse-elementwise,+all")
        ->type_name("SPEC");
    app.add_option("--fail-on", fail_on, "nan, inf, shape, break, none: exit 3 when such a finding was recorded")
        ->type_name("KINDS");
    app.add_option("--report", report, "say where the time went in this profile")->type_name("PROFILE");
    app.add_option("--compare", compare, "what changed from profile BASE to profile NEW")->type_name("BASE NEW");
    app.add_option("--fail-above", command.fail_above,
                   "with --compare: exit 3 when the total op time grew by more than this")
        ->type_name("PERCENT");
    app.add_option("--export", exported, "trace.json, graph.svg, graph.dot, ops.csv or ir.txt, of PROFILE")
        ->type_name("FORMAT PROFILE");
    app.add_flag("--check", check,
                 "run SCRIPT eagerly and as graphs, tensor by tensor; name the first op, line and pass that differs");
    app.add_option("--rtol", rtol, "with --check: how far two numbers may be apart, relative to the larger one")
        ->type_name("NUMBER");
    app.add_option("--atol", atol, "with --check: how far they may be apart besides")->type_name("NUMBER");
    app.add_option("--keep", command.keep,
                   "with --check: leave the answer, both runs as profiles and the tensors that differ in this folder")
        ->type_name("DIR");
    app.add_option("--format", format, "of a report or comparison: " + comma_list(formats))->type_name("FORMAT");
    app.add_option("-o,--output", command.out, "where to write ('-': standard output, the default)")->type_name("OUT");
    app.add_flag("--list-ops", list_ops, "every op with its signature");
    app.add_flag("--list-passes", list_passes, "every pass, in the order they run");
    app.add_flag("--dap", dap, "debug adapter on standard input and output, for an editor");
    app.add_option("--listen", listen,
                   "with --dap: serve clients on this port of the loopback interface, 0: any free one")
        ->type_name("PORT");
    app.add_option("--debuggee", command.channel)->group("");
    app.add_flag("--version", version, "the version of this program");
    app.add_flag("-h,--help", help, "this text");
    app.add_option("FILE", command.files, "scripts and profiles to open in the window");

    // Everything from SCRIPT on is kept from the parser.
    std::vector<std::string> ours = all;
    bool recording = false;
    std::size_t options_end = all.size();
    const std::size_t script = find_script(app, all, options_end);
    for (std::size_t i = 0; i < options_end; ++i) {
        recording = recording || all[i] == "--record" || all[i].rfind("--record=", 0) == 0 || all[i] == "--check";
    }
    if (recording) {
        ours.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(options_end));
        if (script < all.size()) {
            if (options_end == script && all[script][0] == '-' && all[script].size() > 1) {
                for (const char* later : kLaterVerbs) {
                    if (all[script] == later)
                        throw UsageError(std::string("this build does not have ") + later + " yet");
                }
                throw UsageError("'" + all[script] + "' is not an option; try fusescope --help");
            }
            command.record.script = all[script];
            command.record.args.assign(all.begin() + static_cast<std::ptrdiff_t>(script) + 1, all.end());
        }
    } else {
        for (const std::string& argument : all) {
            if (argument == "--") break;
            for (const char* later : kLaterVerbs) {
                if (argument == later) throw UsageError(std::string("this build does not have ") + later + " yet");
            }
        }
    }
    if (std::any_of(ours.begin(), ours.end(), [](const auto& word) { return word == "--help" || word == "-h"; })) {
        command.verb = Verb::help;
        command.help = app.help();
        return command;
    }
    // An option's value may look like an option (`--passes -fuse-elementwise`): join the two for the parser.
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (ours[i] == "--passes" && i + 1 < ours.size()) {
            joined.push_back("--passes=" + ours[i + 1]);
            ++i;
        } else {
            joined.push_back(ours[i]);
        }
    }
    std::reverse(joined.begin(), joined.end());  // as CLI11 wants it
    try {
        app.parse(joined);
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) + "; try fusescope --help");
    }

    std::vector<std::pair<Verb, const char*>> verbs;
    if (!record.empty() || app.count("--record") > 0) verbs.emplace_back(Verb::record, "--record");
    if (app.count("--report") > 0) verbs.emplace_back(Verb::report, "--report");
    if (app.count("--compare") > 0) verbs.emplace_back(Verb::compare, "--compare");
    if (app.count("--export") > 0) verbs.emplace_back(Verb::export_profile, "--export");
    if (check) verbs.emplace_back(Verb::check, "--check");
    if (list_ops) verbs.emplace_back(Verb::list_ops, "--list-ops");
    if (list_passes) verbs.emplace_back(Verb::list_passes, "--list-passes");
    if (dap) verbs.emplace_back(Verb::dap, "--dap");
    if (app.count("--debuggee") > 0) verbs.emplace_back(Verb::debuggee, "--debuggee");
    if (version) verbs.emplace_back(Verb::version, "--version");
    if (verbs.size() > 1) {
        throw UsageError(std::string(verbs[0].second) + " and " + verbs[1].second + " exclude each other");
    }
    if (!verbs.empty()) command.verb = verbs[0].first;

    const auto only_with = [&](const char* option, std::initializer_list<Verb> allowed) {
        if (app.count(option) > 0 && std::find(allowed.begin(), allowed.end(), command.verb) == allowed.end()) {
            throw UsageError(std::string(option) + (verbs.empty()
                                                        ? " needs a verb such as --record or --report"
                                                        : std::string(" does not go with ") + verbs[0].second));
        }
    };
    for (const char* option : {"--mode", "--watch", "--fail-on"}) only_with(option, {Verb::record});
    for (const char* option : {"--device", "--values-budget", "--passes"}) {
        only_with(option, {Verb::record, Verb::check});
    }
    for (const char* option : {"--rtol", "--atol", "--keep"}) only_with(option, {Verb::check});
    only_with("--format", {Verb::report, Verb::compare, Verb::check});
    only_with("--listen", {Verb::dap});
    if (app.count("--listen") > 0) {
        if (listen < 0 || listen > 65535) throw UsageError("--listen: a port is a number from 0 to 65535");
        command.port = static_cast<int>(listen);
    }
    only_with("--fail-above", {Verb::compare});
    only_with("--output", {Verb::report, Verb::compare, Verb::export_profile, Verb::check});

    const auto one_of = [](const char* option, const std::string& value, const std::vector<std::string>& words) {
        if (std::find(words.begin(), words.end(), value) == words.end()) {
            throw UsageError(std::string(option) + ": '" + value + "' is not one of " + comma_list(words));
        }
    };
    // --compare and --export have a file beside their value, which may come after further options.
    const std::size_t files = command.verb == Verb::compare || command.verb == Verb::export_profile ? 1 : 0;
    if (command.verb != Verb::window && command.files.size() > files) {
        throw UsageError("'" + command.files[files] + "': " + verbs[0].second + " takes no such argument");
    }
    if (command.verb != Verb::window && command.files.size() < files) {
        throw UsageError(command.verb == Verb::compare
                             ? "--compare: name two profiles, e.g. fusescope --compare before.fscope after.fscope"
                             : "--export: name a format and a profile, e.g. fusescope --export trace.json run.fscope");
    }
    if (!format.empty() || app.count("--format") > 0) {
        one_of("--format", format, formats);
        command.format = format;
    }
    if (command.fail_above && !(std::isfinite(*command.fail_above) && *command.fail_above >= 0)) {
        throw UsageError("--fail-above: give a percentage of 0 or more");
    }
    switch (command.verb) {
        case Verb::check: {
            one_of("--device", command.record.device, devices);
            const auto size = parse_size(budget);
            if (!size) throw UsageError("--values-budget: '" + budget + "' is not a size; write 256M or 1G");
            const auto tolerance = [&](const char* option, double value) -> std::optional<double> {
                if (app.count(option) == 0) return std::nullopt;
                if (!(std::isfinite(value) && value >= 0)) {
                    throw UsageError(std::string(option) + ": give a number of 0 or more, e.g. 1e-5");
                }
                return value;
            };
            command.rtol = tolerance("--rtol", rtol);
            command.atol = tolerance("--atol", atol);
            command.record.values_budget = *size;
            if (command.record.script.empty()) {
                throw UsageError("--check: say which script to run, e.g. fusescope --check train.py");
            }
            break;
        }
        case Verb::record: {
            one_of("--mode", command.record.mode, modes);
            one_of("--device", command.record.device, devices);
            one_of("--watch", watch, watches);
            command.record.watch =
                static_cast<Watch>(std::find(watches.begin(), watches.end(), watch) - watches.begin());
            const auto size = parse_size(budget);
            if (!size) throw UsageError("--values-budget: '" + budget + "' is not a size; write 256M or 1G");
            command.record.values_budget = *size;
            command.record.fail_on = parse_fail_on(fail_on);
            command.record.out = record;
            if (record.empty()) throw UsageError("--record: say where to write the profile, e.g. --record run.fscope");
            if (command.record.script.empty()) {
                throw UsageError("--record: say which script to run, e.g. fusescope --record run.fscope train.py");
            }
            break;
        }
        case Verb::report:
            command.files = {report};
            break;
        case Verb::compare:
            command.files.insert(command.files.begin(), compare);
            break;
        case Verb::export_profile:
            command.format = exported;
            break;
        default:
            break;
    }
    return command;
}

}  // namespace fusescope::cli
