#include "patch/subject.h"

#include <utility>

#include "kernel/facts.h"
#include "kernel/symbol_lookup.h"

namespace kcost::patch {
namespace {

// PATCH/vmlinux/FUNCTION,POSITION, as Documentation/ABI/testing/sysfs-kernel-livepatch has it.
std::set<std::string> livepatched_functions(const kernel::Root& root) {
    const std::string folder = "/sys/kernel/livepatch";
    std::set<std::string> functions;
    for (const std::string& patch : kernel::list_folder(root, folder)) {
        for (const std::string& name :
             kernel::list_folder(root, folder + "/" + patch + "/vmlinux")) {
            functions.insert(name.substr(0, name.find(',')));
        }
    }
    return functions;
}

}  // namespace

Result<Subject> read_running_kernel(const kernel::Root& root,
                                    const std::vector<std::string>& data_symbols) {
    auto text = kernel::read_kernel_text(root);
    if (!text) return tl::unexpected(text.error());
    auto addresses = kernel::find_data(root, data_symbols);
    if (!addresses) return tl::unexpected(addresses.error());
    Subject subject;
    subject.kernel = std::move(*text);
    for (std::size_t i = 0; i < data_symbols.size(); i++) {
        if (addresses->at(i) != 0) subject.data[data_symbols[i]] = addresses->at(i);
    }
    auto types = kernel::Btf::read(root);
    if (types) {
        subject.types = std::move(*types);
    } else {
        subject.no_types = types.error();
    }
    subject.livepatched = livepatched_functions(root);
    return subject;
}

}  // namespace kcost::patch
