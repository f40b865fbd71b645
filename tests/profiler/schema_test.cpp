// The schema keeps the contract that scripts and saved files rely on.
#include "profiler/schema/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "profiler/db/database.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope {
namespace {

using ::testing::HasSubstr;

// Table and its columns, as promised. Names may be added here, never removed.
const std::map<std::string, std::string> kContract = {
    {"meta", "key value"},
    {"run", "id script arguments mode device started_unix_ns ended_ns status rank"},
    {"source", "id path text"},
    {"frame", "id parent_id source_id line function"},
    {"op_kind", "id name"},
    {"op_event",
     "id run_id step kind_id node_id frame_id mode device stream launch_ns start_ns duration_ns clock bytes_read "
     "bytes_written flops"},
    {"transfer", "id run_id kind bytes start_ns duration_ns clock pinned reason frame_id op_event_id"},
    {"memory_event", "id device time_ns delta_bytes total_bytes op_event_id"},
    {"graph", "id name signature frame_id compile_start_ns compile_ns"},
    {"stage", "id graph_id ordinal pass duration_ns changed text"},
    {"node", "id stage_id name op attributes dtype shape scope frame_id flops bytes"},
    {"edge", "stage_id source_node source_output target_node target_input"},
    {"origin", "node_id from_node_id"},
    {"graph_break", "id graph_id frame_id reason"},
    {"tensor", "id op_event_id output dtype shape count nan inf zero min max mean std first_bad_index value"},
    {"finding", "id kind severity op_event_id frame_id message detail"},
    {"output", "id stream time_ns text"},
};

std::set<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::set<std::string> all;
    for (std::string word; stream >> word;) all.insert(word);
    return all;
}

TEST(Schema, HasEveryTableAndColumnOfTheContract) {
    std::map<std::string, const TableDescription*> tables;
    for (const TableDescription* table : schema_tables()) tables[table->name] = table;
    for (const auto& [name, columns] : kContract) {
        ASSERT_TRUE(tables.contains(name)) << name;
        EXPECT_TRUE(tables[name]->in_contract) << name;
        std::set<std::string> promised;
        for (const ColumnDescription& column : tables[name]->columns) {
            if (column.in_contract) promised.insert(column.name);
        }
        EXPECT_EQ(promised, words(columns)) << name;
    }
    for (const auto& [name, table] : tables) EXPECT_EQ(table->in_contract, kContract.contains(name)) << name;
}

TEST(Schema, EveryTableAndColumnIsExplained) {
    for (const TableDescription* table : schema_tables()) {
        EXPECT_TRUE(table->meaning.ends_with('.')) << table->name;
        for (const ColumnDescription& column : table->columns) {
            EXPECT_TRUE(column.meaning.ends_with('.')) << table->name << '.' << column.name;
        }
    }
    std::string page = schema_markdown();
    EXPECT_THAT(page, HasSubstr("## op_event\n"));
    EXPECT_THAT(page, HasSubstr("## scope +\n"));
    EXPECT_THAT(page, HasSubstr("| `duration_ns` | INTEGER | Time it took on the device, by `clock`. |"));
    EXPECT_THAT(page, HasSubstr("application_id = 0x46534350"));
}

TEST(Schema, HelpPageIsUpToDate) {
    std::ifstream stream(FUSESCOPE_SOURCE_DIR "/resources/help/profile_format.md");
    std::string page{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(page, schema_markdown()) << "run bin/profile_format_page > resources/help/profile_format.md";
}

TEST(Schema, FilesHaveTheTablesThatAreDescribed) {
    testing::TemporaryFolder folder;
    Database db = Database::open_readonly(testing::write_sample_profile(folder.path));
    EXPECT_EQ(db.integer("PRAGMA application_id"), 0x46534350);
    EXPECT_EQ(db.integer("PRAGMA user_version"), 1);
    for (const TableDescription* table : schema_tables()) {
        Statement columns = db.prepare("SELECT name, type FROM pragma_table_info(?1)");
        columns.bind_all(table->name);
        std::size_t number = 0;
        while (columns.step()) {
            ASSERT_LT(number, table->columns.size());
            EXPECT_EQ(columns.text(0), table->columns[number].name);
            EXPECT_EQ(columns.text(1), table->columns[number].type);
            ++number;
        }
        EXPECT_EQ(number, table->columns.size()) << table->name;
    }
    EXPECT_GT(db.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name LIKE 'op_event%'"), 2);
}

}  // namespace
}  // namespace fusescope
