// ops.csv: one row per op event, RFC 4180.
#include "profiler/export/exporter.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/report/format.hpp"

namespace fusescope {

namespace {

void put_field(std::string& row, std::string_view text) {
    if (!row.empty()) row += ',';
    const std::string field = report::valid_utf8(text);
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        row += field;
        return;
    }
    row += '"';
    for (const char c : field) {
        if (c == '"') row += '"';
        row += c;
    }
    row += '"';
}

void put_field(std::string& row, std::int64_t number) { put_field(row, std::to_string(number)); }

void write_ops_csv(Database& database, Sink& sink) {
    sink << "id,step,op,mode,device,stream,thread,phase,clock,launch_ns,start_ns,duration_ns,bytes_read,bytes_written,"
            "flops,node_id,file,line,scope\r\n";
    std::int64_t last_id = 0;
    while (true) {
        const auto page = query::op_events(database, {}, last_id, 10000);
        if (page.empty()) return;
        for (const query::OpEventInfo& event : page) {
            last_id = event.id;
            std::string row;
            put_field(row, event.id);
            put_field(row, event.step);
            put_field(row, event.name);
            put_field(row, event.mode);
            put_field(row, event.device);
            put_field(row, event.stream);
            put_field(row, event.thread);
            put_field(row, event.phase);
            put_field(row, name_of(event.clock));
            put_field(row, event.launch_ns);
            put_field(row, event.start_ns);
            put_field(row, event.duration_ns);
            put_field(row, event.bytes_read);
            put_field(row, event.bytes_written);
            put_field(row, event.flops);
            put_field(row, event.node_id == 0 ? "" : std::to_string(event.node_id));
            put_field(row, event.path);
            put_field(row, event.path.empty() ? "" : std::to_string(event.line));
            put_field(row, event.scope);
            sink << row << "\r\n";
        }
    }
}

}  // namespace

Exporter exporter_ops_csv() { return {"ops.csv", "one row per op execution, for spreadsheets", write_ops_csv}; }

}  // namespace fusescope
