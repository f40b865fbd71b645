// The answer of --check as a document.
#include <fmt/format.h>

#include <cmath>

#include "profiler/check/result.hpp"
#include "profiler/report/format.hpp"

namespace fusescope::check {

namespace {

using report::format_count;

std::string plural(std::uint64_t count, const char* one, const char* many) {
    return format_count(count) + " " + (count == 1 ? one : many);
}

std::string place_text(const Place& place) {
    return place.file.empty() ? "an unknown line" : report::base_name(place.file) + ":" + std::to_string(place.line);
}

std::string op_text(const OpPlace& op) { return op.op + " at " + place_text(op.place); }

std::string title_of(const CheckResult& r) {
    const std::string script = report::base_name(r.script);
    switch (r.verdict) {
        case Verdict::agree:
            return "Equal: " + script + " computes the same eagerly and as graphs, bit for bit";
        case Verdict::close:
            return "Close: " + script + " computes the same eagerly and as graphs, within the tolerance";
        case Verdict::differ:
            return "Different: " + script + " does not do the same eagerly and as graphs";
        case Verdict::unsteady:
            return "Not repeatable: two eager runs of " + script + " differ already";
    }
    return {};
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "infinite"; }

std::string tolerance_text(const Tolerance& tolerance) {
    if (tolerance.relative && tolerance.absolute) {
        return fmt::format("{:g} of the value plus {:g}", *tolerance.relative, *tolerance.absolute);
    }
    std::string text = fmt::format("{:g} of the value plus {:g} for Float32", tolerance.relative_for(DType::Float32),
                                   tolerance.absolute_for(DType::Float32));
    return text + " (others: see --help); ints must be equal";
}

std::string judgement(const Difference& d) {
    if (!d.what.empty()) return {};
    if (d.different == 0) return "equal as numbers: only signs of zeros differ";
    return d.beyond == 0
               ? "within the tolerance"
               : fmt::format("{} of {} beyond the tolerance", format_count(static_cast<std::uint64_t>(d.beyond)),
                             plural(static_cast<std::uint64_t>(d.count), "element", "elements"));
}

void add_values(report::Section& section, const OpDifference& d, const char* first, const char* second) {
    const Difference& by = d.difference;
    section.table.columns = {{"", false}, {first, false, false, 60}, {second, false, false, 60}};
    if (by.what == "not kept") {
        section.lines.push_back("The values did not fit --values-budget: only that their bits differ is known.");
        return;
    }
    if (!by.what.empty()) {
        section.table.rows.push_back({by.what, by.first, by.second});
        return;
    }
    if (by.different > 0) {
        const std::string at = d.difference.index.empty() ? "value" : fmt::format("[{}]", fmt::join(by.index, ", "));
        section.table.rows.push_back({at, by.first, by.second});
        std::string line = fmt::format("{} of {} differ; largest: {} absolute, {} relative",
                                       format_count(static_cast<std::uint64_t>(by.different)),
                                       plural(static_cast<std::uint64_t>(by.count), "element", "elements"),
                                       number_text(by.largest_absolute), number_text(by.largest_relative));
        if (by.largest_ulp) line += ", " + format_count(*by.largest_ulp) + " ulp";
        section.lines.push_back(line);
    }
    section.lines.push_back(judgement(by));
}

report::Section difference_section(const std::string& id, const std::string& title, const OpDifference& d,
                                   const char* first, const char* second) {
    report::Section section{id, title, "", {}, ""};
    section.note = op_text(d.op) + (d.op.place.source.empty() ? "" : ":  " + d.op.place.source);
    add_values(section, d, first, second);
    std::string line = d.dtype + d.shape;
    if (d.output > 0) line += fmt::format(", output {}", d.output);
    if (d.occurrences > 1) line += fmt::format(", run {} of {} at this line", d.occurrence, d.occurrences);
    if (d.phase != "forward") line += ", " + d.phase;
    if (!d.scope.empty() && d.scope != "Default") line += ", in " + d.scope;
    if (d.step > 0) line += fmt::format(", step {}", d.step);
    section.lines.push_back(line);
    if (!d.graph.empty()) {
        std::string where = "in graph " + d.graph;
        if (!d.kernel.empty()) where += ", computed by " + d.kernel;
        if (!d.members.empty()) {
            where += ", which holds ";
            for (std::size_t i = 0; i < d.members.size(); ++i) where += (i ? ", " : "") + op_text(d.members[i]);
        }
        section.lines.push_back(where);
    }
    return section;
}

report::Section cause_section(const Cause& cause, const std::string& id, const std::string& title) {
    report::Section section{id, title, "", {}, ""};
    if (cause.pass.empty()) {
        section.note = "No pass: the difference is there with all of them switched off (" + cause.passes + ").";
        return section;
    }
    section.note = "The pass " + cause.pass + (cause.sentence.empty() ? "" : ": " + cause.sentence);
    section.lines.push_back(cause.rounding.empty() ? "It says that it changes no bit: this is a fault of fusescope."
                                                   : "It says of itself: " + cause.rounding + ".");
    if (cause.rewrite > 0) {
        section.lines.push_back(fmt::format("Rewrite {} of {}: \"{}\" at {}", cause.rewrite, cause.rewrites, cause.rule,
                                            op_text(cause.rewritten)));
    }
    section.lines.push_back("Without it: --passes=-" + cause.pass);
    section.lines.push_back(std::string(cause.alone ? "It alone: " : "With what it needs: ") +
                            "--passes=" + (cause.passes_with.empty() ? cause.passes : cause.passes_with));
    return section;
}

std::string ending_text(const Ending& ending) {
    std::string text = ending.raised ? "raised" : "ended";
    text += " with status " + std::to_string(ending.status);
    if (!ending.exception.empty()) text += ": " + ending.exception;
    return text;
}

}  // namespace

report::Document to_document(const CheckResult& r) {
    report::Document document;
    document.title = title_of(r);
    std::string compared = plural(r.compared, "tensor", "tensors");
    if (r.compared < r.eager_outputs) {
        compared += " of " + format_count(r.eager_outputs) +
                    " that the eager run made; the others exist in no graph by themselves";
    }
    document.facts.emplace_back("compared", compared);
    if (r.verdict != Verdict::unsteady) {
        std::string bits = r.different == 0 ? "none" : plural(r.different, "tensor", "tensors") + " in some bit";
        if (r.different > 0) {
            bits +=
                r.beyond == 0 ? ", none beyond the tolerance" : ", " + format_count(r.beyond) + " beyond the tolerance";
        }
        if (r.unjudged > 0) {
            bits += ", " + format_count(r.unjudged) + " not judged: their values did not fit --values-budget";
        }
        document.facts.emplace_back("different", bits);
        if (r.different > 0) document.facts.emplace_back("tolerance", tolerance_text(r.tolerance));
        document.facts.emplace_back("printed", r.output ? "differently" : "the same");
    }
    if (r.only_eager + r.only_graph > 0) {
        document.facts.emplace_back("not compared",
                                    plural(r.only_eager, "op", "ops") + " that only the eager run had, " +
                                        plural(r.only_graph, "op", "ops") + " that only the graphs had");
    }
    if (r.endings_differ() || r.eager.status != 0) {
        document.facts.emplace_back("eagerly it", ending_text(r.eager));
        document.facts.emplace_back("as graphs it", ending_text(r.graph));
    }
    document.facts.emplace_back("runs", plural(static_cast<std::uint64_t>(r.runs), "run", "runs") + " of the program");

    if (r.verdict == Verdict::unsteady && r.first) {
        document.sections.push_back(
            difference_section("first", "First op that differs between two eager runs", *r.first, "one", "other"));
        document.sections.back().lines.push_back(
            "Something but the seeds of Python, numpy and mindspore changes from run to run: the time, a file that the "
            "program itself writes, threads.");
        return document;
    }
    if (r.first) {
        document.sections.push_back(difference_section("first", "First op that differs", *r.first, "eager", "graph"));
    }
    if (r.first_beyond) {
        document.sections.push_back(difference_section("first_beyond", "First op that differs beyond the tolerance",
                                                       *r.first_beyond, "eager", "graph"));
    }
    if (r.cause) document.sections.push_back(cause_section(*r.cause, "cause", "What makes the difference"));
    if (r.cause_beyond) {
        document.sections.push_back(
            cause_section(*r.cause_beyond, "cause_beyond", "What makes the difference beyond the tolerance"));
    }
    if (r.output) {
        report::Section section{"output", "Printed differently", "", {}, ""};
        section.note = fmt::format("{}; the first is line {}",
                                   plural(static_cast<std::uint64_t>(r.output->lines), "line differs", "lines differ"),
                                   r.output->line);
        section.table.columns = {{"run"}, {"line", false, false, 100}};
        section.table.rows.push_back({"eager", r.output->first});
        section.table.rows.push_back({"graph", r.output->second});
        document.sections.push_back(std::move(section));
    }
    return document;
}

}  // namespace fusescope::check
