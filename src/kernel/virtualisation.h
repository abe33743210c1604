// Whether this is a virtual machine, whose, and whether its CPU is emulated, so that time there
// says nothing about hardware.
#pragma once

#include <string>

#include "kernel/root.h"

namespace kcost::kernel {

struct Virtualisation {
    std::string hypervisor;  ///< "none seen", or its name
    std::string emulated;    ///< "yes", "likely", "no" or "unknown"
    std::string reason;      ///< what says so
};

Virtualisation read_virtualisation(const Root& root);

}  // namespace kcost::kernel
