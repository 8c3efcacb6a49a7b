// Precompiled: pybind11 and the standard headers that every file of the boundary includes.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>
