#include "patch/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kcost::patch {
namespace {

namespace fs = std::filesystem;

// SLUG is a word of the command line and of file names.
bool is_slug(const std::string& name) {
    return !name.empty() && name.front() != '-' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
}

Result<std::vector<fs::path>> patch_folders(const std::string& folder) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (it->is_directory() && it->path().filename().string().front() != '.') {
            found.push_back(it->path());
        }
    }
    if (error) {
        return fail("cannot read the patches in " + folder + ": " + error.message(),
                    "name their folder: --patches DIR", ExitCode::kUsage);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::string catalogue_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path();
    if (!error && fs::equivalent(folder, KCOST_BUILD_FOLDER, error)) return KCOST_SOURCE_PATCHES;
    // Installed under another prefix than it was built for, or unpacked.
    const fs::path beside = folder.parent_path() / "share/kcost/patches";
    if (fs::is_directory(beside, error)) return beside.string();
    return KCOST_INSTALLED_PATCHES;
}

Result<std::vector<KnownPatch>> read_catalogue(const std::string& folder) {
    auto folders = patch_folders(folder);
    if (!folders) return tl::unexpected(folders.error());
    std::vector<KnownPatch> patches;
    for (const fs::path& path : *folders) {
        if (!is_slug(path.filename().string())) {
            return fail("cannot read " + path.string() +
                        ": a patch's folder has a name of a-z, 0-9 and '-'");
        }
        auto patch = read_patch(path.string());
        if (!patch) return tl::unexpected(patch.error());
        patches.push_back(std::move(*patch));
    }
    if (patches.empty()) {
        return fail("cannot read the patches in " + folder + ": there is none",
                    "name their folder: --patches DIR", ExitCode::kUsage);
    }
    return patches;
}

Result<KnownPatch> read_one(const std::string& folder, const std::string& slug) {
    auto all = read_catalogue(folder);
    if (!all) return tl::unexpected(all.error());
    std::string slugs;
    for (KnownPatch& known : *all) {
        if (known.patch.slug == slug) return std::move(known);
        slugs += (slugs.empty() ? "" : ", ") + known.patch.slug;
    }
    return fail("there is no patch '" + slug + "'", "patches are " + slugs, ExitCode::kUsage);
}

std::vector<std::string> symbols_of(const std::vector<KnownPatch>& patches) {
    std::set<std::string> all;
    for (const KnownPatch& known : patches) {
        const Names names = known.signature.symbols();
        all.insert(names.begin(), names.end());
    }
    return {all.begin(), all.end()};
}

}  // namespace kcost::patch
