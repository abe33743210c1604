#include "probe/function_type.h"

#include <bpf/btf.h>
#include <fmt/format.h>

#include <memory>
#include <vector>

namespace kcost::probe {
namespace {

// Arguments beyond these are on the stack, where a probe on registers does not see them.
#if defined(__x86_64__)
constexpr unsigned kRegisterArguments = 6;
#else
constexpr unsigned kRegisterArguments = 8;
#endif

std::vector<model::Operand> operands_of(const model::HotPath& target) {
    std::vector<model::Operand> operands;
    for (const model::Condition& condition : target.when) operands.push_back(condition.operand);
    if (target.split.value) operands.push_back(*target.split.value);
    if (target.split.minus) operands.push_back(*target.split.minus);
    return operands;
}

const btf_type* prototype_of(const btf* types, const std::string& function) {
    int id = btf__find_by_name_kind(types, function.c_str(), BTF_KIND_FUNC);
    if (id < 0) return nullptr;
    return btf__type_by_id(types, btf__type_by_id(types, static_cast<__u32>(id))->type);
}

struct BtfDeleter {
    void operator()(btf* types) const { btf__free(types); }
};

Error refuse(const std::string& function, const std::string& why) {
    return {"cannot test " + function + ": " + why, "name an argument that it has, from arg0 on",
            ExitCode::kUsage};
}

}  // namespace

bool has_operands(const model::HotPath& target) { return !operands_of(target).empty(); }

Result<void> check_operands(const model::HotPath& target, const std::string& function) {
    std::unique_ptr<btf, BtfDeleter> types;
    if (target.user_path.empty()) types.reset(btf__load_vmlinux_btf());
    const btf_type* prototype = types ? prototype_of(types.get(), function) : nullptr;
    for (const model::Operand& operand : operands_of(target)) {
        if (operand.is_return) {
            if (prototype && prototype->type == 0) {
                return tl::unexpected(refuse(function, "it returns nothing"));
            }
            continue;
        }
        unsigned count = prototype ? btf_vlen(prototype) : kRegisterArguments;
        if (operand.argument < count) continue;
        return tl::unexpected(refuse(
            function, fmt::format("there is no arg{}: {} {}", operand.argument,
                                  prototype ? "its arguments are" : "registers pass only", count)));
    }
    return {};
}

}  // namespace kcost::probe
