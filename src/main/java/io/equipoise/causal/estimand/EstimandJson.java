package io.equipoise.causal.estimand;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes an estimand as nested maps: {@code kind} is one, probability, sum, product, quotient or
 * unknown; a probability has {@code of}, {@code given}, {@code selected}; a sum {@code over} and
 * {@code body}; a product {@code factors}; a quotient {@code numerator} and {@code divisor}. For a
 * formula that is too large, writes only its size.
 */
record EstimandJson(EstimandPrinter order) {
  static Map<String, Object> of(Estimand estimand, List<String> order) {
    if (estimand.treeSize() > EstimandPrinter.MAX_PRINTED) {
      return Map.of("kind", "large", "terms", estimand.treeSize());
    }
    return new EstimandJson(EstimandPrinter.text(order)).tree(estimand);
  }

  private Map<String, Object> tree(Estimand estimand) {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (estimand instanceof Probability p) {
      tree.put("kind", "probability");
      tree.put("of", order.ordered(p.of()));
      tree.put("given", order.ordered(p.given()));
      tree.put("selected", p.isSelected());
    } else if (estimand instanceof Sum sum) {
      tree.put("kind", "sum");
      tree.put("over", order.ordered(sum.bound()));
      tree.put("body", tree(sum.body()));
    } else if (estimand instanceof Product product) {
      tree.put("kind", "product");
      tree.put("factors", product.parts().stream().map(this::tree).toList());
    } else if (estimand instanceof Quotient quotient) {
      tree.put("kind", "quotient");
      tree.put("numerator", tree(quotient.numerator()));
      tree.put("divisor", tree(quotient.divisor()));
    } else if (estimand instanceof Unknown unknown) {
      tree.put("kind", "unknown");
      tree.put("name", unknown.name());
      tree.put("scope", order.ordered(unknown.free()));
    } else {
      tree.put("kind", "one");
    }
    return tree;
  }
}
