package io.equipoise.local.soak;

import io.equipoise.event.TopicKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.JobConfig;
import io.equipoise.local.EventSender;
import io.equipoise.local.demo.Campaign;
import io.equipoise.spec.SegmentSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Contexts at a steady rate, most of them of the segments begun last, a few of old ones that come
 * back; a second later, for most of them, a reward that some arm would have brought.
 */
final class ChurnLoad implements AutoCloseable {
  private static final int PEOPLE = 10_000;
  private static final double RETURNING_SHARE = 0.01;
  private static final double REWARDED_SHARE = 0.8;
  private static final long DELAY_MILLIS = 1_000;
  private static final long TICK_MILLIS = 10;

  private final SoakPlan plan;
  private final SegmentSpec spec;
  private final Campaign campaign;
  private final Clock clock;
  private final SplittableRandom random;
  private final EventSender sender;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Deque<Due> rewards = new ArrayDeque<>();
  private volatile @Nullable Throwable failure;
  private volatile long sent;
  private volatile long newest;
  private long startedAt;

  private record Due(long millis, long round, String segment) {}

  ChurnLoad(SoakPlan plan, JobConfig config, SegmentSpec spec, Clock clock) {
    this.plan = plan;
    this.spec = spec;
    this.campaign = new Campaign(spec, PEOPLE, plan.seed());
    this.clock = clock;
    this.random = new SplittableRandom(plan.seed());
    sender = new EventSender(config.topics(), config.kafka(), Duration.ofSeconds(5));
  }

  /** Begins to send. */
  void start() {
    startedAt = System.nanoTime();
    var unused = timer.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns how long it has been sending. */
  double seconds() {
    return (System.nanoTime() - startedAt) / 1e9;
  }

  /** Returns how many contexts were sent. */
  long contexts() {
    return sent;
  }

  /** Returns how many segments were begun. */
  long segments() {
    return newest + 1;
  }

  /** Throws if a record could not be made or sent. */
  void check() {
    Throwable problem = failure;
    if (problem == null) {
      problem = sender.failure();
    }
    if (problem != null) {
      throw new IllegalStateException("the load broke off", problem);
    }
  }

  private void tick() {
    try {
      double now = seconds();
      long next = sent; // this thread alone writes it
      for (long due = (long) (plan.rate() * now); next < due; next++) {
        context(segment(now), next);
      }
      sent = next;
      for (Due due = rewards.peek();
          due != null && due.millis() <= clock.millis();
          due = rewards.peek()) {
        reward(rewards.remove());
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private String segment(double now) {
    long last = plan.newest(now);
    newest = last;
    boolean comesBack = random.nextDouble() < RETURNING_SHARE;
    long active = Math.max(1, (long) (plan.churn() * plan.life().toMillis() / 1e3));
    long first = comesBack ? 0 : Math.max(0, last + 1 - active);
    return "soak-" + random.nextLong(first, last + 1);
  }

  private void context(String segment, long round) {
    long now = clock.millis();
    int person = (int) (round % PEOPLE);
    byte[] value =
        Wire.CONTEXT.encode(
            new WireContext(id(round), segment, now, campaign.attributes(person), null, null));
    sender.send(TopicKind.CONTEXTS, segment, value);
    if (random.nextDouble() < REWARDED_SHARE) {
      rewards.add(new Due(now + DELAY_MILLIS, round, segment));
    }
  }

  private void reward(Due due) {
    int arm = (int) (due.round() % spec.arms().size());
    Campaign.Answer answer =
        campaign.answer((int) (due.round() % PEOPLE), spec.arms().get(arm).id());
    byte[] value =
        Wire.REWARD.encode(
            new WireReward(
                id(due.round()),
                null,
                due.segment(),
                clock.millis(),
                answer.reward(),
                answer.mediators(),
                null));
    sender.send(TopicKind.REWARDS, due.segment(), value);
  }

  private static String id(long round) {
    return "s" + round;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    sender.close();
  }
}
