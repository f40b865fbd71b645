#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "profiler/check/log.hpp"
#include "profiler/check/log_format.hpp"

namespace fusescope::check {

namespace {

class Reader {
 public:
    explicit Reader(Log& log) : log_(log) {}

    void read(const RecordHead& head, const char* data) {
        Unpack in(data, head.size);
        switch (head.kind) {
            case RecordKind::frame: {
                const auto id = in.get<FrameId>();
                Frame& frame = log_.frames[id];
                frame.parent = in.get<FrameId>();
                frame.line = in.get<std::int64_t>();
                frame.path = in.text();
                frame.function = in.text();
                break;
            }
            case RecordKind::scope: {
                const auto id = in.get<ScopeId>();
                log_.scopes[id] = in.text();
                break;
            }
            case RecordKind::kind: {
                const auto id = in.get<KindId>();
                log_.kinds[id] = in.text();
                break;
            }
            case RecordKind::op:
                read_op(in.get<OpHead>());
                break;
            case RecordKind::value:
                read_value(in);
                break;
            case RecordKind::graph:
                read_graph(in);
                break;
            case RecordKind::graph_run:
                log_.items.push_back({Log::Item::Kind::graph, in.get<GraphId>(), 0});
                break;
            case RecordKind::region_run: {
                const auto node = in.get<NodeId>();
                log_.items.push_back({Log::Item::Kind::region, in.get<std::uint32_t>(), node});
                break;
            }
            case RecordKind::end:
                log_.ended = true;
                log_.raised = in.get<std::uint32_t>() != 0;
                break;
            case RecordKind::failed:
            case RecordKind::begin:
                break;
        }
    }

 private:
    void read_op(const OpHead& head) {
        const auto number = static_cast<std::uint32_t>(log_.events.size());
        log_.items.push_back({Log::Item::Kind::event, number, 0});
        number_of_[head.event] = number;
        Event event;
        event.id = head.event;
        event.node = head.node;
        event.kind = head.kind;
        event.frame = head.frame;
        event.scope = head.scope;
        event.step = head.step;
        event.phase = static_cast<Phase>(head.phase);
        log_.events.push_back(std::move(event));
    }

    void read_value(Unpack& in) {
        const auto head = in.get<ValueHead>();
        Value value;
        value.dtype = static_cast<DType>(head.dtype);
        for (int k = 0; k < head.rank; ++k) value.shape.push_back(in.get<std::int64_t>());
        value.hash = head.hash;
        value.ordinal = log_.values++;
        const auto size = static_cast<std::size_t>(value.shape.count()) * size_of(value.dtype);
        if (head.kept && in.left() >= size) value.bytes = in.here();
        const auto event = number_of_.find(head.event);
        if (event == number_of_.end()) return;
        std::vector<Value>& outputs = log_.events[event->second].outputs;
        if (outputs.size() == head.output) outputs.push_back(std::move(value));
    }

    void read_graph(Unpack& in) {
        GraphMap map;
        map.id = in.get<GraphId>();
        map.frame = in.get<FrameId>();
        map.name = in.text();
        map.signature = in.text();
        for (auto n = in.get<std::uint64_t>(); n > 0 && in.left() > 0; --n) {
            CapturedNode node;
            node.id = in.get<NodeId>();
            node.parent = in.get<NodeId>();
            node.region = in.get<std::uint32_t>();
            node.frame = in.get<FrameId>();
            node.phase = static_cast<Phase>(in.get<std::uint32_t>());
            for (auto k = in.get<std::uint32_t>(); k > 0 && in.left() > 0; --k) {
                const auto final_node = in.get<NodeId>();
                node.outputs.push_back({final_node, in.get<std::uint32_t>()});
            }
            node.op = in.text();
            node.scope = in.text();
            map.captured.push_back(std::move(node));
        }
        for (auto n = in.get<std::uint64_t>(); n > 0 && in.left() > 0; --n) {
            const auto node = in.get<NodeId>();
            const auto parent = in.get<NodeId>();
            map.in_regions[node] = {parent, in.get<std::uint32_t>()};
        }
        for (auto n = in.get<std::uint64_t>(); n > 0 && in.left() > 0; --n) {
            std::vector<std::uint32_t>& members = map.members[in.get<NodeId>()];
            for (auto k = in.get<std::uint64_t>(); k > 0 && in.left() > 0; --k) {
                members.push_back(in.get<std::uint32_t>());
            }
        }
        for (auto n = in.get<std::uint64_t>(); n > 0 && in.left() > 0; --n) {
            Rewrite rewrite;
            rewrite.pass = in.text();
            rewrite.rule = in.text();
            rewrite.op = in.text();
            rewrite.frame = in.get<FrameId>();
            map.rewrites.push_back(std::move(rewrite));
        }
        log_.compiled.push_back(map.id);
        log_.graphs[map.id] = std::move(map);
    }

    Log& log_;
    std::unordered_map<EventId, std::uint32_t> number_of_;  // where an op event is
};

}  // namespace

const Frame& Log::frame(FrameId id) const {
    static const Frame none;
    const auto it = frames.find(id);
    return it == frames.end() ? none : it->second;
}

const std::string& Log::kind(KindId id) const {
    static const std::string none = "?";
    const auto it = kinds.find(id);
    return it == kinds.end() ? none : it->second;
}

const std::string& Log::scope(ScopeId id) const {
    static const std::string none;
    const auto it = scopes.find(id);
    return it == scopes.end() ? none : it->second;
}

std::vector<Rewrite> Log::rewrites_of(const std::string& pass) const {
    std::vector<Rewrite> list;
    for (const GraphId id : compiled) {
        for (const Rewrite& rewrite : graphs.at(id).rewrites) {
            if (rewrite.pass == pass) list.push_back(rewrite);
        }
    }
    return list;
}

Log read_log(int file) {
    Log log;
    struct stat status {};
    if (::fstat(file, &status) != 0) throw std::runtime_error(std::string("a run's log: ") + std::strerror(errno));
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return log;
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) throw std::runtime_error(std::string("a run's log: ") + std::strerror(errno));
    log.memory = std::shared_ptr<const void>(at, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
    const char* const data = static_cast<const char*>(at);
    RecordHead head{};
    std::memcpy(&head, data, std::min(size, sizeof head));
    if (head.kind == RecordKind::failed) {
        log.failed = static_cast<int>(head.zero);
        return log;
    }
    Reader reader(log);
    for (std::size_t offset = 0; size - offset >= sizeof head;) {
        std::memcpy(&head, data + offset, sizeof head);
        offset += sizeof head;
        if (head.size > size - offset) break;  // cut short by a kill
        reader.read(head, data + offset);
        offset += std::min(padded(head.size), size - offset);
    }
    return log;
}

}  // namespace fusescope::check
