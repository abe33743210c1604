#include "patch/subject.h"

#include <utility>

#include "kernel/facts.h"
#include "kernel/kernel_image.h"
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

void take_types(Subject& subject, Result<kernel::Btf> types) {
    if (types) {
        subject.types = std::move(*types);
    } else {
        subject.no_types = types.error();
    }
}

}  // namespace

Result<Subject> read_running_kernel(const kernel::Root& root,
                                    const std::vector<std::string>& data_symbols) {
    auto text = kernel::read_kernel_text(root);
    if (!text) {
        Error error = text.error();
        if (error.hint.empty()) error.hint = "name a kernel's file: kcost patches --image FILE";
        return tl::unexpected(error);
    }
    auto addresses = kernel::find_data(root, data_symbols);
    if (!addresses) return tl::unexpected(addresses.error());
    Subject subject;
    subject.kernel = std::move(*text);
    for (std::size_t i = 0; i < data_symbols.size(); i++) {
        if (addresses->at(i) != 0) subject.data[data_symbols[i]] = addresses->at(i);
    }
    take_types(subject, kernel::Btf::read(root));
    subject.livepatched = livepatched_functions(root);
    subject.asked.release = kernel::read_fact(root, "/proc/sys/kernel/osrelease");
    return subject;
}

Result<Subject> read_image(const std::string& path, const std::string& system_map,
                           const std::vector<std::string>& data_symbols) {
    auto image = kernel::read_kernel_image(path, system_map);
    if (!image) return tl::unexpected(image.error());
    auto text = kernel::text_of(*image);
    if (!text) return tl::unexpected(text.error());
    Subject subject;
    subject.kernel = std::move(*text);
    for (const std::string& name : data_symbols) {
        const std::uint64_t address = kernel::address_of(*image, name);
        if (address != 0) subject.data[name] = address;
    }
    take_types(subject, kernel::types_of(*image));
    subject.asked = {path, image->release};
    return subject;
}

}  // namespace kcost::patch
