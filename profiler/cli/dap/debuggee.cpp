// The process of a program under debugging: one launch, one run.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/python/host.hpp"
#include "engine/python/script_debugger.hpp"
#include "profiler/cli/arguments.hpp"
#include "profiler/cli/dap/adapter.hpp"
#include "profiler/cli/dap/channel.hpp"
#include "profiler/cli/dap/launch.hpp"
#include "profiler/cli/dap/requests.hpp"
#include "profiler/cli/dap/server.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/dap/message.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope::cli {
namespace {

using dap::Json;

int run(Channel& channel, const Json& request, bool& answered) {
    const Json& arguments = dap::object_of(request, "arguments");
    const Json& client = dap::object_of(request, "fusescope/client");
    const Launch launch = launch_of(arguments);
    if (!launch.folder.empty()) std::filesystem::current_path(launch.folder);
    for (const auto& [name, value] : launch.set_variables) ::setenv(name.c_str(), value.c_str(), 1);
    for (const std::string& name : launch.unset_variables) ::unsetenv(name.c_str());

    RunInfo info;
    info.script = launch.program;
    info.arguments = launch.args;
    info.mode = launch.mode;
    info.device = launch.device;
    info.options["debugged"] = "yes";
    DatabaseRecorder recorder(launch.profile, info, {});
    answered = true;
    channel.send(dap::response_to(request));
    channel.send(dap::event("fusescope/profile", {{"path", launch.profile}}));

    python::ScriptDebugger debugger(channel, launch.history);
    debugger.step_into_libraries = launch.step_into_libraries;
    debugger.observed = launch.observed;
    Requests requests(channel, debugger, [&](bool at_entry) { debugger.start(at_entry); });
    requests.stop_on_entry = launch.stop_on_entry;
    requests.observed = launch.observed;
    requests.first_line = dap::truth_of(client, "linesStartAt1", true) ? 1 : 0;
    requests.first_column = dap::truth_of(client, "columnsStartAt1", true) ? 1 : 0;
    Server server(channel, debugger, requests, [&] { debugger.let_go(); });
    debugger.forked = [&] { channel.abandon(); };
    debugger.ready = [&] {
        server.begin();
        channel.send(dap::event("initialized"));
    };
    const auto leaving = [&](std::optional<int> status) {
        if (!status) return recorder.flush();
        recorder.finish("ok", *status & 0xff);
        channel.said("The program called os._exit(" + std::to_string(*status) + ").\n");
    };
    const python::ScriptResult result = python::run_script({.script = launch.program,
                                                            .args = launch.args,
                                                            .mode = launch.mode,
                                                            .device = launch.device,
                                                            .passes = launch.passes,
                                                            .watch = launch.watch,
                                                            .recorder = &recorder,
                                                            .debugger = &debugger,
                                                            .started = [&] { recorder.save_on_fatal_signal(); },
                                                            .leaving = leaving});
    if (channel.abandoned()) ::_exit(result.exit_status);  // a child that has no thread to serve
    recorder.finish(result.interrupted ? "killed" : result.raised ? "raised" : "ok", result.exit_status);
    server.end();
    return result.exit_status;
}

}  // namespace

int run_debuggee(int descriptor) {
    Channel channel(descriptor);
    bool over = false, answered = false;
    std::optional<Json> request;
    try {
        request = channel.receive(-1, over);
        if (!request || dap::text_of(*request, "command") != "launch") return kUsage;
        return run(channel, *request, answered);
    } catch (const std::exception& e) {
        if (!request) return kUsage;
        if (!answered) {
            channel.send(dap::failure_of(*request, e.what()));
            return kUsage;
        }
        channel.said(std::string("The debugger failed: ") + e.what() + "\n");
        return kFileError;
    }
}

}  // namespace fusescope::cli
