// The thread that owns the database while recording.
#include "profiler/write/writer.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "profiler/db/process_identity.hpp"
#include "profiler/write/fatal_signal.hpp"
#include "profiler/write/finding_row.hpp"
#include "profiler/write/source_text.hpp"
#include "profiler/write/target_file.hpp"

namespace fusescope {

namespace {

constexpr auto kBatchInterval = std::chrono::milliseconds(50);
constexpr std::size_t kReserve = 96 * 1024;  // more than the last transaction of a run that stopped early needs
constexpr std::size_t kBatchRows = 16384;    // so that a batch under full load takes a few hundredths of a second

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t unix_now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string json_text(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void begin_run(Database& database, const RunInfo& run) {
    create_schema(database);
    database.execute("PRAGMA journal_mode=WAL");
    database.execute("PRAGMA wal_autocheckpoint=4000");
    Transaction transaction(database);
    Inserter insert(database);
    RunRow row;
    row.script = run.script;
    row.arguments = json_text(run.arguments);
    row.mode = run.mode;
    row.device = run.device;
    row.status = "running";
    row.started_unix_ns = unix_now_ns();
    row.started_ns = now_ns();
    row.rank = run.rank;
    row.options = json_text(nlohmann::json(run.options));
    insert(row);
    insert(MetaRow{"creator", "fusescope"});
    insert(MetaRow{"writer", process_identity(getpid())});
    transaction.commit();
}

Database made_database(const std::string& path, const RunInfo& run) {
    clear_target_file(path);
    try {
        Database database = Database::create(path);
        // A process that is killed loses nothing that it has written to a file: syncing guards against the end of the
        // whole machine only. Even once at the end it cost 35 ms of 40 on a busy disk, so it is left to the system, as
        // compilers leave it.
        database.execute("PRAGMA synchronous=OFF");
        begin_run(database, run);
        return database;
    } catch (...) {
        // A profile without its first row is of no use to anybody, least of all on a disk that is full.
        remove_profile_files(path);
        throw;
    }
}

}  // namespace

Writer::Writer(const std::string& path, const RunInfo& run, EventQueue& events, SideQueue& side)
    : events_(events),
      side_(side),
      database_(made_database(path, run)),
      reserve_(path, kReserve),
      insert_(database_),
      graphs_(insert_) {
    std::error_code error;
    directory_ = std::filesystem::current_path(error).string();
    changes_at_start_ = database_.total_changes();
}

void Writer::start() { thread_ = std::thread(&Writer::loop, this); }

void Writer::loop() {
    block_fatal_signals_here();
    while (true) {
        std::uint64_t flush_asked;
        bool stop;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, kBatchInterval, [&] { return stop_ || flush_asked_ != flush_done_; });
            stop = stop_;
            flush_asked = flush_asked_;
        }
        const int signal = signal_.load(std::memory_order_acquire);
        if (signal != 0) events_.stop();
        while (true) {
            bool failed = !error().empty();
            std::size_t rows = 0;
            if (failed) {
                discard_batch();
            } else {
                try {
                    rows = write_batch();
                } catch (const std::exception& why) {
                    fail(why);
                    continue;
                }
            }
            if (rows < kBatchRows) break;
        }
        if (stop || signal != 0) end();
        {
            std::lock_guard lock(mutex_);
            flush_done_ = flush_asked;
            if (signal != 0) stop_ = true;
        }
        flushed_.notify_all();
        if (stop || signal != 0) return;
    }
}

void Writer::end() {
    const int signal = signal_.load();
    if (signal != 0) {
        status_ = "killed";
        exit_code_ = 128 + signal;
    }
    try {
        end_run(status_, exit_code_);
    } catch (const std::exception& why) {
        if (error().empty()) fail(why);
    }
    if (when_ended_) when_ended_();
}

void Writer::fail(const std::exception& why) noexcept {
    events_.stop();
    try {
        std::lock_guard lock(mutex_);
        error_ = fmt::format("recording stopped: {}. What was recorded until then is kept", why.what());
    } catch (...) {  // not even memory for the message
    }
}

