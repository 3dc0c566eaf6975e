package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks that each REPEATED decision carries the arm of an earlier decision with the same id (I1).
 * {@link InputDispositions} checks its context.
 *
 * <p>Reads the decisions twice: first to find the repeated ids, then to compare. Keeps the ids with
 * their arms, {@value #BYTES} bytes each.
 */
final class RepeatedDecisions {
  private static final long BYTES = 512;

  private final FindingsCollector findings;
  private final WriterEpochHistory history;
  private final MemoryBudget memoryBudget;

  /** Of each id the last surviving decision, and withdrawn ones after it. */
  private final Map<Id, List<Given>> given = new HashMap<>();

  private long removed;

  private record Id(String segment, String decisionId) {}

  private record Given(String arm, int writerEpoch, String place) {}

  RepeatedDecisions(FindingsCollector findings, WriterEpochHistory history, long memoryBytes) {
    this.findings = findings;
    this.history = history;
    this.memoryBudget = new MemoryBudget(memoryBytes);
  }

  /**
   * Checks all valid decisions.
   *
   * @param log the log of all writer epochs, with withdrawn records
   * @throws MemoryBudget.ExceededException if too many ids were repeated
   */
  void check(CommittedLog log) {
    VoidRecords.read(log, this::collect);
    if (!given.isEmpty()) {
      VoidRecords.read(log, this::take);
    }
    if (removed > 0) {
      findings.note(
          Invariant.I1,
          removed + " REPEATED decisions were not compared: retention removed the first decisions");
    }
  }

  private void collect(Decision decision, LogRecord at) {
    if (decision.isRepeated() && given.put(id(decision), new ArrayList<>(1)) == null) {
      memoryBudget.reserve(BYTES);
    }
  }

  private void take(Decision decision, LogRecord at) {
    List<Given> ofId = given.get(id(decision));
    if (ofId == null) {
      return;
    }
    if (decision.isRepeated()) {
      if (at.isChecked()) {
        compare(decision, ofId, at);
      }
      return;
    }
    if (!history.isWithdrawn(decision.place())) {
      ofId.clear();
    }
    ofId.add(new Given(String.valueOf(decision.arm()), decision.writerEpoch(), at.place()));
  }

  /**
   * Compares with the last decision of the same writer epoch. A later epoch may continue from any:
   * the records that would show from which can be lost.
   */
  private void compare(Decision repeated, List<Given> ofId, LogRecord at) {
    findings.checked(Invariant.I1);
    String key = Change.decision(repeated.decisionId(), repeated.segment(), at.place());
    Given last = ofId.isEmpty() ? null : ofId.get(ofId.size() - 1);
    List<Given> possible =
        last != null && last.writerEpoch == repeated.writerEpoch() ? List.of(last) : ofId;
    if (last == null && at.slice().begin() > 0) {
      removed++;
    } else if (last == null) {
      findings.violated(Invariant.I1, key, "it is REPEATED, but no earlier decision has this id");
    } else if (possible.stream().noneMatch(it -> it.arm.equals(String.valueOf(repeated.arm())))) {
      findings.violated(
          Invariant.I1,
          key,
          "it is REPEATED with arm %s, but the first decision has arm %s"
              .formatted(
                  repeated.arm(),
                  possible.stream()
                      .map(it -> it.arm + " at " + it.place)
                      .collect(Collectors.joining(" or "))));
    }
  }

  private static Id id(Decision decision) {
    return new Id(decision.segment(), decision.decisionId());
  }
}
