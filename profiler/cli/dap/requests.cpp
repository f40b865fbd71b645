#include "profiler/cli/dap/requests.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace fusescope::cli {
namespace {

using dap::Json;
using debug::Resume;

/// Numbers from outside are clamped, not cut.
int small_number(const Json& object, const char* key) {
    return static_cast<int>(std::clamp<std::int64_t>(dap::number_of(object, key), std::numeric_limits<int>::min(),
                                                     std::numeric_limits<int>::max()));
}

int count_of(const Json& object, const char* key) { return std::max(0, small_number(object, key)); }

Json json_of(const debug::Variable& v) {
    Json j = {{"name", v.name}, {"value", v.value}, {"variablesReference", v.reference}};
    if (!v.type.empty()) j["type"] = v.type;
    if (!v.evaluate_name.empty()) j["evaluateName"] = v.evaluate_name;
    if (v.named > 0) j["namedVariables"] = v.named;
    if (v.indexed > 0) j["indexedVariables"] = v.indexed;
    return j;
}

/// An evaluated expression has "result" where a variable has "value".
Json result_of(const debug::Variable& v) {
    Json j = json_of(v);
    j["result"] = v.value;
    j.erase("name");
    return j;
}

Json source_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return {{"name", slash == std::string::npos ? path : path.substr(slash + 1)}, {"path", path}};
}

}  // namespace

void Requests::handle(const Json& request) {
    const std::string command = dap::text_of(request, "command");
    try {
        if (!observed && command.starts_with("set")) return answer(request, {{"breakpoints", Json::array()}});
        const auto handler = handlers().find(command);
        if (handler == handlers().end()) return refuse(request, "the request '" + command + "' is not known here");
        handler->second(*this, request, dap::object_of(request, "arguments"));
    } catch (const std::exception& e) {
        refuse(request, "'" + command + "' failed: " + e.what());
    }
}

int Requests::line_of_file(const Json& place) const noexcept {
    const int line = small_number(place, "line");
    return line == std::numeric_limits<int>::max() ? line : line + 1 - first_line;
}

Json Requests::list(const std::vector<debug::Placed>& placed) const {
    Json all = Json::array();
    for (const debug::Placed& p : placed) {
        Json j = {{"id", p.id}, {"verified", p.verified}};
        if (p.line > 0) j["line"] = line_of_client(p.line);
        if (!p.message.empty()) j["message"] = p.message;
        all.push_back(std::move(j));
    }
    return {{"breakpoints", std::move(all)}};
}

void Requests::set_lines(const Json& request, const Json& arguments) {
    std::vector<debug::LineBreakpoint> lines;
    for (const Json& b : dap::array_of(arguments, "breakpoints")) {
        lines.push_back({next_id_++, line_of_file(b), dap::text_of(b, "condition"), dap::text_of(b, "hitCondition"),
                         dap::text_of(b, "logMessage")});
    }
    const std::string path = dap::text_of(dap::object_of(arguments, "source"), "path");
    answer(request, list(target_.set_line_breakpoints(path, std::move(lines))));
}

void Requests::set_functions(const Json& request, const Json& arguments) {
    std::vector<debug::FunctionBreakpoint> functions;
    for (const Json& b : dap::array_of(arguments, "breakpoints")) {
        functions.push_back(
            {next_id_++, dap::text_of(b, "name"), dap::text_of(b, "condition"), dap::text_of(b, "hitCondition")});
    }
    answer(request, list(target_.set_function_breakpoints(std::move(functions))));
}

void Requests::set_exceptions(const Json& request, const Json& arguments) {
    debug::ExceptionFilters filters;
    std::vector<std::string> watches;
    std::vector<std::string> names = dap::texts_of(arguments, "filters");
    for (const Json& option : dap::array_of(arguments, "filterOptions")) {
        const std::string name = dap::text_of(option, "filterId");
        if (name == "watch") {
            watches.push_back(dap::text_of(option, "condition", "nan"));
        } else {
            names.push_back(name);
        }
    }
    for (const std::string& name : names) {
        filters.raised |= name == "raised";
        filters.uncaught |= name == "uncaught";
        filters.user_error |= name == "shape";
        filters.nan |= name == "nan";
        filters.inf |= name == "inf";
    }
    target_.set_exception_filters(filters);
    for (const debug::Placed& p : set_watchpoints(filter_watches_, watches)) {
        if (!p.verified) channel_.said(p.message + "\n");
    }
    answer(request);
}

std::vector<debug::Placed> Requests::set_watchpoints() {
    Watches all = filter_watches_;
    all.insert(all.end(), data_watches_.begin(), data_watches_.end());
    all.insert(all.end(), own_watches_.begin(), own_watches_.end());
    return target_.set_watchpoints(all);
}

