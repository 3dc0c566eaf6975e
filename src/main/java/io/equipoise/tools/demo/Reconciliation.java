package io.equipoise.tools.demo;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.Counted;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.LogTopic;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Source;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.TestRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Compares the sent records with the received ones: the three ledgers and every dead letter.
 *
 * <p>State: the counts of sent records by segment, and the effects that are still expected. The
 * producer's thread adds append times and expected dead letters by position; everything else
 * belongs to the thread that sends and polls. {@link #faults} is meaningful when {@link #areClosed}
 * returns true or the run is given up.
 */
final class Reconciliation implements RecordSender.Listener {
  private final List<Tally> tallies;
  private final Map<Source, TestRecord> refusals = new ConcurrentHashMap<>();
  private final Map<Source, Long> appendTimes = new ConcurrentHashMap<>();
  private final Map<String, Long> contexts = new HashMap<>();
  private final Map<String, Long> rewards = new HashMap<>();
  private final Set<String> unanswered = new HashSet<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private int unasked;

  Reconciliation(List<Tally> tallies) {
    this.tallies = tallies;
  }

  @Override
  public void onSend(TestRecord record) {
    String segment = record.segment();
    if (segment != null) {
      (record.kind() == LogTopic.CONTEXTS ? contexts : rewards).merge(segment, 1L, Long::sum);
      if (record.decisionId() != null) {
        unanswered.add(segment + "/" + record.decisionId());
      }
    }
  }

  @Override
  public void onAppended(TestRecord record, RecordMetadata metadata) {
    Source position = new Source(metadata.topic(), metadata.partition(), metadata.offset());
    appendTimes.put(position, metadata.timestamp());
    if (record.refusal() != null) {
      refusals.put(position, record);
    }
  }

  void on(DeadLetter deadLetter) {
    deadLetters.add(deadLetter);
  }

  /** Records that a context was decided; returns false if no context waited for this decision. */
  boolean answered(Decision decision) {
    boolean isAsked = unanswered.remove(decision.segment() + "/" + decision.decisionId());
    unasked += isAsked ? 0 : 1;
    return isAsked;
  }

  /** Returns when the broker appended the context of a decision; null if unknown. */
  @Nullable Long appendTime(Decision decision) {
    return appendTimes.get(
        new Source(
            decision.source().topic(), decision.source().partition(), decision.source().offset()));
  }

  /** Returns the number of contexts that wait for their decision. */
  int unanswered() {
    return unanswered.size();
  }

  /** Returns how many records the broker has appended. */
  int records() {
    return appendTimes.size();
  }

  int expectedDeadLetters() {
    return refusals.size();
  }

  List<DeadLetter> deadLetters() {
    return deadLetters;
  }

  /** Returns whether all expected records have come; {@link #faults} reports unexpected ones. */
  boolean areClosed() {
    return unanswered.size() == 0
        && deadLetters.size() >= refusals.size()
        && tallies.stream().allMatch(tally -> ledgerFaults(tally).isEmpty());
  }

  /** Returns all differences, one line each. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (unanswered.size() > 0) {
      faults.add(Counted.of(unanswered.size(), "contexts have no decision"));
    }
    if (unasked > 0) {
      faults.add(Counted.of(unasked, "decisions have no waiting context"));
    }
    tallies.forEach(tally -> faults.addAll(ledgerFaults(tally)));
    faults.addAll(deadLetterFaults());
    return faults;
  }

  private List<String> ledgerFaults(Tally tally) {
    SegmentMetrics metrics = tally.metrics;
    if (metrics == null) {
      return List.of(tally.segment + ": no metrics");
    }
    List<String> faults = new ArrayList<>();
    ContextLedger read = metrics.contexts();
    DecisionLedger decisions = metrics.decisions();
    expect(faults, tally, "contexts read", contexts.getOrDefault(tally.segment, 0L), sum(read));
    expect(faults, tally, "contexts decided", tally.decided, read.decided());
    long repeated = read.duplicate() + read.conflicting();
    expect(faults, tally, "records REPEATED", repeated, tally.repeated);
    expect(faults, tally, "decisions", read.decided(), decisions.made());
    expect(faults, tally, "decisions awaiting", 0, decisions.awaiting());
    expect(faults, tally, "decisions settled", tally.expectedJoins, decisions.settled());
    expect(faults, tally, "records REWARD_APPLIED", decisions.settled(), tally.applied);
    expect(faults, tally, "records REWARD_TIMEOUT", decisions.timedOut(), tally.expired);
    expect(
        faults,
        tally,
        "rewards read",
        rewards.getOrDefault(tally.segment, 0L),
        sum(metrics.rewards()));
    expect(faults, tally, "rewards held early", 0, metrics.rewards().heldEarly());
    return faults;
  }

  private static long sum(ContextLedger of) {
    return of.decided() + of.rejected() + of.deadlineExceeded() + of.duplicate() + of.conflicting();
  }

  private static long sum(RewardLedger of) {
    return of.applied()
        + of.buffered()
        + of.heldEarly()
        + of.duplicate()
        + of.conflicting()
        + of.late()
        + of.orphan()
        + of.notLearnable()
        + of.invalid();
  }

  private static void expect(
      List<String> faults, Tally tally, String what, long expected, long found) {
    if (expected != found) {
      faults.add("%s: %s: found %d, expected %d".formatted(tally.segment, what, found, expected));
    }
  }

  private List<String> deadLetterFaults() {
    List<String> faults = new ArrayList<>();
    Set<Source> seen = new HashSet<>();
    for (DeadLetter deadLetter : deadLetters) {
      Source position = deadLetter.source();
      TestRecord sent = refusals.get(position);
      if (sent == null) {
        faults.add("a dead letter " + deadLetter.code() + " for a good record at " + position);
      } else if (!seen.add(position)) {
        faults.add("a second dead letter " + deadLetter.code() + " for " + position);
      } else if (!deadLetter.code().equals(String.valueOf(sent.refusal()))) {
        faults.add(deadLetter.code() + " at " + position + ", expected " + sent.refusal());
      } else if (!Arrays.equals(sent.value(), deadLetter.input().value())) {
        faults.add("the dead letter for " + position + " differs from the record's bytes");
      }
    }
    refusals.forEach(
        (position, sent) -> {
          if (!seen.contains(position)) {
            faults.add("no dead letter " + sent.refusal() + " for " + position);
          }
        });
    return faults;
  }
}
