package io.equipoise.local.demo;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Plays the campaign against the job: sends contexts for all segments in step, reads the decisions
 * back, answers them with rewards.
 *
 * <p>In step, because segments share partitions and hence event time: one that lagged by more than
 * its window would see its decisions expire. At most {@link #IN_FLIGHT} contexts of a segment wait
 * for an answer, so a reward is sent at most that many seconds of event time, plus its delay, after
 * its context; together that is less than the window of half an hour.
 */
final class Play implements Reader.Audience {
  static final int IN_FLIGHT = 250;

  private static final String ROUND = "r";
  private static final double BAD_SHARE = 0.005;
  private static final double DOUBLED_CONTEXT_SHARE = 0.005;

  private final Campaign campaign;
  private final Pace pace;
  private final Chance chance;
  private final SimulatedTime time;
  private final Clock clock;
  private final Post post;
  private final Mail mail = new Mail();
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final int partitions;
  private int next;
  private int badKinds;

  final Latencies latencies = new Latencies();
  final List<DeadLetter> deadLetters = new ArrayList<>();
  int unasked;

  Play(
      Campaign campaign,
      Pace pace,
      long seed,
      List<Tally> tallies,
      Post post,
      int partitions,
      Clock clock) {
    this.campaign = campaign;
    this.pace = pace;
    this.chance = new Chance(seed);
    this.time = new SimulatedTime(chance);
    this.post = post;
    this.partitions = partitions;
    this.clock = clock;
    tallies.forEach(tally -> this.tallies.put(tally.segment, tally));
  }

  /** Sends what may be sent: contexts while few enough wait, rewards whose time has come. */
  void send() {
    while (next < campaign.rounds() && areFewWaiting() && pace.hasCome(next)) {
      sendRound(next++);
    }
    mail.sendUntil(isAllSent() ? Long.MAX_VALUE : time.of(next), post);
    post.check();
  }

  /**
   * Says whether every context was answered, every reward sent and every good one learned. Only
   * then may {@link #close} move event time: a late reward has moved its partition's far ahead
   * already, so that nothing but the contexts' holds expiry back.
   */
  boolean isOver() {
    return isAllSent()
        && post.unanswered() == 0
        && mail.isEmpty()
        && tallies.values().stream().allMatch(tally -> tally.applied >= tally.expectedJoins);
  }

  /** Returns the number of rounds decided, over all segments. */
  long decided() {
    return tallies.values().stream().mapToLong(tally -> tally.decided).sum();
  }

  /** Returns regret and unfair decisions of every policy so far. */
  String standings() {
    return tallies.values().stream().map(Demo::standing).collect(Collectors.joining("  "));
  }

  /**
   * Sends one bad record of every kind, and moves event time of every partition past all windows,
   * so that what awaits a reward expires and every ledger closes.
   */
  void close() {
    Tally any = tallies.values().iterator().next();
    int last = campaign.rounds() - 1;
    BadRecords bad = new BadRecords(any.segment, campaign.attributes(last));
    bad.all(campaign.rounds(), time.of(campaign.rounds()))
        .forEach(it -> post.send(any.segment, it));
    Duration window = any.spec.join().rewardWindow();
    long end = time.afterAll(campaign.rounds(), window);
    for (int partition = 0; partition < partitions; partition++) {
      post.send(partition, bad.strangersContext("closing-" + partition, end));
      post.send(partition, bad.strangersReward("closing-" + partition, end));
    }
    post.flush();
  }

  private boolean isAllSent() {
    return next == campaign.rounds();
  }

  private boolean areFewWaiting() {
    for (Tally tally : tallies.values()) {
      if (tally.waiting() >= IN_FLIGHT) {
        return false;
      }
    }
    return true;
  }

  private void sendRound(int round) {
    Map<String, Object> person = campaign.attributes(round);
    String id = ROUND + round;
    for (Tally tally : tallies.values()) {
      byte[] value =
          Wire.CONTEXT.encode(
              new WireContext(id, tally.segment, time.contextTime(round), person, null, null));
      post.send(tally.segment, Parcel.context(tally.segment, id, value, null));
      tally.sent++;
      if (chance.happens("doubled context", round, DOUBLED_CONTEXT_SHARE)) {
        post.send(
            tally.segment, Parcel.context(tally.segment, null, value, ErrorCode.DUPLICATE_CONTEXT));
      }
      if (chance.happens("bad record", round, BAD_SHARE)) {
        List<Parcel> bad =
            new BadRecords(tally.segment, person).all(round, time.contextTime(round));
        post.send(tally.segment, bad.get(badKinds++ % bad.size()));
      }
    }
  }

  @Override
  public void on(Decision decision) {
    Tally tally = tallies.get(decision.segment());
    if (decision.isRepeated() && tally != null) {
      tally.repeated++;
      return;
    }
    if (!post.answered(decision.segment(), decision.decisionId())) {
      unasked++;
      return;
    }
    String arm = decision.arm();
    if (tally == null || arm == null || !decision.decisionId().matches(ROUND + "\\d+")) {
      return;
    }
    int round = Integer.parseInt(decision.decisionId().substring(ROUND.length()));
    Long appended =
        post.appendTime(
            new Place(
                String.valueOf(decision.contextTopic()),
                decision.contextPartition(),
                decision.contextOffset()));
    if (appended != null) {
      latencies.add(clock.millis() - appended);
    }
    tally.decide(campaign, round, decision, arm);
    giveReward(tally, round, arm);
  }

  private void giveReward(Tally tally, int round, String arm) {
    RewardFate fate = RewardFate.of(chance, round);
    tally.expectedJoins += fate.settles() ? 1 : 0;
    if (fate == RewardFate.LOST) {
      return;
    }
    Campaign.Answer answer = answer(tally, round, arm);
    long happened = time.rewardTime(round);
    long sent = time.sentAt(happened, round, "reward");
    if (fate == RewardFate.LATE) {
      long late = time.contextTime(round) + tally.spec.join().rewardWindow().toMillis() + 60_000;
      mail.give(sent, tally.segment, reward(tally, round, late, answer, 0, ErrorCode.LATE_REWARD));
      return;
    }
    mail.give(sent, tally.segment, reward(tally, round, happened, answer, 0, null));
    long again = time.sentAt(sent, round, "repetition");
    if (fate == RewardFate.DOUBLED) {
      Parcel copy = reward(tally, round, happened, answer, 0, ErrorCode.DUPLICATE_REWARD);
      mail.give(again, tally.segment, copy);
    } else if (fate == RewardFate.CONTRADICTED) {
      double change = tally.countsClicks() ? 1 - 2 * answer.reward() : 1;
      Parcel other = reward(tally, round, happened, answer, change, ErrorCode.CONFLICTING_REWARD);
      mail.give(again, tally.segment, other);
    }
  }

  private Campaign.Answer answer(Tally tally, int round, String arm) {
    return tally.countsClicks()
        ? campaign.click(round, arm, chance.of("click", round))
        : campaign.answer(round, arm);
  }

  private static Parcel reward(
      Tally tally, int round, long at, Campaign.Answer answer, double more, ErrorCode refusal) {
    WireReward reward =
        new WireReward(
            ROUND + round,
            null,
            tally.segment,
            at,
            answer.reward() + more,
            answer.mediators(),
            null);
    return Parcel.reward(tally.segment, Wire.REWARD.encode(reward), refusal);
  }

  @Override
  public void on(SegmentEvent segmentEvent) {
    Tally tally = tallies.get(segmentEvent.segment());
    if (tally != null) {
      tally.on(segmentEvent);
    }
  }

  @Override
  public void on(SegmentMetrics metrics) {
    Tally tally = tallies.get(metrics.segment());
    if (tally != null) {
      tally.on(metrics);
    }
  }

  @Override
  public void on(DeadLetter letter) {
    deadLetters.add(letter);
  }
}
