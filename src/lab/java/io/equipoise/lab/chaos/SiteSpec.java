package io.equipoise.lab.chaos;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the spec of a site that shows one of five articles. Each version replaces the oldest
 * article; its level is removed ten versions later.
 */
record SiteSpec() implements ChangingSpec {
  static final String SEGMENT = "site";
  static final long WINDOW_SECONDS = 60;

  static final List<String> DEVICES = List.of("mobile", "desktop", "tablet");
  static final List<String> HOURS = List.of("night", "morning", "afternoon", "evening");
  static final List<String> GENDERS = List.of("f", "m");

  private static final int ARTICLES = 5;

  /** Levels that are older leave the spec; their arms were retired long before. */
  private static final int VERSIONS_KEPT = 10;

  @Override
  public String segment() {
    return SEGMENT;
  }

  @Override
  public String text(int version) {
    return """
           name: %1$s
           version: %2$d
           segments: {pattern: %1$s}
           seed: 7
           variables:
             device: {role: context, levels: [%3$s]}
             hour: {role: context, levels: [%4$s]}
             gender: {role: sensitive, levels: [%5$s]}
             article: {role: action, levels: [%6$s]}
             click: {role: reward}
           graph: |
             dag { {device hour gender article} -> click }
           arms: [%7$s]
           reward: {range: [0, 1], default: {value: 0}}
           policy: {name: linucb, model: disjoint, features: [intercept, one-hot: device, one-hot: hour]}
           fairness: {tau: 0.05}
           join: {reward-window: %8$ds, early-reward-timeout: 30s, dedup-window: 30m, shown: confirmed, fallback: home}
           metrics: {every: 200}
           """
        .formatted(
            SEGMENT,
            version,
            String.join(", ", DEVICES),
            String.join(", ", HOURS),
            String.join(", ", GENDERS),
            list("%s", Math.max(1, version - VERSIONS_KEPT), version),
            list("{id: %1$s, article: %1$s}", version, version),
            WINDOW_SECONDS);
  }

  /** Names the article that stays, and those of the versions from {@code first} to {@code last}. */
  private static String list(String format, int first, int last) {
    List<String> names = IntStream.range(first, last + ARTICLES).mapToObj(i -> "a" + i).toList();
    return Stream.concat(Stream.of("home"), names.stream())
        .map(format::formatted)
        .collect(Collectors.joining(", "));
  }
}
