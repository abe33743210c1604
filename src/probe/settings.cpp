#include "probe/settings.h"

#include <array>
#include <utility>

#include "kernel/run_queue.h"

namespace kcost::probe {
namespace {

std::uint8_t operator_code(const std::string& op) {
    constexpr std::array<std::pair<const char*, kc_operator>, 6> kOperators = {{
        {"==", KC_OP_EQ},
        {"!=", KC_OP_NE},
        {"<", KC_OP_LT},
        {"<=", KC_OP_LE},
        {">", KC_OP_GT},
        {">=", KC_OP_GE},
    }};
    for (const auto& [text, code] : kOperators) {
        if (op == text) return code;
    }
    return KC_OP_NONE;
}

std::uint8_t operand_code(const model::Operand& operand) {
    return operand.is_return ? KC_OPERAND_RETURN : static_cast<std::uint8_t>(operand.argument);
}

Result<void> set_conditions(const model::HotPath& target, kc_settings& settings) {
    for (const model::Condition& condition : target.when) {
        kc_condition& place =
            condition.operand.is_return ? settings.exit_when : settings.entry_when;
        if (place.op != KC_OP_NONE) {
            return fail("cannot measure " + target.name +
                            ": more than one condition on an argument, or on the result",
                        "give one of each: when=arg4!=0,when=return==1", ExitCode::kUsage);
        }
        place.value = condition.value;
        place.operand = operand_code(condition.operand);
        place.op = operator_code(condition.op);
    }
    return {};
}

void set_split(const model::Split& split, kc_settings& settings) {
    if (split.by_caller) settings.flags |= KC_FLAG_SPLIT_CALLER;
    if (split.value) settings.split_operand = operand_code(*split.value);
    if (split.minus) settings.split_minus = operand_code(*split.minus);
    if (split.by_caller || split.value) settings.splits = KC_SPLITS;
}

}  // namespace

Result<kc_settings> make_settings(const Plan& plan, std::size_t index,
                                  const SettingsContext& context) {
    const PlannedSite& site = plan.sites[index];
    kc_settings settings = {};
    settings.function_address = site.place.address;
    settings.target = static_cast<std::uint32_t>(index);
    settings.within = site.gate ? static_cast<std::uint32_t>(*site.gate) : KC_NO_TARGET;
    settings.cpus = context.cpus;
    settings.splits = 1;
    settings.set_mask = context.sets - 1;
    settings.split_operand = KC_OPERAND_NONE;
    settings.split_minus = KC_OPERAND_NONE;
    if (!site.target || context.payers_one_in == 0) {
        settings.flags |= KC_FLAG_NO_PAYERS;
    } else {
        settings.payer_mask = context.payers_one_in - 1;
    }
    if (!site.target) return settings;

    const model::HotPath& target = plan.targets[*site.target];
    if (site.count_only) settings.flags |= KC_FLAG_COUNT_ONLY;
    // Also where the user names such a function himself.
    if (target.run_queue_lock || kernel::runs_under_run_queue_lock(site.place.function)) {
        settings.flags |= KC_FLAG_NO_STACKS;
    }
    if (!target.user_path.empty()) settings.flags |= KC_FLAG_USER_STACK | KC_FLAG_ATOMIC;
    if (site.place.frame_record) settings.flags |= KC_FLAG_FRAME_RECORD;
    auto conditions = set_conditions(target, settings);
    if (!conditions) return tl::unexpected(conditions.error());
    set_split(target.split, settings);
    return settings;
}

}  // namespace kcost::probe
