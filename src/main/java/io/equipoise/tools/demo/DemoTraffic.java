package io.equipoise.tools.demo;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.ArrivalRate;
import io.equipoise.tools.BadRecords;
import io.equipoise.tools.CampaignTraffic;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.RewardVariant;
import io.equipoise.tools.TopicReader;
import io.equipoise.tools.TrafficChance;
import io.equipoise.tools.TrafficDriver;
import io.equipoise.tools.TrafficPattern;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends every person to all segments in step, reads the decisions, and sends the rewards.
 *
 * <p>In step, because segments share partitions and hence event time: decisions of a segment that
 * lags by more than its window would expire. At most {@link #IN_FLIGHT} contexts of a segment wait
 * for a decision. So a reward follows its context by at most that many seconds of event time plus
 * its delay, less than the window of half an hour.
 *
 * <p>State: the tallies, the books and the latencies, which the thread that sends and polls
 * updates. {@code time} and people follow from the round and the seed.
 */
final class DemoTraffic implements TrafficPattern, TopicReader.Listener, AutoCloseable {
  static final int IN_FLIGHT = 250;

  private static final double HOSTILE_SHARE = 0.005;

  /**
   * Only rounds that so many others follow have late rewards. A late reward moves its partition of
   * {@code rewards} by a window and a minute, one second a round; the job reads on there when the
   * contexts have followed to within a window.
   */
  private static final int AFTER_LATE = 60;

  private static final Map<String, String> PRODUCER = Map.of("linger.ms", "2");
  private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

  private final CampaignTraffic campaignTraffic;
  private final ArrivalRate arrivalRate;
  private final TrafficChance trafficChance;
  private final SimulatedTime time;
  private final Clock clock;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final List<String> segments;
  private final Reconciliation books;
  private final RecordSender sender;
  private final TrafficDriver driver;
  private final List<Long> latencies = new ArrayList<>();
  private @Nullable Long firstDecision;

  DemoTraffic(Demo.DemoPlan plan, EmbeddedDeployment cluster, List<Tally> tallies, Clock clock) {
    this.campaignTraffic = new CampaignTraffic(cluster.specs().get(0), plan.rounds(), plan.seed());
    this.arrivalRate = new ArrivalRate(plan.perSecond(), clock);
    this.trafficChance = new TrafficChance(plan.seed());
    this.time = new SimulatedTime(trafficChance);
    this.clock = clock;
    tallies.forEach(tally -> this.tallies.put(tally.segment, tally));
    this.segments = List.copyOf(this.tallies.keySet());
    this.books = new Reconciliation(tallies);
    this.sender = new RecordSender(cluster.config(), PRODUCER, FOR_EVER, books);
    this.driver = new TrafficDriver(campaignTraffic, trafficChance, this::spec, this, sender);
  }

  Reconciliation books() {
    return books;
  }

  /** Sends the records that are due: contexts while few are waiting, and queued rewards. */
  void send() {
    driver.send();
  }

  /**
   * Returns whether every context was decided, every reward sent and every valid one learned. Only
   * then may {@link #finish} move event time: a late reward has already moved its partition's time
   * far ahead, so that only the contexts hold back expiry.
   */
  boolean isOver() {
    return isAllSent()
        && books.unanswered() == 0
        && driver.isQueueEmpty()
        && tallies.values().stream().allMatch(tally -> tally.applied >= tally.expectedJoins);
  }

  /** Returns the number of decided rounds of all segments. */
  long decided() {
    return tallies.values().stream().mapToLong(tally -> tally.decided).sum();
  }

  /** Returns when the first decision was seen, epoch ms; null before. */
  @Nullable Long firstDecision() {
    return firstDecision;
  }

  /** Returns a quantile of the time from context to decision, ms; 0 without decisions. */
  long latency(double share) {
    int place = (int) Math.ceil(share * latencies.size()) - 1;
    return latencies.stream().sorted().skip(Math.max(0, place)).findFirst().orElse(0L);
  }

  /** Returns regret and unfair decisions of every policy so far. */
  String standings() {
    return tallies.values().stream().map(Tally::standing).collect(Collectors.joining("  "));
  }

  /**
   * Sends one bad record of every kind, and moves event time of every partition past all windows,
   * so that pending decisions expire and every ledger closes.
   */
  void finish() {
    Tally any = tallies.values().iterator().next();
    int rounds = campaignTraffic.rounds();
    BadRecords bad = new BadRecords(any.segment, campaignTraffic.attributes(rounds - 1));
    bad.all(rounds, time.of(rounds)).forEach(it -> sender.send(any.segment, it));
    long end = time.afterAll(rounds, any.spec.join().rewardWindow());
    for (int partition = 0; partition < DemoCluster.PARTITIONS; partition++) {
      sender.send(partition, bad.contextWithoutSpec("closing-" + partition, end));
      sender.send(partition, bad.rewardWithoutSpec("closing-" + partition, end));
    }
    sender.flush();
  }

  private boolean isAllSent() {
    return driver.rounds() == campaignTraffic.rounds();
  }

  private SegmentSpec spec(String segment) {
    return tallies.get(segment).spec;
  }

  @Override
  public boolean isDue(long round) {
    return round < campaignTraffic.rounds()
        && tallies.values().stream().allMatch(tally -> tally.waiting() < IN_FLIGHT)
        && arrivalRate.isDue(round);
  }

  @Override
  public List<String> segments(long round) {
    return segments;
  }

  @Override
  public long contextTime(long round) {
    return time.contextTime(round);
  }

  @Override
  public long rewardTime(long round) {
    return time.rewardTime(round);
  }

  @Override
  public long sendTime(long eventTime, long round, String what) {
    return time.sentAt(eventTime, round, what);
  }

  @Override
  public long queueTime(long nextRound) {
    return nextRound == campaignTraffic.rounds() ? Long.MAX_VALUE : time.of(nextRound);
  }

  @Override
  public double hostileShare() {
    return HOSTILE_SHARE;
  }

  @Override
  public void onContext(TrafficDriver sending, String segment, long round) {
    tallies.get(segment).sent++;
  }

  @Override
  public void on(Decision decision) {
    Tally tally = tallies.get(decision.segment());
    if (decision.isRepeated() && tally != null) {
      tally.repeated++;
      return;
    }
    firstDecision = firstDecision == null ? (Long) clock.millis() : firstDecision;
    String arm = decision.arm();
    OptionalLong round = TrafficDriver.round(decision.decisionId());
    if (!books.answered(decision) || tally == null || arm == null || round.isEmpty()) {
      return;
    }
    Long appended = books.appendTime(decision);
    if (appended != null) {
      latencies.add(clock.millis() - appended);
    }
    tally.decide(campaignTraffic, round.getAsLong(), decision, arm);
    RewardVariant variant = variant(round.getAsLong());
    tally.expectedJoins += variant.settles() ? 1 : 0;
    driver.reward(tally.segment, round.getAsLong(), arm, variant);
  }

  private RewardVariant variant(long round) {
    RewardVariant drawn = RewardVariant.of(trafficChance, round);
    return drawn == RewardVariant.LATE && round + AFTER_LATE >= campaignTraffic.rounds()
        ? RewardVariant.ON_TIME
        : drawn;
  }

  @Override
  public void on(SegmentEvent event) {
    Tally tally = tallies.get(event.segment());
    if (tally != null) {
      tally.on(event);
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
  public void on(DeadLetter deadLetter) {
    books.on(deadLetter);
  }

  @Override
  public void close() {
    driver.close();
  }
}
