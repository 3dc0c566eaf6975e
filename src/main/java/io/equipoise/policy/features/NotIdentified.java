package io.equipoise.policy.features;

import io.equipoise.segmentspec.SpecFault;

/** The fault of a spec whose graph does not identify the effect of a sensitive attribute. */
public final class NotIdentified {
  private NotIdentified() {}

  /**
   * Returns the fault.
   *
   * @param path from the attribute, or from what follows it, to the reward in the other world
   */
  public static SpecFault fault(String attribute, String path) {
    return new SpecFault(
        "graph",
        path,
        "no hidden common cause of "
            + attribute
            + ", or of what follows it, with the reward: the effect of "
            + attribute
            + " is NOT_IDENTIFIED (an asterisk marks a variable in the other world). Remove the"
            + " edge if there is no such cause, or do not declare "
            + attribute
            + " sensitive");
  }
}
