package io.equipoise.spec;

import java.util.List;

/**
 * Which people Fair-LinUCB balances.
 *
 * @param attribute a sensitive variable
 * @param privileged its levels that are ahead by custom
 * @param protectedLevels its levels that are not to fall behind; a level in neither list is in
 *     neither group
 * @param gamma strength of the push; NaN where it is found while the policy runs
 * @param forget how group means forget
 */
public record GroupSpec(
    String attribute,
    List<String> privileged,
    List<String> protectedLevels,
    double gamma,
    Forget forget) {
  /** Copies the lists. */
  public GroupSpec {
    privileged = List.copyOf(privileged);
    protectedLevels = List.copyOf(protectedLevels);
  }

  /** Says whether gamma is found while the policy runs. */
  public boolean isAdaptive() {
    return Double.isNaN(gamma);
  }
}
