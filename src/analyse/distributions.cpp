#include "analyse/distributions.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace kcost::distributions {
namespace {

namespace math = boost::math;
namespace policies = boost::math::policies;

// Values instead of exceptions; double is precise enough, and several times faster.
using Policy = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>, policies::promote_double<false>>;

using Normal = math::normal_distribution<double, Policy>;
using StudentsT = math::students_t_distribution<double, Policy>;

// From here on Student's t is the normal distribution to more digits than anybody reads.
constexpr double kManyDf = 1e9;

}  // namespace

double t_quantile(double p, double df) {
    return df < kManyDf ? quantile(StudentsT(df), p) : normal_quantile(p);
}

double t_two_sided_p(double t, double df) {
    if (std::isinf(t)) return 0;
    if (df >= kManyDf) return normal_two_sided_p(t);
    return 2 * cdf(complement(StudentsT(df), std::abs(t)));
}

double noncentral_t_above(double x, double df, double shift) {
    // Beyond these the series loses digits, and the answer has none to lose.
    constexpr double kFar = 37;
    if (shift > x * (1 + kFar / std::sqrt(df)) + kFar) return 1;
    if (df >= kManyDf) return cdf(complement(Normal(), x - shift));
    return cdf(complement(math::non_central_t_distribution<double, Policy>(df, shift), x));
}

double noncentral_t_above_roughly(double x, double df, double shift) {
    const double z = (x * (1 - 1 / (4 * df)) - shift) / std::sqrt(1 + x * x / (2 * df));
    return cdf(complement(Normal(), z));
}

double normal_quantile(double p) { return quantile(Normal(), p); }

double normal_two_sided_p(double z) { return 2 * cdf(complement(Normal(), std::abs(z))); }

double chi_squared_quantile(double p, double df) {
    return quantile(math::chi_squared_distribution<double, Policy>(df), p);
}

double beta_below(double x, double a, double b) {
    return cdf(math::beta_distribution<double, Policy>(a, b), x);
}

double beta_quantile(double p, double a, double b) {
    return quantile(math::beta_distribution<double, Policy>(a, b), p);
}

}  // namespace kcost::distributions
