#include "kernel/missing_function.h"

#include <filesystem>

#include "kernel/kallsyms_line.h"

namespace kcost::kernel {
namespace {

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Error cannot_here(std::string what, std::string hint) {
    return Error{std::move(what), std::move(hint), ExitCode::kCannotHere};
}

}  // namespace

Error missing_function(const Root& root, const std::string& name) {
    const QualifiedName wanted = qualified(name);
    if (wanted.module.empty()) {
        return cannot_here("this kernel has no function " + name,
                           "it may be inlined, in a module that is not loaded, or spelt otherwise: "
                           "see /proc/kallsyms");
    }
    const std::string module(wanted.module);
    const std::string function(wanted.name);
    const std::string folder = root.at("/sys/module/" + module);
    // Only what can be loaded has a state.
    if (exists(folder + "/initstate")) {
        return cannot_here("module " + module + " has no function " + function,
                           "see /proc/kallsyms");
    }
    if (exists(folder)) {
        return cannot_here(module + " is built in: it is no module of this kernel",
                           "leave it out: -t " + function);
    }
    return cannot_here("module " + module + " is not loaded", "modprobe " + module);
}

}  // namespace kcost::kernel
