package io.equipoise.local.chaos;

import java.util.List;

/**
 * What a judge found.
 *
 * @param violations one line each, with the key of the first offender; empty if all was kept
 * @param contexts that had to be answered once
 * @param rewards that had to be learned once
 * @param snapshots of the learning state that the replayed log had to reach, bit for bit
 */
record Judgment(List<String> violations, long contexts, long rewards, long snapshots) {
  Judgment {
    violations = List.copyOf(violations);
  }

  boolean isGood() {
    return violations.isEmpty();
  }
}
