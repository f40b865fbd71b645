// What each request of a debugger's client asks of the program: requests become calls of debug::Target.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/debug/target.hpp"
#include "profiler/cli/dap/channel.hpp"
#include "profiler/dap/message.hpp"

namespace fusescope::cli {

class Requests {
 public:
    Requests(Channel& channel, debug::Target& target, std::function<void(bool)> start)
        : channel_(channel), target_(target), start_(std::move(start)) {}

    bool stop_on_entry = false;
    bool observed = true;  ///< false: the program is run without debugging
    /// How the client counts.
    int first_line = 1, first_column = 1;

    /// Answers; what goes wrong becomes a failed response.
    void handle(const dap::Json& request);

 private:
    using Json = dap::Json;
    using Watches = std::vector<std::pair<int, std::string>>;
    using Handler = void (*)(Requests&, const Json& request, const Json& arguments);
    static const std::map<std::string, Handler>& handlers();

    void answer(const Json& request, Json body = Json::object()) {
        channel_.send(dap::response_to(request, std::move(body)));
    }
    void refuse(const Json& request, const std::string& why) { channel_.send(dap::failure_of(request, why)); }
    template <class T, class Body>
    void answer(const Json& request, const debug::Answer<T>& a, Body&& body) {
        if (a.value) {
            answer(request, body(*a.value));
        } else {
            refuse(request, a.error);
        }
    }
    int line_of_client(int line) const noexcept { return line - 1 + first_line; }
    int line_of_file(const Json& place) const noexcept;
    Json list(const std::vector<debug::Placed>& placed) const;
    Json listed(const debug::Hits& hits) const;

    void set_lines(const Json& request, const Json& arguments);
    void set_functions(const Json& request, const Json& arguments);
    void set_exceptions(const Json& request, const Json& arguments);
    std::vector<debug::Placed> set_watchpoints();
    std::vector<debug::Placed> set_watchpoints(Watches& group, const std::vector<std::string>& texts);
    void set_data(const Json& request, const Json& arguments);
    void data_info(const Json& request, const Json& arguments);
    void set_expression(const Json& request, const Json& arguments);
    void stack(const Json& request, const Json& arguments);
    void scopes(const Json& request, const Json& arguments);
    void variables(const Json& request, const Json& arguments);
    void resume(const Json& request, debug::Resume how, Json body = Json::object());
    void step(const Json& request, const Json& arguments, debug::Resume how);

    Channel& channel_;
    debug::Target& target_;
    std::function<void(bool)> start_;
    bool started_ = false;  ///< configurationDone has come
    int next_id_ = 1;
    Watches filter_watches_, data_watches_, own_watches_;
};

}  // namespace fusescope::cli
