#include "model/hot_path.h"

#include <gtest/gtest.h>

#include <set>

namespace kcost::model {
namespace {

HotPath parsed(const char* text) {
    auto path = parse_target(text);
    EXPECT_TRUE(path) << text << ": " << (path ? "" : path.error().what);
    return path ? *path : HotPath{};
}

using Refusals = std::vector<std::pair<std::string, std::string>>;

void expect_refused(const Refusals& cases) {
    for (const auto& [text, what] : cases) {
        const auto path = parse_target(text);
        ASSERT_FALSE(path) << text;
        EXPECT_EQ(path.error().what, what);
        EXPECT_EQ(path.error().code, ExitCode::kUsage);
        EXPECT_FALSE(path.error().hint.empty()) << text;
    }
}

TEST(HotPath, BuiltInOnesAreNamedOnceAndParse) {
    std::set<std::string> names, defaults;
    for (const HotPath& row : built_in_hot_paths()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(row.built_in);
        EXPECT_FALSE(row.summary.empty());
        EXPECT_EQ(row.functions.empty(), row.operation.has_value()) << row.name;
        EXPECT_EQ(parsed(row.name.c_str()).functions, row.functions);
        EXPECT_EQ(parsed(row.name.c_str()).operation.has_value(), row.operation.has_value());
        EXPECT_FALSE(is_instruction(row));
        if (!row.only_by_name) defaults.insert(row.name);
    }
    EXPECT_EQ(names, (std::set<std::string>{"icache-flush", "caches_clean_inval_pou",
                                            "flush_tlb_page", "tlbi-broadcast", "tlbi-local",
                                            "page-reuse", "context-switch", "uretprobe-alloc"}));
    EXPECT_EQ(defaults, (std::set<std::string>{"icache-flush", "flush_tlb_page", "context-switch",
                                               "uretprobe-alloc"}));
}

TEST(HotPath, OperationsAreOfAScope) {
    const HotPath page = parsed("flush_tlb_page");
    EXPECT_TRUE(page.operation->broadcast && page.operation->one_page);
    EXPECT_TRUE(page.never_preempted);
    const HotPath broadcast = parsed("tlbi-broadcast");
    EXPECT_TRUE(broadcast.operation->broadcast && !broadcast.operation->one_page);
    const HotPath local = parsed("tlbi-local");
    EXPECT_FALSE(local.operation->broadcast || local.operation->one_page);
    for (const HotPath& path : {page, broadcast, local}) {
        EXPECT_EQ(path.operation->in, "");
        EXPECT_EQ(path.mechanism, "");
        EXPECT_FALSE(path.blind_spot.empty());
    }
}

TEST(HotPath, CacheMaintenanceTakesBreakpointsOnly) {
    const HotPath path = parsed("caches_clean_inval_pou");
    EXPECT_EQ(path.mechanism, "hwbreak");
    EXPECT_EQ(path.functions.front(), "caches_clean_inval_pou");
    EXPECT_TRUE(path.split.by_caller);
    EXPECT_EQ(parsed("caches_clean_inval_pou,by=kprobe").mechanism, "kprobe");
}

TEST(HotPath, PageReuseIsWhatFlushes) {
    const HotPath path = parsed("page-reuse");
    EXPECT_EQ(describe_settings(path), "when arg4 != 0 and return == 1");
    EXPECT_FALSE(path.operation);
}

TEST(HotPath, KindsOfTarget) {
    EXPECT_EQ(parsed("vfs_read").functions, std::vector<std::string>{"vfs_read"});
    EXPECT_EQ(parsed(" foo.isra.0 ").name, "foo.isra.0");
    EXPECT_EQ(parsed("virtio_net:start_xmit").functions,
              std::vector<std::string>{"virtio_net:start_xmit"});
    const HotPath path = parsed("./a:b/server:_ZN3fooEv");
    EXPECT_EQ(path.user_path, "./a:b/server");
    EXPECT_EQ(path.functions, std::vector<std::string>{"_ZN3fooEv"});
    EXPECT_FALSE(path.built_in);
}

TEST(HotPath, Settings) {
    const HotPath path =
        parsed("f, within=g , when=arg4 != 0x10, when=return<=1, split=arg1-arg0, split=caller");
    EXPECT_EQ(path.within, std::vector<std::string>{"g"});
    ASSERT_EQ(path.when.size(), 2u);
    EXPECT_EQ(path.when[0].operand.argument, 4u);
    EXPECT_EQ(path.when[0].op, "!=");
    EXPECT_EQ(path.when[0].value, 16u);
    EXPECT_TRUE(path.when[1].operand.is_return);
    EXPECT_EQ(path.when[1].op, "<=");
    EXPECT_TRUE(path.split.by_caller);
    EXPECT_EQ(path.split.value->argument, 1u);
    EXPECT_EQ(path.split.minus->argument, 0u);
    EXPECT_EQ(path.split.value_name, "arg1-arg0");
    EXPECT_EQ(describe_settings(path),
              "when arg4 != 16 and return <= 1, within g, split by caller and arg1-arg0");
    EXPECT_EQ(describe_settings(parsed("f")), "");
    EXPECT_TRUE(parsed("f,split=return").split.value->is_return);
    for (const char* op : {"==", "!=", "<", "<=", ">", ">="})
        EXPECT_EQ(parsed((std::string("f,when=arg0") + op + "1").c_str()).when[0].op, op);
}

TEST(HotPath, Mechanisms) {
    EXPECT_EQ(parsed("f").mechanism, "");
    for (const std::string mechanism : {"fentry", "kprobe", "hwbreak"}) {
        EXPECT_EQ(parsed(("f,by=" + mechanism).c_str()).mechanism, mechanism);
        EXPECT_EQ(parsed(("icache-flush, by = " + mechanism).c_str()).mechanism, mechanism);
    }
    const HotPath path = parsed("mod:f,by=hwbreak,when=arg0==1,split=return,within=g");
    EXPECT_EQ(path.mechanism, "hwbreak");
    EXPECT_EQ(path.when.size(), 1u);
}

TEST(HotPath, OperationsInAFunction) {
    const HotPath path = parsed("flush_tlb_page,in=do_wp_page,split=caller,within=g");
    EXPECT_EQ(path.operation->in, "do_wp_page");
    EXPECT_EQ(path.name, "flush_tlb_page,in=do_wp_page,split=caller,within=g");
    EXPECT_TRUE(path.functions.empty());
    EXPECT_EQ(describe_settings(path), "within g, in do_wp_page, split by caller");
    EXPECT_EQ(parsed("tlbi-local,in=f.isra.0").operation->in, "f.isra.0");
    EXPECT_EQ(parsed("tlbi-broadcast , in = f").operation->in, "f");
    EXPECT_EQ(describe_settings(parsed("tlbi-broadcast")), "");
}

TEST(HotPath, Instructions) {
    const HotPath amid = parsed(" schedule+0x1c ,by=kprobe,split=caller");
    EXPECT_TRUE(is_instruction(amid));
    EXPECT_EQ(amid.functions, std::vector<std::string>{"schedule"});
    EXPECT_EQ(amid.offset, 0x1cu);
    EXPECT_EQ(amid.address, 0u);
    EXPECT_TRUE(amid.split.by_caller);
    EXPECT_EQ(parsed("f.isra.0+28").offset, 28u);
    EXPECT_EQ(parsed("f+0x1c,within=g,by=hwbreak").within, std::vector<std::string>{"g"});
    const HotPath module = parsed("virtio_net:start_xmit+0x40");
    EXPECT_EQ(module.functions, std::vector<std::string>{"virtio_net:start_xmit"});
    EXPECT_EQ(module.offset, 0x40u);

    const HotPath address = parsed("0xffff800080010004,by=hwbreak");
    EXPECT_TRUE(is_instruction(address));
    EXPECT_EQ(address.address, 0xffff800080010004u);
    EXPECT_EQ(address.name, "0xffff800080010004,by=hwbreak");
    EXPECT_TRUE(address.functions.empty());
    EXPECT_EQ(parsed("0xFFFF80008001AB04").address, 0xffff80008001ab04u);

    // Its first instruction is the function itself.
    const HotPath first = parsed("f+0x0,when=arg0==1,by=fentry");
    EXPECT_FALSE(is_instruction(first));
    EXPECT_EQ(first.functions, std::vector<std::string>{"f"});
    EXPECT_FALSE(is_instruction(parsed("f")));
}

TEST(HotPath, SettingsOnTopOfABuiltInOne) {
    const HotPath path = parsed("icache-flush,when=arg0!=0,split=return");
    EXPECT_TRUE(path.built_in);
    EXPECT_EQ(path.name, "icache-flush,when=arg0!=0,split=return");
    EXPECT_EQ(path.functions, std::vector<std::string>{"sync_icache_aliases"});
    EXPECT_FALSE(path.split.by_caller);  // the user's split replaces
    EXPECT_TRUE(parsed("icache-flush,when=arg0!=0").split.by_caller);
    EXPECT_FALSE(parse_target("page-reuse,when=arg0==1"));       // has one on an argument
    EXPECT_FALSE(parse_target("uretprobe-alloc,within=other"));  // has one
}

TEST(HotPath, ErrorsNameThePart) {
    const Refusals cases = {
        {"", "cannot take '': the target's name is empty"},
        {",when=arg0==1", "cannot take ',when=arg0==1': the target's name is empty"},
        {"mod:", "cannot take 'mod:': the function's name is empty"},
        {":f", "cannot take ':f': what stands before ':' is neither a module nor a path"},
        {"/bin/ls", "cannot take '/bin/ls': a program's path without a function"},
        {"vfs_*", "cannot take 'vfs_*': patterns of names are not taken"},
        {"a b", "cannot take 'a b': 'a b' is no function's name"},
        {"a\x1b", "cannot take 'a\\x1b': 'a\\x1b' is no function's name"},
        {"f,", "cannot take 'f,': a setting is empty"},
        {"f,wehn=arg0==1", "cannot take 'wehn=arg0==1': 'wehn' is no setting"},
        {"f,when", "cannot take 'when': it has no value"},
        {"f,when=", "cannot take 'when=': it has no value"},
        {"f,when=arg0", "cannot take 'when=arg0': it has no operator"},
        {"f,when=arg0=1", "cannot take 'when=arg0=1': '=' is no operator"},
        {"f,when=arg0!1", "cannot take 'when=arg0!1': '!' is no operator"},
        {"f,when=arg0===1", "cannot take 'when=arg0===1': '=1' is no number"},
        {"f,when=arg0==-1", "cannot take 'when=arg0==-1': '-1' is no number"},
        {"f,when=arg8==1", "cannot take 'when=arg8==1': there is no arg8: the last is arg7"},
        {"f,when=arg==1", "cannot take 'when=arg==1': 'arg' is neither arg0..arg7 nor return"},
        {"f,when=arg0x1==1",
         "cannot take 'when=arg0x1==1': 'arg0x1' is neither arg0..arg7 nor return"},
        {"f,when=return==1,when=return==2",
         "cannot take 'when=return==2': the target has a condition on the result already"},
        {"f,within=g,within=h", "cannot take 'within=h': within=g is set already"},
        {"f,within=", "cannot take 'within=': it has no value"},
        {"f,split=caller,split=caller", "cannot take 'split=caller': split=caller is given twice"},
        {"f,split=arg0,split=arg1", "cannot take 'split=arg1': a target is split by one value"},
        {"f,split=return-arg0",
         "cannot take 'split=return-arg0': a difference is one of two arguments"},
        {"f,split=pid", "cannot take 'split=pid': 'pid' is neither arg0..arg7 nor return"},
    };
    expect_refused(cases);
}

TEST(HotPath, RefusesMechanismsThatDoNotFit) {
    expect_refused({
        {"f,by=", "cannot take 'by=': it has no value"},
        {"f,by=ftrace", "cannot take 'by=ftrace': 'ftrace' is no mechanism"},
        {"f,by=opsite", "cannot take 'by=opsite': 'opsite' is no mechanism"},
        {"f,by=\x1b", "cannot take 'by=\\x1b': '\\x1b' is no mechanism"},
        {"flush_tlb_page,by=kprobe",
         "cannot take 'by=kprobe': an operation is measured at its sites only"},
        {"/bin/ls:f,by=kprobe",
         "cannot take 'by=kprobe': a program's function is measured by its own probes only"},
        {"f+4,by=fentry", "cannot take 'f+4,by=fentry': fentry attaches to functions only"},
        {"0x4000,by=fentry", "cannot take '0x4000,by=fentry': fentry attaches to functions only"},
    });
    EXPECT_EQ(parse_target("f,by=x").error().hint, "mechanisms are fentry, kprobe, hwbreak");
    EXPECT_EQ(parse_target("f+4,by=fentry").error().hint, "by=kprobe or by=hwbreak");
}

TEST(HotPath, RefusesWhatIsNotThereAmidAFunction) {
    const std::string nothing = "': amid a function there are no arguments and no result";
    for (const std::string place : {"f+0x10", "0xffff800080010004", "flush_tlb_page"}) {
        for (const std::string setting :
             {"when=arg0==1", "when=return!=0", "split=arg0", "split=return", "split=arg1-arg0"}) {
            const std::string text = place + "," + setting;
            expect_refused({{text, "cannot take '" + text + nothing}});
        }
    }
    EXPECT_EQ(parse_target("f+4,split=arg0").error().hint,
              "leave out when= and split=, but for split=caller");
}

TEST(HotPath, RefusesInOfWhatIsNoOperation) {
    const std::string only = "only an operation is looked for in a function";
    expect_refused({
        {"f,in=g", "cannot take 'in=g': " + only},
        {"f+4,in=g", "cannot take 'in=g': " + only},
        {"page-reuse,in=do_wp_page", "cannot take 'in=do_wp_page': " + only},
        {"flush_tlb_page,in=", "cannot take 'in=': it has no value"},
        {"flush_tlb_page,in=do_*", "cannot take 'in=do_*': patterns of names are not taken"},
        {"flush_tlb_page,in=a b", "cannot take 'in=a b': 'a b' is no function's name"},
        {"flush_tlb_page,in=f+4", "cannot take 'in=f+4': 'f+4' is no function's name"},
    });
    EXPECT_NE(parse_target("f,in=g").error().hint.find("tlbi-broadcast"), std::string::npos);
}

TEST(HotPath, RefusesWhatIsNoInstruction) {
    expect_refused({
        {"f+", "cannot take 'f+': what stands after '+' is no number"},
        {"f+x", "cannot take 'f+x': what stands after '+' is no number"},
        {"f+0x", "cannot take 'f+0x': what stands after '+' is no number"},
        {"f+-4", "cannot take 'f+-4': what stands after '+' is no number"},
        {"f+4+4", "cannot take 'f+4+4': 'f+4' is no function's name"},
        {"+0x10", "cannot take '+0x10': the function's name is empty"},
        {"mod:+4", "cannot take 'mod:+4': the function's name is empty"},
        {"/bin/ls:f+4", "cannot take '/bin/ls:f+4': 'f+4' is no function's name"},
        {"0x", "cannot take '0x': it is no address"},
        {"0x0", "cannot take '0x0': it is no address"},
        {"0xfffg", "cannot take '0xfffg': it is no address"},
        {"0x10000000000000000", "cannot take '0x10000000000000000': it is no address"},
        {"0x4000+4", "cannot take '0x4000+4': it is no address"},
    });
    EXPECT_EQ(parse_target("f+x").error().hint, "write FUNCTION+0xOFFSET");
}

}  // namespace
}  // namespace kcost::model
