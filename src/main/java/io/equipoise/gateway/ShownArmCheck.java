package io.equipoise.gateway;

import io.equipoise.event.ErrorCode;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a shown arm that the job would refuse as UNKNOWN_ARM. An arm of any version of the
 * segment's specs passes, retired ones included. Of other arms the gateway refuses only those that
 * cannot come with a version that it has not read:
 *
 * <ul>
 *   <li>if it remembers the decision, and the version that decided, every other arm;
 *   <li>else an arm without the form of an id that all versions make, like {@code offer=…}.
 * </ul>
 *
 * <p>An arm that came with a request passes.
 */
final class ShownArmCheck {
  private ShownArmCheck() {}

  /**
   * Checks an arm.
   *
   * @param answer of the decision; null if it is not remembered
   * @param running the specs that the segment may run under; none if no spec covers it
   * @throws ProblemException with UNKNOWN_ARM, which names the arms and a near one
   */
  static void refuseUnknown(
      String arm,
      String segment,
      @Nullable Answer answer,
      List<CompiledSpec> running,
      ServedSpecs served) {
    Set<CompiledSpec> versions = new LinkedHashSet<>(running);
    versions.addAll(served.covering(segment));
    if (running.isEmpty() || versions.stream().anyMatch(it -> has(it, arm))) {
      return;
    }
    Answer.Change change = answer == null ? null : answer.change();
    boolean isPossible =
        change == null
            ? versions.stream().anyMatch(it -> mayHave(it.spec(), arm) || takesCandidates(it))
            : isOfOwnCandidates(answer, served.byHash(change.specHash()));
    if (!isPossible) {
      throw new ProblemException(
          Problem.of(ErrorCode.UNKNOWN_ARM, "shownArm: " + allowed(arm, running.get(0).armIds())));
    }
  }

  private static boolean has(CompiledSpec spec, @Nullable String arm) {
    return arm != null && spec.encoder().armIndex(arm) >= 0;
  }

  private static boolean takesCandidates(CompiledSpec spec) {
    return spec.policy().takesCandidates();
  }

  /** Returns also true if the spec is not known. */
  private static boolean isOfOwnCandidates(Answer answer, @Nullable CompiledSpec decided) {
    return decided == null || (takesCandidates(decided) && !has(decided, answer.arm()));
  }

  /** Returns whether a spec names arms itself, or would make such an id of other levels. */
  private static boolean mayHave(SegmentSpec spec, String arm) {
    List<SpecVariable> actions = spec.variables().actions();
    return hasForm(arm, actions)
        || !spec.arms().list().stream().allMatch(it -> hasForm(it.id(), actions));
  }

  private static boolean hasForm(String arm, List<SpecVariable> actions) {
    int end = 0;
    for (SpecVariable action : actions) {
      String start = (end == 0 ? "" : ",") + action.name() + "=";
      int at = arm.indexOf(start, end);
      if (at < 0 || (end == 0 && at > 0)) {
        return false;
      }
      end = at + start.length();
    }
    return true;
  }

  /** Names an arm of the level that was given, or a near one, and all. */
  private static String allowed(String given, List<String> arms) {
    return arms.stream()
            .filter(it -> it.endsWith("=" + given))
            .findFirst()
            .map(it -> "did you mean " + it + "? ")
            .orElse("")
        + Nearest.oneOf(given, arms);
  }
}
