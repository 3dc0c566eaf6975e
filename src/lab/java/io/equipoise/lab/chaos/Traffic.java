package io.equipoise.lab.chaos;

import static java.util.Objects.requireNonNull;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.RejectedInput;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.ArrivalRate;
import io.equipoise.tools.CampaignTraffic;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.RewardVariant;
import io.equipoise.tools.TopicReader;
import io.equipoise.tools.TrafficChance;
import io.equipoise.tools.TrafficDriver;
import io.equipoise.tools.TrafficPattern;
import io.equipoise.tools.cluster.Waiting;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Generates the traffic on one deployment: people of the Email Campaign at a constant rate, each to
 * one of the segments in turn. Their rewards follow the decisions by up to two seconds. A share of
 * the records is repeated, invalid or contradicts another.
 *
 * <p>The producer is idempotent and retries for half an hour, so the topics contain exactly the
 * records that were sent.
 *
 * <p>State: {@link ExpectedEffects} keeps the effects that are still expected; the driver's thread
 * adds contexts, the reader's thread adds rewards and removes those that have happened. The pace,
 * {@code arrivalRate} and {@code firstOfPace}, belongs to the driver's thread and restarts after a
 * pause.
 */
final class Traffic implements TrafficPattern, TopicReader.Listener, AutoCloseable {
  private static final double HOSTILE_SHARE = 0.01;
  private static final int PEOPLE = 20_000;
  private static final int MOST_DELAY_MILLIS = 2_000;
  private static final String RETRIES_MILLIS = Long.toString(Duration.ofMinutes(30).toMillis());

  /** Partitions may be added. */
  private static final Map<String, String> PRODUCER =
      Map.of(
          "metadata.max.age.ms",
          "3000",
          "delivery.timeout.ms",
          RETRIES_MILLIS,
          "max.block.ms",
          RETRIES_MILLIS);

  private final Map<String, SegmentSpec> specs = new LinkedHashMap<>();
  private final List<String> segments;
  private final int perSecond;
  private final TrafficChance trafficChance;
  private final Clock clock;
  private final ExpectedEffects expectedEffects = new ExpectedEffects();
  private final TrafficDriver driver;
  private final TopicReader reader;
  private volatile boolean isPaused;
  private @Nullable ArrivalRate arrivalRate;
  private long firstOfPace;

  Traffic(JobConfig config, List<SegmentSpec> given, int perSecond, long seed, Clock clock) {
    for (SegmentSpec spec : given) {
      if (spec.match() instanceof SegmentMatch.Exact exact) {
        specs.put(exact.segments().get(0), spec);
      }
    }
    this.segments = List.copyOf(specs.keySet());
    this.perSecond = perSecond;
    this.trafficChance = new TrafficChance(seed);
    this.clock = clock;
    driver =
        new TrafficDriver(
            new CampaignTraffic(given.get(0), PEOPLE, seed),
            trafficChance,
            specs::get,
            this,
            new RecordSender(config, PRODUCER, Duration.ofSeconds(20), expectedEffects));
    Topics topics = config.topics();
    List<String> read = List.of(topics.decisions(), topics.segmentEvents(), topics.deadLetter());
    reader = new TopicReader(config, read, this);
  }

  /**
   * Starts, and returns when the first decision has arrived.
   *
   * @param round the first; above those of earlier traffic on the deployment, whose ids it would
   *     repeat
   */
  void start(long round, Duration patience) {
    expectedEffects.watch(System.nanoTime());
    reader.start();
    driver.start(round);
    if (!awaitDecision(patience)) {
      check();
      throw new IllegalStateException("no decision of the job within " + patience);
    }
  }

  /** Waits for a decision on a context that {@link #truth} watches; false if none comes. */
  boolean awaitDecision(Duration patience) {
    return Waiting.until(
        () -> {
          check();
          return expectedEffects.isAnswered();
        },
        patience);
  }

  /** Waits until every context that {@link #truth} watches, up to now, has its decision. */
  boolean awaitDecisions(Duration patience) {
    long now = System.nanoTime();
    return Waiting.until(
        () -> {
          check();
          return expectedEffects.isAnswered(now);
        },
        patience);
  }

  /**
   * Stops sending contexts and waits until all records have had their effect.
   *
   * @return the missing effects, empty if none
   */
  String drain(Duration patience) {
    isPaused = true;
    boolean isSettled = Waiting.until(expectedEffects::isSettled, patience);
    check();
    return isSettled ? "" : expectedEffects.missing();
  }

  /** Throws if a record could not be sent or read. */
  void check() {
    driver.check();
    reader.check();
  }

  /** Resumes sending contexts; contexts of the pause are skipped. */
  void resume() {
    isPaused = false;
  }

  /** Returns the number of the next round. */
  long rounds() {
    return driver.rounds();
  }

  ExpectedEffects truth() {
    return expectedEffects;
  }

  @Override
  public boolean isDue(long round) {
    if (isPaused) {
      arrivalRate = null;
      return false;
    }
    if (arrivalRate == null) {
      arrivalRate = new ArrivalRate(perSecond, clock);
      firstOfPace = round;
    }
    return arrivalRate.isDue(round - firstOfPace);
  }

  @Override
  public List<String> segments(long round) {
    return List.of(segments.get((int) (round % segments.size())));
  }

  @Override
  public long rewardTime(long round) {
    return clock.millis() + (long) (trafficChance.of("delay", round) * MOST_DELAY_MILLIS);
  }

  @Override
  public double hostileShare() {
    return HOSTILE_SHARE;
  }

  @Override
  public void on(Decision decision) {
    String segment = decision.segment();
    if (decision.isRepeated()
        || !expectedEffects.decided(segment, decision.decisionId(), System.nanoTime())) {
      return; // the context was decided before
    }
    String arm = decision.arm();
    OptionalLong round = TrafficDriver.round(decision.decisionId());
    if (arm == null || round.isEmpty()) {
      return;
    }
    RewardVariant variant = RewardVariant.of(trafficChance, round.getAsLong());
    if (variant.settles()) {
      long window = requireNonNull(specs.get(segment)).join().rewardWindow().toMillis();
      expectedEffects.reward(segment, decision.decisionId(), decision.eventTime() + window);
      driver.reward(segment, round.getAsLong(), arm, variant);
    }
  }

  @Override
  public void on(SegmentEvent event) {
    String id = event.decisionId();
    if (event.type() == SegmentEventType.REWARD_APPLIED && id != null) {
      expectedEffects.applied(event.segment(), id, event.eventTime());
    }
  }

  @Override
  public void on(DeadLetter deadLetter) {
    RejectedInput input = deadLetter.input();
    String segment = input.segment();
    String id = input.decisionId();
    Long appended = input.appendTime();
    if (segment != null && id != null && appended != null) {
      expectedEffects.rejected(segment, id, ErrorCode.of(deadLetter.code()), appended);
    }
  }

  @Override
  public void close() {
    reader.close(); // first, because it queues rewards
    driver.close();
  }
}
