// The answer of --check as JSON. Its keys are a promise to scripts: resources/help/check.md lists them, and a test
// compares.
#include <cmath>
#include <nlohmann/json.hpp>

#include "profiler/check/result.hpp"

namespace fusescope::check {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json("inf"); }

void put_place(Json& json, const OpPlace& op) {
    json["op"] = op.op;
    json["file"] = op.place.file.empty() ? Json() : Json(op.place.file);
    json["line"] = op.place.file.empty() ? Json() : Json(op.place.line);
    json["source"] = op.place.source;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json difference_json(const OpDifference& d) {
    Json json;
    put_place(json, d.op);
    json["scope"] = d.scope;
    json["phase"] = d.phase;
    json["step"] = d.step;
    json["occurrence"] = d.occurrence;
    json["occurrences"] = d.occurrences;
    json["output"] = d.output;
    json["dtype"] = d.dtype;
    json["shape"] = d.shape;
    json["graph"] = d.graph;
    json["kernel"] = d.kernel;
    json["members"] = Json::array();
    for (const OpPlace& member : d.members) {
        Json entry;
        put_place(entry, member);
        json["members"].push_back(std::move(entry));
    }
    const Difference& by = d.difference;
    json["what"] = by.what.empty() ? "values" : by.what;
    json["elements"] = by.count;
    json["different"] = by.different;
    json["beyond"] = by.beyond;
    json["zero_signs"] = by.zero_signs;
    json["largest_absolute"] = number(by.largest_absolute);
    json["largest_relative"] = number(by.largest_relative);
    json["largest_ulp"] = by.largest_ulp ? Json(*by.largest_ulp) : Json();
    json["index"] = by.index;
    json["eager"] = by.first;
    json["graph_value"] = by.second;
    json["within_tolerance"] = by.within();
    json["cause"] = d.cause ? Json(*d.cause) : Json();
    json["eager_event"] = d.eager_event;
    json["graph_event"] = d.graph_event;
    json["node"] = d.node;
    json["eager_values"] = text_or_null(d.eager_values);
    json["graph_values"] = text_or_null(d.graph_values);
    return json;
}

Json difference_json(const std::optional<OpDifference>& difference) {
    return difference ? difference_json(*difference) : Json();
}

Json cause_json(const std::optional<Cause>& cause) {
    if (!cause) return Json();
    Json json;
    json["pass"] = text_or_null(cause->pass);
    json["sentence"] = cause->sentence;
    json["rounding"] = cause->rounding;
    json["alone"] = cause->alone;
    json["passes"] = cause->passes;
    json["rewrite"] = cause->rewrite;
    json["rewrites"] = cause->rewrites;
    json["rule"] = cause->rule;
    put_place(json, cause->rewritten);
    json["passes_with"] = cause->passes_with;
    return json;
}

Json ending_json(const Ending& ending) {
    return {{"status", ending.status}, {"raised", ending.raised}, {"exception", ending.exception}};
}

}  // namespace

const char* name_of(Verdict verdict) {
    constexpr const char* names[] = {"agree", "close", "differ", "unsteady"};
    return names[static_cast<int>(verdict)];
}

std::string to_json(const CheckResult& result) {
    Json json;
    json["format"] = "fusescope-check";
    json["version"] = 1;
    json["script"] = result.script;
    json["arguments"] = result.arguments;
    json["verdict"] = name_of(result.verdict);
    json["tolerance"] = {{"rtol", result.tolerance.relative ? Json(*result.tolerance.relative) : Json()},
                         {"atol", result.tolerance.absolute ? Json(*result.tolerance.absolute) : Json()}};
    json["tensors"] = {{"eager", result.eager_outputs},      {"compared", result.compared},
                       {"different", result.different},      {"beyond", result.beyond},
                       {"unjudged", result.unjudged},        {"ops_only_eager", result.only_eager},
                       {"ops_only_graph", result.only_graph}};
    json["first"] = difference_json(result.first);
    json["first_beyond"] = difference_json(result.first_beyond                                  ? result.first_beyond
                                           : result.first && !result.first->difference.within() ? result.first
                                                                                                : std::nullopt);
    json["cause"] = cause_json(result.cause);
    json["cause_beyond"] = cause_json(result.cause_beyond);
    json["output"] = result.output ? Json{{"line", result.output->line},
                                          {"eager", result.output->first},
                                          {"graph", result.output->second},
                                          {"lines", result.output->lines}}
                                   : Json();
    json["endings"] = {{"eager", ending_json(result.eager)}, {"graph", ending_json(result.graph)}};
    json["runs"] = result.runs;
    json["differences"] = Json::array();
    for (const OpDifference& each : result.differences) json["differences"].push_back(difference_json(each));
    json["causes"] = Json::array();
    for (const Cause& each : result.causes) json["causes"].push_back(cause_json(each));
    json["profiles"] = {{"eager", text_or_null(result.eager_profile)}, {"graph", text_or_null(result.graph_profile)}};
    json["doing"] = result.doing ? Json{{"what", result.doing->what}, {"passes", result.doing->passes}} : Json();
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fusescope::check
