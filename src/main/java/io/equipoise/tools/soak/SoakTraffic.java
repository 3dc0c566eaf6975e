package io.equipoise.tools.soak;

import io.equipoise.job.options.JobConfig;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.ArrivalRate;
import io.equipoise.tools.CampaignTraffic;
import io.equipoise.tools.RecordSender;
import io.equipoise.tools.RewardVariant;
import io.equipoise.tools.TrafficChance;
import io.equipoise.tools.TrafficDriver;
import io.equipoise.tools.TrafficPattern;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Contexts at a constant rate, most of them of the newest segments, a few of old segments that
 * return. A second later most contexts get a reward of some arm.
 */
final class SoakTraffic implements TrafficPattern, AutoCloseable {
  private static final int PEOPLE = 10_000;
  private static final double RETURNING_SHARE = 0.01;
  private static final double REWARDED_SHARE = 0.8;
  private static final long DELAY_MILLIS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final SoakPlan plan;
  private final SegmentSpec spec;
  private final Clock clock;
  private final ArrivalRate arrivalRate;
  private final SplittableRandom random;
  private final TrafficDriver driver;
  private volatile long newest;
  private long startedAt;

  SoakTraffic(SoakPlan plan, JobConfig config, SegmentSpec spec, Clock clock) {
    this.plan = plan;
    this.spec = spec;
    this.clock = clock;
    this.arrivalRate = new ArrivalRate(plan.rate(), clock);
    this.random = new SplittableRandom(plan.seed());
    driver =
        new TrafficDriver(
            new CampaignTraffic(spec, PEOPLE, plan.seed()),
            new TrafficChance(plan.seed()),
            segment -> spec,
            this,
            new RecordSender(config, Map.of(), PATIENCE, new RecordSender.Listener() {}));
  }

  /** Starts to send. */
  void start() {
    startedAt = System.nanoTime();
    driver.start();
  }

  /** Returns the time since the start. */
  double seconds() {
    return (System.nanoTime() - startedAt) / 1e9;
  }

  /** Returns how many contexts were sent. */
  long contexts() {
    return driver.rounds();
  }

  /** Returns how many segments were created. */
  long segments() {
    return newest + 1;
  }

  /** Throws if a record could not be created or sent. */
  void check() {
    driver.check();
  }

  @Override
  public boolean isDue(long round) {
    return arrivalRate.isDue(round);
  }

  @Override
  public List<String> segments(long round) {
    long last = plan.newest(seconds());
    newest = last;
    boolean comesBack = random.nextDouble() < RETURNING_SHARE;
    long active = Math.max(1, (long) (plan.churn() * plan.life().toMillis() / 1e3));
    long first = comesBack ? 0 : Math.max(0, last + 1 - active);
    return List.of("soak-" + random.nextLong(first, last + 1));
  }

  @Override
  public long rewardTime(long round) {
    return clock.millis() + DELAY_MILLIS;
  }

  @Override
  public void onContext(TrafficDriver sending, String segment, long round) {
    if (random.nextDouble() < REWARDED_SHARE) {
      String arm = spec.arms().get((int) (round % spec.arms().size())).id();
      sending.reward(segment, round, arm, RewardVariant.ON_TIME);
    }
  }

  @Override
  public void close() {
    driver.close();
  }
}
