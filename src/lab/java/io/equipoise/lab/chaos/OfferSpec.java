package io.equipoise.lab.chaos;

import java.util.List;
import java.util.Locale;

/** Writes a spec of the Email Campaign for each family of models whose candidates can change. */
enum OfferSpec implements ChangingSpec {
  CELLS("{name: ucb, separating-set: all}"),
  LINEAR("{name: linucb, model: shared, features: [intercept, one-hot: A1, one-hot: A2]}"),
  LOGISTIC("{name: screen}"),
  ALLOCATION("{name: oam, horizon: 100000, features: [intercept, one-hot: A1]}");

  static final List<OfferSpec> ALL = List.of(values());

  private static final List<String> PRODUCTS =
      List.of("product-A", "product-B-neutral", "product-C");

  private final String policy;

  OfferSpec(String policy) {
    this.policy = policy;
  }

  static List<String> segments() {
    return ALL.stream().map(OfferSpec::segment).toList();
  }

  @Override
  public String segment() {
    return "offers-" + name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns version 1 with two products, an even one with a third, an odd one without the first.
   */
  @Override
  public String text(int version) {
    List<String> levels = PRODUCTS.subList(0, version == 1 ? 2 : 3);
    List<String> offered = version > 1 && version % 2 == 1 ? levels.subList(1, 3) : levels;
    String reward =
        this == LOGISTIC ? "{range: [0, 1]}" : "{range: [0, 1], bounded: false, scale: 0.16}";
    return """
           name: %1$s
           version: %2$d
           segments: {exact: [%1$s]}
           seed: 7
           variables:
             X1: {role: sensitive, levels: [female, male], missing: reject}
             X2: {role: context, levels: ["18-29", "30-49", "50+"]}
             X3: {role: context, levels: [student-or-clerical, technical, management]}
             A1: {role: action, levels: [%3$s]}
             A2: {role: action, levels: [operational, promotional, nurture, awareness]}
             A3: {role: action, levels: [morning, afternoon, evening]}
             I4: {role: mediator, levels: [query-1, query-2, query-3]}
             I1: {role: mediator, levels: ["0", "1", "2", "3"]}
             I2: {role: mediator, levels: ["0", "1", "2", "3"]}
             I3: {role: mediator, levels: ["0", "1", "2", "3"]}
             R: {role: reward}
           graph: |
             dag {
               X2 -> X3
               {X1 X2 X3} -> {A1 A2 A3}
               {X1 X3} -> I4
               {X1 A1 A2} -> I1
               {X2 A1 I4} -> I2
               {I1 A3} -> I3
               {I1 I2 I3 A3} -> R
             }
           arms: [%4$s]
           reward: %5$s
           policy: %6$s
           fairness: {tau: 0.3}
           join: {reward-window: 30m, early-reward-timeout: 10m, dedup-window: 30m}
           metrics: {every: 20}
           """
        .formatted(
            segment(),
            version,
            String.join(", ", levels),
            String.join(", ", offered.stream().map(OfferSpec::arm).toList()),
            reward,
            policy);
  }

  /** One e-mail per product, so that allocation matching has few enough rows. */
  private static String arm(String product) {
    return "{A1: %s, A2: promotional, A3: morning}".formatted(product);
  }
}
