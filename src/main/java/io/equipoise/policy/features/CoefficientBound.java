package io.equipoise.policy.features;

import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.FeatureTerm.Match;
import io.equipoise.segmentspec.FeatureTerm.Numeric;
import io.equipoise.segmentspec.FeatureTerm.OneHot;
import io.equipoise.segmentspec.FeatureTerm.Product;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the norm of the coefficients of a linear model whose mean lies in the range of rewards,
 * [l, h] of width w, for every combination of levels, and of numbers inside their usual ranges.
 * Everything is derived in the constructor; immutable afterwards.
 *
 * <p>Let terms with a variable in common form a group; a term whose variables all occur in a table
 * of the group (a product of one-hot terms) can have coefficients 0, for the table can take them
 * over. The mean is a constant plus one function for each group, and the widths of the functions
 * add up to at most w, because groups have no variable in common. A table of n cells that is a
 * group of its own can be centered, with coefficients of at most half its width. In another group
 * take 0 at a reference: the coefficient of a product of k factors is an alternating sum of 2^k
 * means, at most 2^(k-1) times the width, divided by the width of each number's usual range in
 * units of the feature, which must contain 0. A sum of squares of widths that add up to w is
 * greatest where one group has them all. So
 *
 * <pre>
 * N^2 = c^2 + w^2 max over groups of q,   q = n/4 for a table, else the sum of n 4^(k-1) / widths^2
 * </pre>
 *
 * <p>where c, the size of the constant, is at most the largest size of a reward; with tables alone
 * it is that less half the width that they use.
 *
 * <p>Numbers that are correlated need not fill the product of their usual ranges. So with two
 * numbers, or one without a usual range, the argument fails, and a norm must be stated.
 */
public final class CoefficientBound {
  private final SegmentSpec spec;
  private final boolean isShared;
  private final double norm;
  private final List<String> parts = new ArrayList<>();
  private @Nullable String missing;

  /** Groups terms, as products of factors, that have variables in common. */
  private record Group(Set<String> variables, List<List<FeatureTerm>> terms) {}

  private CoefficientBound(
      SegmentSpec spec, FeatureMap features, boolean isShared, @Nullable Double stated) {
    this.spec = spec;
    this.isShared = isShared;
    List<List<FeatureTerm>> terms = features.terms().stream().map(this::factors).toList();
    double derived = derive(terms);
    if (stated == null) {
      numbers(terms);
    }
    norm = stated == null ? derived : stated;
  }

  /**
   * Bounds the norm of a spec's coefficients.
   *
   * @param isShared whether one regression learns from all arms; else the levels of an arm are
   *     constants of its own regression
   * @param stated the norm that the spec states; null without one
   */
  public static CoefficientBound of(
      SegmentSpec spec, FeatureMap features, boolean isShared, @Nullable Double stated) {
    return new CoefficientBound(spec, features, isShared, stated);
  }

  /** Returns the bound of the norm. */
  public double norm() {
    return norm;
  }

  /** Returns whether the bound is stated, or follows from the range of rewards. */
  public boolean isKnown() {
    return missing == null;
  }

  /** Returns the statement without which the bound is a guess; empty where it is none. */
  public String missing() {
    return missing == null ? "" : missing;
  }

  /** Returns the size that each term's coefficients have together at most, for people. */
  public List<String> parts() {
    return List.copyOf(parts);
  }

  private double derive(List<List<FeatureTerm>> terms) {
    NumberRange range = spec.reward().range();
    double width = range.width();
    double constant = Math.max(Math.abs(range.low()), Math.abs(range.high()));
    double greatest = 0;
    boolean isOfTables = true;
    double holders = terms.contains(List.<FeatureTerm>of()) ? 1 : Double.POSITIVE_INFINITY;
    for (Group group : groups(terms)) {
      boolean isTable = group.terms().size() == 1 && isTable(group.terms().get(0));
      double sum = 0;
      for (List<FeatureTerm> factors : group.terms()) {
        double square = isTable ? count(factors) / 4 : square(factors);
        sum += square;
        parts.add(named(factors) + " " + shown(Math.sqrt(square) * width));
        holders = isTable(factors) ? Math.min(holders, count(factors)) : holders;
      }
      isOfTables &= isTable;
      greatest = Math.max(greatest, sum);
    }
    parts.add("constant " + shown(constant));
    double squares = constant * constant + greatest * width * width;
    if (isOfTables && holders == 1) {
      double centered = constant - width / 2;
      squares = Math.max(constant * constant, centered * centered + greatest * width * width);
    } else if (Double.isFinite(holders)) {
      squares += (holders - 1) * constant * constant;
    }
    return Math.sqrt(squares);
  }

