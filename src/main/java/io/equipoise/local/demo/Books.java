package io.equipoise.local.demo;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds what was sent against what came back: the three ledgers and every dead letter. */
final class Books {
  private final Post post;
  private final Play play;
  private final List<Tally> tallies;

  Books(Post post, Play play, List<Tally> tallies) {
    this.post = post;
    this.play = play;
    this.tallies = tallies;
  }

  /** Says whether all has come that must come; more may have, which {@link #faults} tells. */
  boolean areClosed() {
    return post.unanswered() == 0
        && play.deadLetters.size() >= post.refusals().size()
        && tallies.stream().allMatch(tally -> ledgerFaults(tally).isEmpty());
  }

  /** Returns all that does not balance, one line each. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (post.unanswered() > 0) {
      faults.add(post.unanswered() + " contexts stayed unanswered");
    }
    if (play.unasked > 0) {
      faults.add(play.unasked + " decisions answer nothing that was open");
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
    ContextLedger contexts = metrics.contexts();
    DecisionLedger decisions = metrics.decisions();
    expect(faults, tally, "contexts read", post.contexts(tally.segment), sum(contexts));
    expect(faults, tally, "contexts decided", tally.decided, contexts.decided());
    long repeated = contexts.duplicate() + contexts.conflicting();
    expect(faults, tally, "records REPEATED", repeated, tally.repeated);
    expect(faults, tally, "decisions", contexts.decided(), sum(decisions));
    expect(faults, tally, "decisions awaiting", 0, decisions.awaiting());
    expect(faults, tally, "decisions settled", tally.expectedJoins, decisions.settled());
    expect(faults, tally, "records REWARD_APPLIED", decisions.settled(), tally.applied);
    expect(faults, tally, "records REWARD_TIMEOUT", decisions.timedOut(), tally.expired);
    expect(faults, tally, "rewards read", post.rewards(tally.segment), sum(metrics.rewards()));
    expect(faults, tally, "rewards held early", 0, metrics.rewards().heldEarly());
    return faults;
  }

  private static long sum(ContextLedger of) {
    return of.decided() + of.rejected() + of.deadlineExceeded() + of.duplicate() + of.conflicting();
  }

  private static long sum(DecisionLedger of) {
    return of.awaiting() + of.settled() + of.timedOut() + of.evicted() + of.closedNotLearnable();
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
      faults.add("%s: %s are %d, expected %d".formatted(tally.segment, what, found, expected));
    }
  }

  private List<String> deadLetterFaults() {
    List<String> faults = new ArrayList<>();
    Map<Place, Parcel> open = post.refusals();
    Set<Place> seen = new HashSet<>();
    for (DeadLetter letter : play.deadLetters) {
      Place place = new Place(letter.topic(), letter.partition(), letter.offset());
      Parcel parcel = open.get(place);
      if (parcel == null) {
        faults.add("a dead letter " + letter.code() + " for a good record at " + place);
      } else if (!seen.add(place)) {
        faults.add("a second dead letter " + letter.code() + " for " + place);
      } else if (!letter.code().equals(String.valueOf(parcel.refusal()))) {
        faults.add(letter.code() + " at " + place + ", expected " + parcel.refusal());
      } else if (!Arrays.equals(parcel.value(), letter.value())) {
        faults.add("the dead letter for " + place + " has other bytes than the record");
      }
    }
    open.forEach(
        (place, parcel) -> {
          if (!seen.contains(place)) {
            faults.add("no dead letter " + parcel.refusal() + " for " + place);
          }
        });
    return faults;
  }
}