std::size_t Writer::drain(std::vector<std::shared_ptr<Producer>>& producers, std::vector<Producer::Mark>& marks) {
    std::size_t rows = 0;
    OpEventRow op;
    TransferRow transfer;
    MemoryRow memory;
    TensorRow tensor;
    Shape shape;
    auto take = [&](RecordType type, const std::byte* payload) {
        switch (type) {
            case RecordType::op:
                std::memcpy(static_cast<OpEvent*>(&op), payload, sizeof(OpEvent));
                longest_op_ns_ = std::max(longest_op_ns_, op.duration_ns);
                insert_(op);
                break;
            case RecordType::transfer:
                std::memcpy(static_cast<TransferEvent*>(&transfer), payload, sizeof(TransferEvent));
                transfer.id = next_transfer_++;
                longest_transfer_ns_ = std::max(longest_transfer_ns_, transfer.duration_ns);
                insert_(transfer);
                break;
            case RecordType::memory:
                std::memcpy(static_cast<MemoryEvent*>(&memory), payload, sizeof(MemoryEvent));
                memory.id = next_memory_++;
                insert_(memory);
                break;
            case RecordType::tensor: {
                TensorRecord record;
                std::memcpy(&record, payload, sizeof record);
                std::unique_ptr<std::byte[]> value(record.value);
                static_cast<TensorHealth&>(tensor) = record.health;
                tensor.id = next_tensor_++;
                shape.resize(record.rank);
                std::memcpy(shape.data(), payload + sizeof record, record.rank * sizeof(std::int64_t));
                tensor.shape = to_string(shape);
                tensor.value = {value.get(), record.value_bytes};
                insert_(tensor);
                break;
            }
        }
    };
    for (std::size_t i = 0; i < producers.size() && rows < kBatchRows; ++i) {
        bool closed = producers[i]->closed.load(std::memory_order_acquire);
        Producer::Mark end = closed ? producers[i]->mark() : marks[i];
        std::size_t room = kBatchRows - rows;
        std::size_t given = producers[i]->drain(end, room, take);
        rows += given;
        if (closed && given < room) events_.forget(producers[i]);
    }
    return rows;
}

std::size_t Writer::write_batch() {
    std::vector<std::shared_ptr<Producer>> producers = events_.producers();
    std::vector<Producer::Mark> marks;
    for (const auto& producer : producers) marks.push_back(producer->mark());
    // The definitions are taken after the marks: so they include all that events up to the marks name.
    std::vector<SideItem> items = side_.take();
    bool nothing = items.empty();
    for (const auto& producer : producers) {
        nothing = nothing && producer->drained() && !producer->closed.load(std::memory_order_acquire);
    }
    if (nothing) return 0;

    Transaction transaction(database_);
    for (const SideItem& item : items) {
        std::visit([this](const auto& each) { write(each); }, item);
    }
    std::size_t rows = drain(producers, marks);
    transaction.commit();
    return rows;
}

void Writer::discard_batch() {
    side_.take();
    for (const auto& producer : events_.producers()) {
        producer->drain(producer->mark(), ~std::size_t{0}, [](RecordType type, const std::byte* payload) {
            if (type != RecordType::tensor) return;
            TensorRecord record;
            std::memcpy(&record, payload, sizeof record);
            delete[] record.value;
        });
    }
}

std::int64_t Writer::source_of(const std::string& path) {
    if (path.empty()) return 0;
    auto [found, is_new] = sources_.try_emplace(path, static_cast<std::int64_t>(sources_.size()) + 1);
    if (is_new) {
        source_paths_.push_back(path);
        SourceText text = read_source_text(directory_, path);
        source_texts_.push_back(text.text.value_or(std::string()));
        insert_(SourceRow{found->second, path, std::move(text.text), std::move(text.note)});
    }
    return found->second;
}

