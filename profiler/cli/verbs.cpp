// Verbs that only read profiles.
#include "profiler/cli/verbs.hpp"

#include <unistd.h>

#include <functional>

#include "profiler/db/database.hpp"
#include "profiler/export/exporter.hpp"
#include "profiler/report/compare.hpp"
#include "profiler/report/report.hpp"

namespace fusescope::cli {

namespace {

constexpr std::int64_t kMostDrawnNodes = 600;

void write_to(const std::string& out, const std::function<void(Sink&)>& write) {
    if (out.empty() || out == "-") {
        DescriptorSink sink(STDOUT_FILENO, "standard output");
        write(sink);
        sink.flush();
        return;
    }
    FileSink sink(out);
    write(sink);
    sink.commit();
}

template <class Answer>
std::string in_format(const Answer& answer, const std::string& format) {
    if (format == "json") return report::to_json(answer);
    const report::Document document = report::to_document(answer);
    return format == "html" ? report::to_html(document) : report::to_text(document);
}

/// The HTML page shows the graphs too, unless they are too large to be looked at as a whole.
void add_drawing(Database& database, const report::Report& answer, report::Document& document) {
    std::int64_t nodes = 0;
    for (const report::GraphRow& graph : answer.graphs) nodes += graph.nodes_before + graph.nodes_after;
    if (nodes == 0 || nodes > kMostDrawnNodes) return;
    for (const Exporter& exporter : exporter_all()) {
        if (std::string_view(exporter.format) != "graph.svg") continue;
        StringSink drawing;
        exporter.write(database, drawing);
        for (report::Section& section : document.sections) {
            if (section.id == "graphs") section.svg = drawing.take();
        }
    }
}

}  // namespace

void write_answer(const std::string& out, const std::string& text) {
    write_to(out, [&](Sink& sink) { sink.write(text); });
}

int run_report(const Command& command) {
    Database database = Database::open_readonly(command.files[0]);
    const report::Report answer = report::collect(database);
    std::string text;
    if (command.format == "html") {
        report::Document document = report::to_document(answer);
        add_drawing(database, answer, document);
        text = report::to_html(document);
    } else {
        text = in_format(answer, command.format);
    }
    write_answer(command.out, text);
    return kDone;
}

int run_compare(const Command& command) {
    std::vector<report::Report> reports;
    for (const std::string& file : command.files) {
        Database database = Database::open_readonly(file);
        reports.push_back(report::collect(database));
    }
    const report::Comparison comparison = report::compare(reports[0], reports[1]);
    const std::string text = in_format(comparison, command.format);
    write_answer(command.out, text);
    if (!command.fail_above) return kDone;
    const auto grown = report::growth(comparison);
    if (!grown) {
        tell("--fail-above: the two profiles have no op times of the same clock, so there is nothing to judge by");
        return kUsage;
    }
    return *grown > *command.fail_above ? kFound : kDone;
}

int run_export(const Command& command) {
    std::string known;
    for (const Exporter& exporter : exporter_all()) {
        if (command.format == exporter.format) {
            Database database = Database::open_readonly(command.files[0]);
            write_to(command.out, [&](Sink& sink) { exporter.write(database, sink); });
            return kDone;
        }
        known += (known.empty() ? "" : ", ") + std::string(exporter.format);
    }
    throw UsageError("--export: '" + command.format + "' is not a format; the formats are " + known);
}

}  // namespace fusescope::cli
