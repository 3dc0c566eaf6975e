package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /**
   * The arms of each id, with their places: of the last surviving decision and of withdrawn ones
   * after it, because a later writer epoch repeats one of these.
   */
  private final Map<Id, Map<String, String>> arms = new HashMap<>();

  private long removed;

  private record Id(String segment, String decisionId) {}

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
    if (!arms.isEmpty()) {
      VoidRecords.read(log, this::take);
    }
    if (removed > 0) {
      findings.note(
          Invariant.I1,
          removed + " REPEATED decisions were not compared: retention removed the first decisions");
    }
  }

  private void collect(Decision decision, LogRecord at) {
    if (decision.isRepeated() && arms.put(id(decision), new LinkedHashMap<>(1)) == null) {
      memoryBudget.reserve(BYTES);
    }
  }

  private void take(Decision decision, LogRecord at) {
    Map<String, String> given = arms.get(id(decision));
    if (given == null) {
      return;
    }
    if (decision.isRepeated()) {
      if (at.isChecked()) {
        compare(decision, given, at);
      }
      return;
    }
    if (!history.isWithdrawn(decision.place())) {
      given.clear();
    }
    given.put(name(decision.arm()), at.place());
  }

  private void compare(Decision repeated, Map<String, String> given, LogRecord at) {
    findings.checked(Invariant.I1);
    String key = Change.decision(repeated.decisionId(), repeated.segment(), at.place());
    if (given.isEmpty() && at.slice().begin() > 0) {
      removed++;
    } else if (given.isEmpty()) {
      findings.violated(Invariant.I1, key, "it is REPEATED, but no earlier decision has this id");
    } else if (!given.containsKey(name(repeated.arm()))) {
      findings.violated(
          Invariant.I1,
          key,
          "it is REPEATED with arm %s, but the first decision has arm %s at %s"
              .formatted(
                  repeated.arm(),
                  String.join(" or ", given.keySet()),
                  String.join(", ", given.values())));
    }
  }

  private static Id id(Decision decision) {
    return new Id(decision.segment(), decision.decisionId());
  }

  private static String name(@Nullable String arm) {
    return String.valueOf(arm);
  }
}