  /** Returns the factors of a term that are no constants of a regression. */
  private List<FeatureTerm> factors(FeatureTerm term) {
    if (term instanceof Product product) {
      List<FeatureTerm> factors = new ArrayList<>(factors(product.left()));
      factors.addAll(factors(product.right()));
      return List.copyOf(factors);
    }
    boolean isNumber = term instanceof Numeric;
    return isNumber || !variables(List.of(term)).isEmpty() ? List.of(term) : List.of();
  }

  /** Returns the variables that factors depend on; of separate regressions without the arm's. */
  private Set<String> variables(List<FeatureTerm> factors) {
    Set<String> variables = new LinkedHashSet<>(new FeatureMap(factors).variables());
    variables.removeIf(
        name -> !isShared && spec.variables().named(name).role() == VariableRole.ACTION);
    return variables;
  }

  private static boolean isTable(List<FeatureTerm> factors) {
    return !factors.isEmpty() && factors.stream().allMatch(OneHot.class::isInstance);
  }

  /** Leaves out what a table takes over; joins terms with common variables. */
  private List<Group> groups(List<List<FeatureTerm>> terms) {
    List<List<FeatureTerm>> largestFirst = new ArrayList<>(terms);
    largestFirst.removeIf(List::isEmpty);
    largestFirst.sort(
        Comparator.comparingInt(
            (List<FeatureTerm> term) ->
                -2 * new LinkedHashSet<>(term).size() - (isTable(term) ? 1 : 0)));
    List<List<FeatureTerm>> kept = new ArrayList<>();
    for (List<FeatureTerm> term : largestFirst) {
      Set<String> own = variables(term);
      if (kept.stream().noneMatch(it -> isTable(it) && variables(it).containsAll(own))) {
        kept.add(term);
      }
    }
    List<Group> groups = new ArrayList<>();
    for (List<FeatureTerm> term : kept) {
      Group joined = new Group(variables(term), new ArrayList<>());
      for (Group group : List.copyOf(groups)) {
        if (group.variables().stream().anyMatch(joined.variables()::contains)) {
          joined.variables().addAll(group.variables());
          joined.terms().addAll(group.terms());
          groups.remove(group);
        }
      }
      joined.terms().add(term);
      groups.add(joined);
    }
    return groups;
  }

  /** Returns how many features a product of factors is. */
  private double count(List<FeatureTerm> factors) {
    double count = 1;
    for (FeatureTerm factor : factors) {
      if (factor instanceof OneHot oneHot) {
        SpecVariable variable = spec.variables().named(oneHot.variable());
        count *= Math.max(variable.levels().size(), variable.undisclosed() + 1);
      }
    }
    return count;
  }

  /** Returns n 4^(k-1) / widths^2 of a product of k factors; a match depends on two variables. */
  private double square(List<FeatureTerm> factors) {
    double square = count(factors) / 4;
    for (FeatureTerm factor : factors) {
      square *= factor instanceof Match ? 16 : 4;
      if (factor instanceof Numeric number) {
        double width = width(number);
        square /= width * width;
      }
    }
    return square;
  }

  /** Returns the width of a number's usual range, or else of its range, in units of the feature. */
  private double width(Numeric number) {
    return usual(number).width() / number.scale();
  }

  private NumberRange usual(Numeric number) {
    SpecVariable variable = spec.variables().named(number.variable());
    NumberRange usual = variable.usual();
    return usual == null ? Objects.requireNonNull(variable.range()) : usual;
  }

  /** Notes which numbers do not let the range of rewards bound their coefficients. */
  private void numbers(List<List<FeatureTerm>> terms) {
    Set<String> numbers = new LinkedHashSet<>();
    for (List<FeatureTerm> factors : terms) {
      for (FeatureTerm factor : factors) {
        if (factor instanceof Numeric number) {
          String name = number.variable();
          numbers.add(name);
          if (spec.variables().named(name).usual() == null) {
            missing =
                "variables.%1$s.usual-range, like usual-range: [0, 100]: the interval that values fill bounds the coefficient of %1$s; or a stated policy.theta-norm"
                    .formatted(name);
          } else if (!usual(number).contains(number.center())) {
            missing =
                "a center of the feature of %1$s inside its usual-range; or a stated policy.theta-norm"
                    .formatted(name);
          }
        }
      }
    }
    if (numbers.size() > 1) {
      missing =
          "a stated policy.theta-norm: the numbers %s may be correlated, so the range of rewards does not bound their coefficients"
              .formatted(numbers);
    }
  }

  private static String named(List<FeatureTerm> factors) {
    return factors.stream()
        .map(factor -> String.join(" = ", new FeatureMap(List.of(factor)).variables()))
        .collect(Collectors.joining(" x "));
  }

  private static String shown(double number) {
    return String.format(Locale.ROOT, "%.3g", number);
  }
}
