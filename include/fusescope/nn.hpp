// Networks: Cells, layers, losses and optimizers.
#pragma once

#include "fusescope/nn/cell.hpp"
#include "fusescope/nn/layers.hpp"
#include "fusescope/nn/losses.hpp"
#include "fusescope/nn/optimizers.hpp"
