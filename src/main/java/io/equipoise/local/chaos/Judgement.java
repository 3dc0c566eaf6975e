package io.equipoise.local.chaos;

import java.util.List;

/**
 * What a judge found.
 *
 * @param violations one line each, with the key of the first offender; empty if all was kept
 * @param contexts that had to be answered
 * @param decisions that were committed
 * @param applied rewards that were learnt
 */
record Judgement(List<String> violations, long contexts, long decisions, long applied) {
  Judgement {
    violations = List.copyOf(violations);
  }

  boolean isGood() {
    return violations.isEmpty();
  }
}