// One that was there before stays the same one, with its hits.
std::vector<debug::Placed> Requests::set_watchpoints(Watches& group, const std::vector<std::string>& texts) {
    Watches before = std::move(group);
    group.clear();
    for (const std::string& text : texts) {
        const auto known =
            std::find_if(before.begin(), before.end(), [&](const auto& watch) { return watch.second == text; });
        if (known == before.end()) {
            group.emplace_back(next_id_++, text);
        } else {
            group.push_back(std::move(*known));
            before.erase(known);
        }
    }
    std::vector<debug::Placed> mine;
    for (debug::Placed& p : set_watchpoints()) {
        for (const auto& [id, text] : group) {
            if (id == p.id) mine.push_back(std::move(p));
        }
    }
    return mine;
}

void Requests::set_data(const Json& request, const Json& arguments) {
    std::vector<std::string> wanted;
    for (const Json& b : dap::array_of(arguments, "breakpoints")) {
        wanted.push_back("changed on parameter " + dap::text_of(b, "dataId"));
    }
    answer(request, list(set_watchpoints(data_watches_, wanted)));
}

// Parameters can be watched: their values change at one place, where an optimizer or an assignment writes them.
void Requests::data_info(const Json& request, const Json& arguments) {
    const std::string name = dap::text_of(arguments, "name");
    const auto path = target_.evaluate(name + ".name", small_number(arguments, "frameId"), "watch");
    if (path.value && path.value->type == "str" && path.value->value.size() > 2) {
        const std::string& quoted = path.value->value;
        const std::string plain = quoted.substr(1, quoted.size() - 2);
        answer(request, {{"dataId", plain}, {"description", "parameter " + plain}, {"accessTypes", {"write"}}});
    } else {
        answer(request, {{"dataId", nullptr}, {"description", "only Parameters can be watched for changes"}});
    }
}

void Requests::set_expression(const Json& request, const Json& arguments) {
    const int frame = small_number(arguments, "frameId");
    const std::string target = dap::text_of(arguments, "expression");
    const auto done = target_.evaluate(target + " = (" + dap::text_of(arguments, "value") + ")", frame, "repl");
    if (!done.value) return refuse(request, done.error);
    answer(request, target_.evaluate(target, frame, "watch"), [](const debug::Variable& v) { return json_of(v); });
}

void Requests::stack(const Json& request, const Json& arguments) {
    answer(request, target_.stack(), [&](const std::vector<debug::StackFrame>& frames) {
        const auto total = static_cast<std::int64_t>(frames.size());
        const std::int64_t start = std::clamp<std::int64_t>(dap::number_of(arguments, "startFrame"), 0, total);
        std::int64_t levels = dap::number_of(arguments, "levels");
        if (levels <= 0 || levels > total - start) levels = total - start;
        Json list = Json::array();
        for (std::int64_t i = start; i < start + levels; ++i) {
            const debug::StackFrame& f = frames[static_cast<std::size_t>(i)];
            Json j = {{"id", f.id}, {"name", f.name}, {"line", line_of_client(f.line)}, {"column", first_column}};
            if (f.line <= 0) j["line"] = 0;  // it has none
            if (!f.path.empty()) j["source"] = source_of(f.path);
            if (f.graph) j["presentationHint"] = "label";
            list.push_back(std::move(j));
        }
        return Json{{"stackFrames", std::move(list)}, {"totalFrames", total}};
    });
}

void Requests::scopes(const Json& request, const Json& arguments) {
    answer(request, target_.scopes(small_number(arguments, "frameId")), [](const std::vector<debug::Scope>& all) {
        Json list = Json::array();
        for (const debug::Scope& scope : all) {
            list.push_back(
                {{"name", scope.name}, {"variablesReference", scope.reference}, {"expensive", scope.expensive}});
            if (scope.name == "Locals") list.back()["presentationHint"] = "locals";
        }
        return Json{{"scopes", std::move(list)}};
    });
}

void Requests::variables(const Json& request, const Json& arguments) {
    const auto parts =
        target_.variables(small_number(arguments, "variablesReference"), dap::text_of(arguments, "filter"),
                          count_of(arguments, "start"), count_of(arguments, "count"));
    answer(request, parts, [](const std::vector<debug::Variable>& all) {
        Json list = Json::array();
        for (const debug::Variable& v : all) list.push_back(json_of(v));
        return Json{{"variables", std::move(list)}};
    });
}

Json Requests::listed(const debug::Hits& h) const {
    Json where = Json::array();
    for (const auto& hit : h.list) {
        where.push_back({{"op", hit.op},
                         {"shape", hit.shape},
                         {"step", hit.step},
                         {"line", line_of_client(hit.line)},
                         {"event", hit.event}});
        if (!hit.path.empty()) where.back()["source"] = source_of(hit.path);
    }
    return {{"id", h.id}, {"hits", h.count}, {"list", std::move(where)}};
}

void Requests::resume(const Json& request, Resume how, Json body) {
    if (!started_) return refuse(request, "the program has not begun: the request 'configurationDone' has not come");
    if (!target_.resume(how)) return refuse(request, "the program is running");
    answer(request, std::move(body));
}

