package io.equipoise.policy.features;

import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.Arrays;
import java.util.Optional;

/** Reports the faults of a spec whose statistics do not estimate the law that an effect needs. */
public final class NotIdentified {
  private NotIdentified() {}

  /**
   * Returns the fault of an effect that the graph does not identify.
   *
   * @param law of the statistics
   * @param path from the attribute, or from what follows it, to the reward in the other world
   */
  public static SpecFault fault(SegmentSpec spec, EstimatedLaw law, String attribute, String path) {
    Optional<SpecVariable> part =
        spec.variables().all().stream()
            .filter(variable -> variable.role() != VariableRole.REWARD)
            .filter(variable -> !law.isWhole(variable.name()))
            .filter(variable -> isOn(path, law.itself(variable.name())))
            .findFirst();
    if (part.isPresent()) {
      return new SpecFault(
          "graph",
          path,
          "statistics that see all of %s; they see %s, so the effect of %s is NOT_IDENTIFIED. %s"
              .formatted(
                  part.get().name(), law.described(part.get()), attribute, law.remedy(part.get())));
    }
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

  private static boolean isOn(String path, String node) {
    return Arrays.asList(path.split(" (<->|<-|->) ")).contains(node);
  }

  /** Returns the fault of cells that hold the rewards of several arms. */
  public static SpecFault armsInOneBin(String action) {
    return new SpecFault(
        "variables." + action + ".cuts",
        "arms with other numbers in one bin of " + action,
        "cuts between the numbers of all arms, because a cell holds the rewards of a bin; or"
            + " acts-by: bin, if the reward depends on the bin alone");
  }
}
