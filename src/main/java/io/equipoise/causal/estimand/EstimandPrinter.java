package io.equipoise.causal.estimand;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * Prints estimands as text, as in {@code Σ_z P(z|x) Σ_x' P(x') P(y|x',z)}, or LaTeX.
 *
 * <p>A sum extends to the end of its brackets. A bound variable is primed if its name also occurs
 * around the sum.
 */
final class EstimandPrinter {
  /** Larger formulas are unreadable; only their size is printed. */
  static final long MAX_PRINTED = 100_000;

  /** The symbols of a notation. */
  private record Signs(
      String sum, String bar, String open, String close, String fractionOpen, String slash) {}

  private static final Signs TEXT = new Signs("Σ_", "|", "[", "]", "[", "]/[");
  private static final Signs LATEX =
      new Signs("\\sum_", " \\mid ", "\\left[", "\\right]", "\\frac{", "}{");

  private final Signs signs;
  private final Map<String, Integer> rank = new HashMap<>();

  private EstimandPrinter(Signs signs, List<String> order) {
    this.signs = signs;
    order.forEach(name -> rank.put(name, rank.size()));
  }

  static EstimandPrinter text(List<String> order) {
    return new EstimandPrinter(TEXT, order);
  }

  static EstimandPrinter latex(List<String> order) {
    return new EstimandPrinter(LATEX, order);
  }

  String print(Estimand estimand) {
    if (estimand.treeSize() > MAX_PRINTED) {
      return "(a formula of " + estimand.treeSize() + " terms)";
    }
    Map<String, String> shown = new HashMap<>();
    estimand.free().forEach(name -> shown.put(name, name));
    return print(estimand, shown);
  }

  /** Returns the names in the requested order. */
  List<String> ordered(Collection<String> names) {
    List<String> ordered = new ArrayList<>(names);
    ordered.sort(
        (one, other) -> {
          int ranks = Integer.compare(rankOf(one), rankOf(other));
          return ranks != 0 ? ranks : one.compareTo(other);
        });
    return ordered;
  }

  private boolean isLatex() {
    return signs.equals(LATEX);
  }

  private int rankOf(String name) {
    return rank.getOrDefault(name, Integer.MAX_VALUE);
  }

  private String print(Estimand estimand, Map<String, String> shown) {
    if (estimand instanceof Probability p) {
      return probability(p, shown);
    }
    if (estimand instanceof Sum sum) {
      return sum(sum, shown);
    }
    if (estimand instanceof Quotient quotient) {
      String end = isLatex() ? "}" : "]";
      return signs.fractionOpen
          + print(quotient.numerator(), shown)
          + signs.slash
          + print(quotient.divisor(), shown)
          + end;
    }
    if (estimand instanceof Product product) {
      return product(product, shown);
    }
    return estimand instanceof Unknown unknown ? "?" + unknown.name() : "1";
  }

  private String probability(Probability p, Map<String, String> shown) {
    List<String> given = new ArrayList<>(shown(p.given(), shown));
    if (p.isSelected()) {
      given.add("S=1");
    }
    String condition = given.isEmpty() ? "" : signs.bar + String.join(",", given);
    return "P(" + String.join(",", shown(p.of(), shown)) + condition + ")";
  }

  private String sum(Sum sum, Map<String, String> shown) {
    Map<String, String> inside = new HashMap<>(shown);
    SortedSet<String> bound = sum.bound();
    for (String name : bound) {
      inside.put(name, shown.containsKey(name) ? shown.get(name) + "'" : name);
    }
    String over = String.join(",", shown(bound, inside));
    boolean isBraced = isLatex() || bound.size() > 1;
    return signs.sum + (isBraced ? "{" + over + "}" : over) + " " + print(sum.body(), inside);
  }

  /** Moves sums to the end, where the last one needs no brackets. */
  private String product(Product product, Map<String, String> shown) {
    List<Estimand> factors = new ArrayList<>();
    product.parts().stream().filter(it -> !(it instanceof Sum)).forEach(factors::add);
    product.parts().stream().filter(it -> it instanceof Sum).forEach(factors::add);
    List<String> printed = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      String factor = print(factors.get(i), shown);
      boolean isLast = i == factors.size() - 1;
      boolean isLoose =
          (factors.get(i) instanceof Sum && !isLast)
              || (factors.get(i) instanceof Quotient && !isLatex());
      printed.add(isLoose ? signs.open + factor + signs.close : factor);
    }
    return String.join(" ", printed);
  }

  private List<String> shown(Collection<String> names, Map<String, String> shown) {
    return ordered(names).stream()
        .map(name -> shown.getOrDefault(name, name))
        .map(name -> isLatex() ? name.replace("_", "\\_") : name)
        .collect(Collectors.toList());
  }
}