void Requests::step(const Json& request, const Json& arguments, Resume how) {
    resume(request, dap::text_of(arguments, "granularity") == "instruction" ? Resume::op : how);
}

const std::map<std::string, Requests::Handler>& Requests::handlers() {
    static const std::map<std::string, Handler> table = {
        {"configurationDone",
         [](Requests& s, const Json& r, const Json&) {
             s.answer(r);
             if (!std::exchange(s.started_, true)) s.start_(s.stop_on_entry);
         }},
        {"setBreakpoints", [](Requests& s, const Json& r, const Json& a) { s.set_lines(r, a); }},
        {"setFunctionBreakpoints", [](Requests& s, const Json& r, const Json& a) { s.set_functions(r, a); }},
        {"setExceptionBreakpoints", [](Requests& s, const Json& r, const Json& a) { s.set_exceptions(r, a); }},
        {"setDataBreakpoints", [](Requests& s, const Json& r, const Json& a) { s.set_data(r, a); }},
        {"dataBreakpointInfo", [](Requests& s, const Json& r, const Json& a) { s.data_info(r, a); }},
        {"fusescope/setWatchpoints",
         [](Requests& s, const Json& r, const Json& a) {
             s.answer(r, s.list(s.set_watchpoints(s.own_watches_, dap::texts_of(a, "watchpoints"))));
         }},
        {"fusescope/hits",
         [](Requests& s, const Json& r, const Json&) {
             Json list = Json::array();
             for (const debug::Hits& h : s.target_.hits()) list.push_back(s.listed(h));
             s.answer(r, {{"hits", std::move(list)}});
         }},
        {"fusescope/stepOp", [](Requests& s, const Json& r, const Json&) { s.resume(r, Resume::op); }},
        {"fusescope/goToBirth",
         [](Requests& s, const Json& r, const Json& a) {
             const std::int64_t input = dap::number_of(a, "input");
             if (input >= 0 && s.target_.go_to_birth_of(static_cast<std::size_t>(input))) return s.answer(r);
             s.refuse(r, "it is not known (any more) which op made this value");
         }},
        {"threads",
         [](Requests& s, const Json& r, const Json&) {
             s.answer(r, {{"threads", {{{"id", kThread}, {"name", "main"}}}}});
         }},
        {"stackTrace", [](Requests& s, const Json& r, const Json& a) { s.stack(r, a); }},
        {"scopes", [](Requests& s, const Json& r, const Json& a) { s.scopes(r, a); }},
        {"variables", [](Requests& s, const Json& r, const Json& a) { s.variables(r, a); }},
        {"evaluate",
         [](Requests& s, const Json& r, const Json& a) {
             s.answer(r,
                      s.target_.evaluate(dap::text_of(a, "expression"), small_number(a, "frameId"),
                                         dap::text_of(a, "context")),
                      [](const debug::Variable& v) { return result_of(v); });
         }},
        {"setVariable",
         [](Requests& s, const Json& r, const Json& a) {
             s.answer(r,
                      s.target_.set_variable(small_number(a, "variablesReference"), dap::text_of(a, "name"),
                                             dap::text_of(a, "value")),
                      [](const debug::Variable& v) { return json_of(v); });
         }},
        {"fusescope/storeTensor",
         [](Requests& s, const Json& r, const Json& a) {
             s.answer(r, s.target_.store_tensor(small_number(a, "variablesReference"), dap::text_of(a, "path")),
                      [](const debug::StoredTensor& t) {
                          return Json{{"dtype", t.dtype}, {"shape", t.shape}};
                      });
         }},
        {"setExpression", [](Requests& s, const Json& r, const Json& a) { s.set_expression(r, a); }},
        {"exceptionInfo",
         [](Requests& s, const Json& r, const Json&) {
             s.answer(r, s.target_.exception(), [](const debug::ExceptionInfo& e) {
                 return Json{{"exceptionId", e.type},
                             {"description", e.message},
                             {"breakMode", "always"},
                             {"details", {{"message", e.message}, {"typeName", e.type}, {"stackTrace", e.traceback}}}};
             });
         }},
        {"continue",
         [](Requests& s, const Json& r, const Json&) {
             s.resume(r, Resume::run, {{"allThreadsContinued", true}});
         }},
        {"next", [](Requests& s, const Json& r, const Json& a) { s.step(r, a, Resume::over); }},
        {"stepIn", [](Requests& s, const Json& r, const Json& a) { s.step(r, a, Resume::in); }},
        {"stepOut", [](Requests& s, const Json& r, const Json& a) { s.step(r, a, Resume::out); }},
        {"stepBack", [](Requests& s, const Json& r, const Json&) { s.resume(r, Resume::back); }},
        {"reverseContinue", [](Requests& s, const Json& r, const Json&) { s.resume(r, Resume::back_run); }},
        {"pause",
         [](Requests& s, const Json& r, const Json&) {
             s.target_.pause();
             s.answer(r);
         }},
    };
    return table;
}

}  // namespace fusescope::cli