std::string_view Writer::line_of(std::int64_t source, std::int64_t line) const {
    if (source <= 0) return {};
    std::string_view rest = source_texts_[static_cast<std::size_t>(source) - 1];
    for (; line > 1 && !rest.empty(); --line) {
        const std::size_t end = rest.find('\n');
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return rest.substr(0, rest.find('\n'));
}

void Writer::write(const FrameDefinition& frame) {
    std::int64_t source = source_of(frame.path);
    frames_[frame.id] = {source, frame.line};
    insert_(FrameRow{frame.id, frame.parent, source, frame.line, frame.function});
}

void Writer::write(const ScopeDefinition& scope) { insert_(ScopeRow{scope.id, scope.path}); }
void Writer::write(const KindDefinition& kind) { insert_(KindRow{kind.id, kind.name}); }
void Writer::write(const std::shared_ptr<const GraphSnapshot>& graph) { graphs_.write(*graph); }
void Writer::write(const GraphBreakNote& note) {
    insert_(GraphBreakRow{next_break_++, note.graph, note.frame, note.reason});
}

void Writer::write(const Finding& finding) {
    // A loop leaves its graph at one line again and again: table graph_break counts that.
    if (finding.kind == FindingKind::graph_break &&
        !break_findings_.insert({finding.frame, finding.arguments}).second) {
        return;
    }
    auto place = [this](FrameId frame) {
        FindingPlace result;
        if (auto found = frames_.find(frame); found != frames_.end()) {
            result.line = found->second.line;
            if (found->second.source > 0)
                result.file = source_paths_[static_cast<std::size_t>(found->second.source) - 1];
            result.name = assigned_name(line_of(found->second.source, found->second.line));
        }
        return result;
    };
    if (finding.key == 0) {
        insert_(finding_row(next_finding_++, finding, place));
        return;
    }
    const auto [known, fresh] = keyed_findings_.try_emplace(finding.key, next_finding_);
    if (fresh) {
        insert_(finding_row(next_finding_++, finding, place));
    } else {
        insert_.replace(finding_row(known->second, finding, place));
    }
}

void Writer::write(const OutputNote& note) { insert_(OutputRow{next_output_++, note.stream, note.time_ns, note.text}); }

void Writer::flush() {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable() || stop_) return;
    std::uint64_t mine = ++flush_asked_;
    wake_.notify_all();
    flushed_.wait(lock, [&] { return flush_done_ >= mine || stop_; });
}

void Writer::finish(std::string_view status, int exit_code) {
    {
        std::lock_guard lock(mutex_);
        if (!stop_) {
            status_ = status;
            exit_code_ = exit_code;
        }
        stop_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Writer::end_run(std::string_view status, int exit_code) {
    bool failed = !error().empty();
    if (!failed) {
        try {
            write_end(status, exit_code, true);
        } catch (const std::exception& why) {
            fail(why);
            failed = true;
        }
    }
    if (failed) {
        reserve_.release();
        try {
            write_end(status, exit_code, false);
        } catch (const DatabaseError&) {
            // Without a reserve: move what the log holds into the file, so that the log's space serves for the end.
            database_.execute("PRAGMA wal_checkpoint(RESTART)");
            write_end(status, exit_code, false);
        }
    }
    reserve_.release();
    insert_.release();
    // Only somebody who is reading the profile right now makes this wait; the window lets go after each look.
    database_.finish_as_plain_file(10000);
}

void Writer::write_end(std::string_view status, int exit_code, bool whole) {
    std::map<std::string, std::uint64_t> counts;
    {
        std::lock_guard lock(mutex_);
        counts = counts_;
    }
    if (std::uint64_t dropped = events_.dropped()) counts["dropped_events"] += dropped;
    // Every row but those with an id that was there already; transactions that failed have stopped the recording.
    std::int64_t ignored = insert_.rows() - (database_.total_changes() - changes_at_start_);
    if (whole && ignored > 0) counts["ignored_rows"] += static_cast<std::uint64_t>(ignored);
    Transaction transaction(database_);
    for (const auto& [key, number] : counts) insert_(MetaRow{key, std::to_string(number)});
    insert_(MetaRow{"longest_op_ns", std::to_string(longest_op_ns_)});
    insert_(MetaRow{"longest_transfer_ns", std::to_string(longest_transfer_ns_)});
    if (whole) {
        for (const std::string& sql : create_index_sql()) database_.execute(sql);
    } else {
        insert_(MetaRow{"recording_stopped", error()});
    }
    database_.execute("DELETE FROM meta WHERE key = 'writer'");
    Statement end = database_.prepare("UPDATE run SET status = ?1, exit_code = ?2, ended_ns = ?3 WHERE id = 1");
    end.bind_all(status, exit_code, now_ns());
    end.run();
    transaction.commit();
}

std::string Writer::error() const {
    std::lock_guard lock(mutex_);
    return error_;
}

void Writer::count(const std::string& key, std::uint64_t more) {
    std::lock_guard lock(mutex_);
    counts_[key] += more;
}

}  // namespace fusescope
