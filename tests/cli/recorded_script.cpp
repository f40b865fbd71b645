#include "tests/cli/recorded_script.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "profiler/db/database.hpp"
#include "tests/small_disk.hpp"

namespace fusescope::testing {

namespace fs = std::filesystem;

namespace {

int status_of(int raw) { return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw); }

}  // namespace

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

RecordedScript::RecordedScript() {
    std::string name = (fs::temp_directory_path() / "fusescope cli ü XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
}

RecordedScript::~RecordedScript() {
    unmount_disk();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void RecordedScript::write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name, std::ios::binary) << text;
}

Outcome RecordedScript::shell(const std::string& line) const {
    write(".line.sh", "fusescope() { '" FUSESCOPE_PROGRAM "' \"$@\"; }\n" + line + "\n");
    const std::string command =
        "cd '" + folder_.string() + "' && timeout 100 bash .line.sh >.stdout 2>.stderr </dev/null";
    const int raw = std::system(command.c_str());
    return {status_of(raw), content(*this / ".stdout"), content(*this / ".stderr")};
}

Outcome RecordedScript::record(const std::string& text, const std::string& options) const {
    write("run.py", text);
    return shell("fusescope --record run.fscope " + options + " run.py");
}

pid_t RecordedScript::start(const std::string& text) const {
    write("run.py", text);
    fs::remove(*this / ".started");
    const pid_t child = ::fork();
    if (child == 0) {
        if (::chdir(folder_.c_str()) != 0) ::_exit(126);
        ::signal(SIGINT, SIG_DFL);
        const int out = ::open(".started", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
        ::execl(FUSESCOPE_PROGRAM, "fusescope", "--record", "run.fscope", "run.py", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    for (int i = 0; i < 3000 && content(*this / ".started").find("go") == std::string::npos; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_THAT(content(*this / ".started"), ::testing::HasSubstr("go"));
    return child;
}

int RecordedScript::wait_for(pid_t child) {
    int raw = 0;
    return ::waitpid(child, &raw, 0) == child ? status_of(raw) : -1;
}

std::string RecordedScript::status(const std::string& profile) const { return text("SELECT status FROM run", profile); }

std::int64_t RecordedScript::integer(const std::string& sql, const std::string& profile) const {
    return Database::open_readonly(*this / profile).integer(sql, -1);
}

std::string RecordedScript::text(const std::string& sql, const std::string& profile) const {
    Database database = Database::open_readonly(*this / profile);
    Statement statement = database.prepare(sql);
    return statement.step() ? statement.text(0) : std::string();
}

std::vector<std::string> RecordedScript::files(const std::string& prefix) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool RecordedScript::mount_disk(const std::string& options) {
    fs::create_directory(*this / "disk");
    mounted_ = mount_small_disk(*this / "disk", options);
    return mounted_;
}

void RecordedScript::unmount_disk() {
    if (mounted_) ::umount2((*this / "disk").c_str(), MNT_DETACH);
    mounted_ = false;
}

}  // namespace fusescope::testing
