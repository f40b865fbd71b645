// trace.json: Chrome's trace event format, which Perfetto, chrome://tracing and Speedscope open. A process for the host
// and one for each device and clock; a thread for each host thread, stream and copy direction; arrows from where an op
// was launched to where it ran. Modelled time is a process of its own with that word in its name.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "profiler/export/exporter.hpp"
#include "profiler/export/json_writer.hpp"
#include "profiler/query/event_spans.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/memory.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/transfers.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

namespace {

constexpr int kHostProcess = 1;
constexpr int kCompileThread = 90001;  // far above any host thread's number
constexpr int kFirstCopyThread = 1001;
constexpr int kLaneStep = 100000;        // between the thread numbers of a track's lanes
constexpr std::int64_t kLaunchMark = 1;  // ns: when a launch ended is not recorded, its slice only marks the moment

struct Track {
    int process = kHostProcess;
    int thread = 0;
    friend auto operator<=>(const Track&, const Track&) = default;
};

/// What stands at one place of the trace. Order at the same moment: slices, longest first, then arrows, then marks.
struct Item {
    enum Type : std::uint8_t { compile, op, launch, transfer, flow_start, flow_end, counter, finding };
    std::int64_t time = 0;
    std::int64_t duration = 0;
    Type type = op;
    std::uint32_t index = 0;
};

int order_of(Item::Type type) { return type < Item::flow_start ? 0 : type < Item::counter ? 1 : 2; }

class Trace {
 public:
    Trace(Database& database, Sink& sink) : database_(database), sink_(sink) {}

