// Prints the documentation page of the profile database, which follows from the descriptions of its tables.
#include <cstdio>

#include "profiler/schema/schema.hpp"

int main() {
    std::fputs(fusescope::schema_markdown().c_str(), stdout);
    return 0;
}
