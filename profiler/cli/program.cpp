// The command `fusescope`: the only program that knows both the engine and the profile library.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "profiler/cli/dap/adapter.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/db/database_error.hpp"
#include "profiler/export/sink.hpp"

namespace fusescope::cli {

void tell(const std::string& message) {
    const std::string line = "fusescope: " + message + "\n";
    // When even stderr is gone there is nobody left to tell.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

namespace {

/// A program may be started with its standard streams closed. The next file opened would then become "standard output"
/// and take the report in its middle. What stands in for a closed stream fails when it is written to.
void keep_standard_descriptors() {
    for (const int descriptor : {0, 1, 2}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            if (::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor) return;
        }
    }
}

void print(const std::string& text) {
    DescriptorSink sink(STDOUT_FILENO, "standard output");
    sink.write(text);
    sink.flush();
}

int run(const Command& command) {
    switch (command.verb) {
        case Verb::help:
            print(command.help);
            return kDone;
        case Verb::version:
            print("fusescope " FUSESCOPE_VERSION "\n");
            return kDone;
        case Verb::record:
            return run_recorded(command.record);
        case Verb::report:
            return run_report(command);
        case Verb::compare:
            return run_compare(command);
        case Verb::export_profile:
            return run_export(command);
        case Verb::check:
            return run_check(command);
        case Verb::list_ops:
            return list_ops();
        case Verb::list_passes:
            return list_passes();
        case Verb::dap:
            return run_dap({command.port});
        case Verb::debuggee:
            return run_debuggee(command.channel);
        case Verb::window:
            return open_window(command);
    }
    return kUsage;
}

int main_of(int argc, char** argv) {
    try {
        const Command command = parse_arguments({argv + 1, argv + argc});
        // A script is to find its streams and signals as under python3; for the rest a reader that went away is an
        // error like any other.
        if (command.verb != Verb::record && command.verb != Verb::window && command.verb != Verb::debuggee &&
            command.verb != Verb::dap) {
            keep_standard_descriptors();
            std::signal(SIGPIPE, SIG_IGN);
        }
        return run(command);
    } catch (const UsageError& error) {
        tell(error.what());
        return kUsage;
    } catch (const WriteError& error) {
        if (error.error_number != EPIPE) tell(error.what());
        return kFileError;
    } catch (const DatabaseError& error) {
        tell(error.what());
        return kFileError;
    } catch (const std::bad_alloc&) {
        tell("out of memory");
        return kFileError;
    } catch (const std::exception& error) {
        tell(std::string("internal error: ") + error.what());
        return kFileError;
    }
}

}  // namespace

}  // namespace fusescope::cli

// Called by main.cpp, which opens this library.
extern "C" __attribute__((visibility("default"))) int fusescope_main(int argc, char** argv) {
    return fusescope::cli::main_of(argc, argv);
}