    void write() {
        load();
        spread_over_lanes();
        sink_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":" << other_data() << ",\n\"traceEvents\":[\n";
        write_names();
        std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
            if (a.time != b.time) return a.time < b.time;
            if (order_of(a.type) != order_of(b.type)) return order_of(a.type) < order_of(b.type);
            if (a.duration != b.duration) return a.duration > b.duration;
            return a.type != b.type ? a.type < b.type : a.index < b.index;
        });
        for (const Item& item : items_) write_item(item);
        sink_ << "\n]}\n";
    }

 private:
    void load() {
        const auto runs = query::runs(database_);
        const query::TimeRange span = query::time_span(database_);
        zero_ = span.begin_ns;
        if (!runs.empty()) {
            run_ = runs.front();
            if (run_.started_ns != 0) zero_ = std::min(zero_, run_.started_ns);
        }
        for (const query::Source& source : query::sources(database_)) paths_[source.id] = source.path;
        for (const query::Kind& kind : query::op_kinds(database_)) kinds_[kind.id] = kind.name;
        for (const query::Scope& scope : query::scopes(database_)) scopes_[scope.id] = scope.path;
        graphs_ = query::graphs(database_);
        for (std::size_t i = 0; i < graphs_.size(); ++i) {
            if (graphs_[i].compile_ns > 0) add(graphs_[i].compile_start_ns, graphs_[i].compile_ns, Item::compile, i);
        }
        query::for_each_event_span(database_, [&](const query::EventSpan& event) {
            const std::size_t index = events_.size();
            by_id_[event.id] = index;
            events_.push_back(event);
            add(event.start_ns, std::max<std::int64_t>(0, event.duration_ns), Item::op, index);
            if (!event.on_host) {
                add(event.launch_ns, kLaunchMark, Item::launch, index);
                add(event.launch_ns, 0, Item::flow_start, index);
                add(event.start_ns, 0, Item::flow_end, index);
                device_ = event.device;
            }
        });
        query::for_each_output(database_, [&](std::int64_t id, std::int64_t, std::string text) {
            std::string& all = outputs_[id];
            all += (all.empty() ? "" : "; ") + std::move(text);
        });
        for (std::int64_t last_id = 0;;) {
            const auto page = query::transfers(database_, last_id, 10000);
            if (page.empty()) break;
            for (const query::Transfer& transfer : page) {
                last_id = transfer.id;
                add(transfer.start_ns, std::max<std::int64_t>(0, transfer.duration_ns), Item::transfer,
                    transfers_.size());
                transfers_.push_back(transfer);
            }
        }
        for (query::MemorySeries& series : query::memory_series(database_, {}, 200'000)) {
            for (const query::MemoryPoint& point : series.points) {
                add(point.time_ns, 0, Item::counter, memory_.size());
                memory_.emplace_back(series.device, point.total_bytes);
            }
        }
        for (query::FindingInfo& finding : query::findings(database_)) {
            const auto event = by_id_.find(finding.op_event_id);
            if (event == by_id_.end()) continue;  // about no moment in particular
            add(events_[event->second].start_ns, 0, Item::finding, findings_.size());
            findings_.push_back(std::move(finding));
        }
    }

    /// Viewers drop or misdraw slices of one track that overlap without nesting: the later one goes to a lane of its
    /// own.
    void spread_over_lanes() {
        event_lanes_.assign(events_.size(), 0);
        transfer_lanes_.assign(transfers_.size(), 0);
        std::vector<const Item*> slices;
        for (const Item& item : items_) {
            if (item.type == Item::op || item.type == Item::transfer) slices.push_back(&item);
        }
        std::stable_sort(slices.begin(), slices.end(), [](const Item* a, const Item* b) {
            return a->time != b->time ? a->time < b->time : a->duration > b->duration;
        });
        std::map<Track, std::vector<std::vector<std::int64_t>>> open;  // per lane the ends of the slices around
        for (const Item* item : slices) {
            const bool is_op = item->type == Item::op;
            auto& lanes = open[is_op ? track_of(events_[item->index]) : track_of(transfers_[item->index])];
            const std::int64_t end = item->time + item->duration;
            std::size_t lane = 0;
            for (;; ++lane) {
                if (lane == lanes.size()) lanes.emplace_back();
                std::vector<std::int64_t>& around = lanes[lane];
                while (!around.empty() && around.back() <= item->time) around.pop_back();
                if (around.empty() || end <= around.back()) break;
            }
            lanes[lane].push_back(end);
            (is_op ? event_lanes_ : transfer_lanes_)[item->index] = static_cast<int>(lane);
        }
    }
    Track lane_of_event(std::size_t index) {
        Track track = track_of(events_[index]);
        track.thread += kLaneStep * event_lanes_[index];
        return track;
    }
    Track lane_of_transfer(std::size_t index) {
        Track track = track_of(transfers_[index]);
        track.thread += kLaneStep * transfer_lanes_[index];
        return track;
    }
    static std::string lane_mark(int lane) { return lane == 0 ? "" : ", lane " + std::to_string(lane + 1); }

    void add(std::int64_t time, std::int64_t duration, Item::Type type, std::size_t index) {
        zero_ = std::min(zero_, time);
        items_.push_back({time, duration, type, static_cast<std::uint32_t>(index)});
    }

    std::string other_data() const {
        return JsonObject()
            .text("script", run_.script)
            .text("mode", run_.mode)
            .text("device", run_.device)
            .text("status", run_.status)
            .number("started_unix_ns", run_.started_unix_ns)
            .take();
    }

    int process_of(const std::string& device, Clock clock) {
        if (device == "cpu" && clock == Clock::measured) return kHostProcess;
        const auto [it, fresh] = processes_.try_emplace({device, clock}, static_cast<int>(processes_.size()) + 2);
        (void)fresh;
        return it->second;
    }

    Track track_of(const query::EventSpan& event) {
        return {process_of(event.device, event.clock),
                static_cast<int>(event.on_host ? event.thread : event.stream) + 1};
    }
    static Track host_track(const query::EventSpan& event) {
        return {kHostProcess, static_cast<int>(event.thread) + 1};
    }
    Track track_of(const query::Transfer& transfer) {
        const int direction = transfer.kind == "h2d" ? 0 : transfer.kind == "d2h" ? 1 : 2;
        return {process_of(device_, transfer.clock),
                kFirstCopyThread + static_cast<int>(transfer.stream) * 3 + direction};
    }

    void write_names() {
        std::map<Track, std::string> tracks;
        tracks[{kHostProcess, 1}] = "thread 0";
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const query::EventSpan& event = events_[i];
            tracks.try_emplace(host_track(event), "thread " + std::to_string(event.thread));
            if (const Track track = lane_of_event(i); !event.on_host || track != host_track(event)) {
                tracks[track] = (event.on_host ? "thread " + std::to_string(event.thread)
                                               : "stream " + std::to_string(event.stream)) +
                                lane_mark(event_lanes_[i]) + report::clock_mark(event.clock);
            }
        }
        for (std::size_t i = 0; i < transfers_.size(); ++i) {
            const query::Transfer& transfer = transfers_[i];
            tracks[lane_of_transfer(i)] = "copies " + transfer.kind + ", stream " + std::to_string(transfer.stream) +
                                          lane_mark(transfer_lanes_[i]) + report::clock_mark(transfer.clock);
        }
        for (const Item& item : items_) {
            if (item.type == Item::compile) {
                tracks[{kHostProcess, kCompileThread}] = "graph compilation";
                break;
            }
        }
        std::map<int, std::string> names{{kHostProcess, "host: " + report::base_name(run_.script)}};
        for (const auto& [key, process] : processes_) {
            names[process] = (key.first.empty() ? "device" : key.first) + report::clock_mark(key.second);
        }
        for (const auto& [process, name] : names) {
            put(JsonObject()
                    .text("ph", "M")
                    .text("name", "process_name")
                    .number("pid", process)
                    .number("tid", 0)
                    .raw("args", JsonObject().text("name", name).take()));
            put(JsonObject()
                    .text("ph", "M")
                    .text("name", "process_sort_index")
                    .number("pid", process)
                    .number("tid", 0)
                    .raw("args", JsonObject().number("sort_index", process).take()));
        }
        for (const auto& [track, name] : tracks) {
            put(JsonObject()
                    .text("ph", "M")
                    .text("name", "thread_name")
                    .number("pid", track.process)
                    .number("tid", track.thread)
                    .raw("args", JsonObject().text("name", name).take()));
            put(JsonObject()
                    .text("ph", "M")
                    .text("name", "thread_sort_index")
                    .number("pid", track.process)
                    .number("tid", track.thread)
                    .raw("args", JsonObject().number("sort_index", track.thread).take()));
        }
    }

    void put(JsonObject& object) {
        if (!first_) sink_ << ",\n";
        first_ = false;
        sink_ << object.take();
    }

    JsonObject begin(const char* phase, std::string_view name, const char* category, const Track& track,
                     std::int64_t time) const {
        JsonObject object;
        object.text("ph", phase).text("name", name).text("cat", category);
        object.number("pid", track.process).number("tid", track.thread).microseconds("ts", time - zero_);
        return object;
    }

    std::string name_of_op(const query::EventSpan& event) const {
        const auto kind = kinds_.find(event.kind_id);
        return kind == kinds_.end() ? "op" : kind->second;
    }

    void put_place(JsonObject& args, const std::string& path, std::int64_t line) const {
        if (!path.empty()) args.text("file", path).number("line", line);
    }
    void put_place(JsonObject& args, std::int64_t source_id, std::int64_t line) const {
        const auto path = paths_.find(source_id);
        if (path != paths_.end()) put_place(args, path->second, line);
    }

    std::string op_args(const query::EventSpan& event) {
        JsonObject args;
        args.text("op", name_of_op(event)).number("event", event.id).text("mode", event.mode);
        args.text("clock", name_of(event.clock)).text_if("phase", event.phase).number("step", event.step);
        put_place(args, event.source_id, event.line);
        const auto scope = scopes_.find(event.scope_id);
        if (scope != scopes_.end()) args.text_if("scope", scope->second);
        if (event.node_id != 0) {
            auto [it, fresh] = nodes_.try_emplace(event.node_id);
            if (fresh) it->second = query::node(database_, event.node_id);
            if (it->second) args.text("node", it->second->name);
            if (it->second && !outputs_.contains(event.id)) {
                args.text_if("output", it->second->shape.empty() ? "" : it->second->dtype + " " + it->second->shape);
            }
        }
        const auto output = outputs_.find(event.id);
        if (output != outputs_.end()) args.text("output", output->second);
        args.number("bytes", event.bytes).number("flops", event.flops);
        return args.take();
    }

    void write_item(const Item& item) {
        switch (item.type) {
            case Item::compile: {
                const query::Graph& graph = graphs_[item.index];
                JsonObject args;
                args.text("graph", graph.name).text("signature", graph.signature).number("stages", graph.stages);
                put_place(args, graph.path, graph.line);
                put(begin("X", "compile " + graph.name, "compile", {kHostProcess, kCompileThread}, item.time)
                        .microseconds("dur", item.duration)
                        .raw("args", args.take()));
                break;
            }
            case Item::op: {
                const query::EventSpan& event = events_[item.index];
                put(begin("X", name_of_op(event), "op", lane_of_event(item.index), item.time)
                        .microseconds("dur", item.duration)
                        .raw("args", op_args(event)));
                break;
            }
            case Item::launch: {
                const query::EventSpan& event = events_[item.index];
                put(begin("X", "launch " + name_of_op(event), "launch", host_track(event), item.time)
                        .microseconds("dur", item.duration)
                        .raw("args", JsonObject().number("event", event.id).take()));
                break;
            }
            case Item::flow_start:
            case Item::flow_end: {
                const query::EventSpan& event = events_[item.index];
                const bool start = item.type == Item::flow_start;
                JsonObject flow = begin(start ? "s" : "f", "launch", "launch",
                                        start ? host_track(event) : lane_of_event(item.index), item.time);
                if (!start) flow.text("bp", "e");
                put(flow.number("id", event.id));
                break;
            }
            case Item::transfer: {
                const query::Transfer& transfer = transfers_[item.index];
                JsonObject args;
                args.text("reason", transfer.reason)
                    .number("bytes", transfer.bytes)
                    .text("clock", name_of(transfer.clock));
                args.text("bandwidth", report::format_bandwidth(
                                           static_cast<std::uint64_t>(std::max<std::int64_t>(0, transfer.bytes)),
                                           transfer.duration_ns));
                args.raw("pinned", transfer.pinned ? "true" : "false");
                put_place(args, transfer.path, transfer.line);
                put(begin("X", transfer.kind + " " + transfer.reason, "transfer", lane_of_transfer(item.index),
                          item.time)
                        .microseconds("dur", item.duration)
                        .raw("args", args.take()));
                break;
            }
            case Item::counter: {
                const auto& [device, bytes] = memory_[item.index];
                put(begin("C", "memory " + device, "memory", {kHostProcess, 0}, item.time)
                        .raw("args", JsonObject().number("bytes", bytes).take()));
                break;
            }
            case Item::finding: {
                const query::FindingInfo& finding = findings_[item.index];
                const std::size_t event = by_id_.at(finding.op_event_id);
                JsonObject args;
                args.text("severity", finding.severity).text("message", finding.message);
                put_place(args, finding.path, finding.line);
                put(begin("i", finding.kind, "finding", lane_of_event(event), item.time)
                        .text("s", "t")
                        .raw("args", args.take()));
                break;
            }
        }
    }

    Database& database_;
    Sink& sink_;
    query::Run run_;
    std::int64_t zero_ = 0;
    std::string device_;  ///< the device that copies go to; empty when no op ran on one
    bool first_ = true;
    std::unordered_map<std::int64_t, std::string> paths_, kinds_, scopes_, outputs_;
    std::unordered_map<std::int64_t, std::size_t> by_id_;
    std::unordered_map<std::int64_t, std::optional<query::Node>> nodes_;
    std::vector<query::Graph> graphs_;
    std::vector<query::EventSpan> events_;
    std::vector<query::Transfer> transfers_;
    std::vector<std::pair<std::string, std::int64_t>> memory_;
    std::vector<query::FindingInfo> findings_;
    std::vector<int> event_lanes_, transfer_lanes_;  ///< 0 for all but what overlaps
    std::map<std::pair<std::string, Clock>, int> processes_;
    std::vector<Item> items_;
};

void write_trace_json(Database& database, Sink& sink) { Trace(database, sink).write(); }

}  // namespace

Exporter exporter_trace_json() { return {"trace.json", "a trace for Perfetto and chrome://tracing", write_trace_json}; }

}  // namespace fusescope
