package io.equipoise.segmentspec;

import java.util.List;

/**
 * Defines the groups that Fair-LinUCB balances, by the levels of one sensitive attribute or the
 * joint levels of several. A person on neither list, or with an undisclosed level, is in neither
 * group.
 *
 * @param attributes sensitive variables, at least one
 * @param privileged joint levels that are ahead by custom, a level of each attribute in their order
 * @param protectedLevels joint levels that are not to fall behind
 * @param gamma strength of the balancing; NaN if it is found while the policy runs
 * @param forget how group means forget
 */
public record GroupSpec(
    List<String> attributes,
    List<List<String>> privileged,
    List<List<String>> protectedLevels,
    double gamma,
    Forget forget) {
  /** Copies the lists. */
  public GroupSpec {
    attributes = List.copyOf(attributes);
    privileged = privileged.stream().map(List::copyOf).toList();
    protectedLevels = protectedLevels.stream().map(List::copyOf).toList();
  }

  /** Returns whether gamma is found while the policy runs. */
  public boolean isAdaptive() {
    return Double.isNaN(gamma);
  }
}
