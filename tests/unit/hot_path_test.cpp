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

TEST(HotPath, BuiltInOnesAreNamedOnceAndParse) {
    std::set<std::string> names;
    for (const HotPath& row : built_in_hot_paths()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(row.built_in);
        EXPECT_FALSE(row.summary.empty());
        EXPECT_FALSE(row.functions.empty());
        EXPECT_EQ(parsed(row.name.c_str()).functions, row.functions);
    }
    EXPECT_EQ(names, (std::set<std::string>{"icache-flush", "flush_tlb_page", "context-switch",
                                            "uretprobe-alloc"}));
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

TEST(HotPath, SettingsOnTopOfABuiltInOne) {
    const HotPath path = parsed("icache-flush,when=arg0!=0,split=return");
    EXPECT_TRUE(path.built_in);
    EXPECT_EQ(path.name, "icache-flush,when=arg0!=0,split=return");
    EXPECT_EQ(path.functions, std::vector<std::string>{"sync_icache_aliases"});
    EXPECT_FALSE(path.split.by_caller);  // the user's split replaces
    EXPECT_TRUE(parsed("icache-flush,when=arg0!=0").split.by_caller);
    EXPECT_FALSE(parse_target("flush_tlb_page,when=arg0==1"));   // has one on an argument
    EXPECT_FALSE(parse_target("uretprobe-alloc,within=other"));  // has one
}

TEST(HotPath, ErrorsNameThePart) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "cannot take '': the target's name is empty"},
        {",when=arg0==1", "cannot take ',when=arg0==1': the target's name is empty"},
        {"mod:", "cannot take 'mod:': the function's name is empty"},
        {":f", "cannot take ':f': what stands before ':' is neither a module nor a path"},
        {"/bin/ls", "cannot take '/bin/ls': a program's path without a function"},
        {"vfs_*", "cannot take 'vfs_*': patterns of names are not taken"},
        {"f+0x10", "cannot take 'f+0x10': an offset into a function is not taken"},
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
    for (const auto& [text, what] : cases) {
        const auto path = parse_target(text);
        ASSERT_FALSE(path) << text;
        EXPECT_EQ(path.error().what, what);
        EXPECT_EQ(path.error().code, ExitCode::kUsage);
        EXPECT_FALSE(path.error().hint.empty()) << text;
    }
}

}  // namespace
}  // namespace kcost::model
