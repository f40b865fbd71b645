// Anchor of TableModel's meta object.
#include "gui/models/table_model.hpp"
