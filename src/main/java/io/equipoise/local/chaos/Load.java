package io.equipoise.local.chaos;

import io.equipoise.event.Decision;
import io.equipoise.event.TopicKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.JobConfig;
import io.equipoise.local.EventSender;
import io.equipoise.local.demo.BadRecords;
import io.equipoise.local.demo.Campaign;
import io.equipoise.local.demo.Chance;
import io.equipoise.local.demo.Parcel;
import io.equipoise.local.demo.RewardFate;
import io.equipoise.spec.SegmentMatch;
import io.equipoise.spec.SegmentSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The people of the Email Campaign, coming at a steady rate, each to one of the segments in turn;
 * what they do comes some seconds after their answer. A share of the records is doubled, broken or
 * contradicts another.
 *
 * <p>The producer is idempotent and never gives up, so what is on the topics is what was sent,
 * once.
 */
final class Load implements AutoCloseable {
  private static final String ROUND = "r";
  private static final double BAD_SHARE = 0.01;
  private static final double DOUBLED_SHARE = 0.01;
  private static final int PEOPLE = 20_000;
  private static final int MOST_DELAY_MILLIS = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final List<String> segments;
  private final Set<String> clicking = new HashSet<>();
  private final Campaign campaign;
  private final Chance chance;
  private final Clock clock;
  private final Truth truth;
  private final EventSender sender;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile boolean isPaused;
  private volatile @Nullable Future<?> ticking;
  private int next;
  private int badKinds;

  Load(JobConfig config, List<SegmentSpec> specs, long seed, Clock clock, Truth truth) {
    List<String> named = new ArrayList<>();
    for (SegmentSpec spec : specs) {
      if (spec.match() instanceof SegmentMatch.Exact exact) {
        String segment = exact.segments().get(0);
        named.add(segment);
        if (Campaign.countsClicks(spec)) {
          clicking.add(segment);
        }
      }
    }
    this.segments = List.copyOf(named);
    this.campaign = new Campaign(specs.get(0), PEOPLE, seed);
    this.chance = new Chance(seed);
    this.clock = clock;
    this.truth = truth;
    Properties settings = config.kafka();
    settings.setProperty("acks", "all");
    settings.setProperty("enable.idempotence", "true");
    settings.setProperty("metadata.max.age.ms", "3000"); // partitions may be added
    settings.setProperty("delivery.timeout.ms", Long.toString(PATIENCE.toMillis()));
    settings.setProperty("max.block.ms", Long.toString(PATIENCE.toMillis()));
    sender = new EventSender(config.topics(), settings, Duration.ofSeconds(20));
  }

  /** Begins to send, a number of contexts a second. */
  void start(int perSecond) {
    long pauseMicros = TimeUnit.SECONDS.toMicros(1) / perSecond;
    ticking = timer.scheduleAtFixedRate(this::tick, 0, pauseMicros, TimeUnit.MICROSECONDS);
  }

  /** Sends no contexts until {@link #resume}; rewards still go out. */
  void pause() {
    isPaused = true;
  }

  void resume() {
    isPaused = false;
  }

  /** Throws if a record could not be made or sent. */
  void check() {
    Throwable problem = sender.failure();
    Future<?> now = ticking;
    if (problem == null && now != null && now.isDone()) {
      problem = failureOf(now);
    }
    if (problem != null) {
      throw new IllegalStateException("the load broke off", problem);
    }
  }

  private static @Nullable Throwable failureOf(Future<?> done) {
    try {
      done.get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    }
  }

  private void tick() {
    if (!isPaused && sender.failure() == null) {
      sendRound(next++);
    }
  }

  private void sendRound(int round) {
    String segment = segments.get(round % segments.size());
    Map<String, Object> person = campaign.attributes(round % PEOPLE);
    long now = clock.millis();
    String id = ROUND + round;
    byte[] value = Wire.CONTEXT.encode(new WireContext(id, segment, now, person, null, null));
    truth.context(segment, id, System.nanoTime());
    sender.send(TopicKind.CONTEXTS, segment, value);
    if (chance.happens("doubled context", round, DOUBLED_SHARE)) {
      sender.send(TopicKind.CONTEXTS, segment, value);
    }
    if (chance.happens("bad record", round, BAD_SHARE)) {
      List<Parcel> bad = new BadRecords(segment, person).all(round, now);
      sendBad(segment, bad.get(badKinds++ % bad.size()));
    }
  }

  private void sendBad(String segment, Parcel parcel) {
    if (parcel.segment() != null && parcel.decisionId() != null) {
      truth.context(parcel.segment(), parcel.decisionId(), System.nanoTime());
    }
    sender.send(parcel.kind(), segment, parcel.value());
  }

  /** Sends what comes of a decision, later. */
  void decided(Decision decision) {
    String arm = decision.arm();
    if (arm == null || !decision.decisionId().matches(ROUND + "\\d+")) {
      return;
    }
    int round = Integer.parseInt(decision.decisionId().substring(ROUND.length()));
    RewardFate fate = RewardFate.of(chance, round);
    if (!fate.settles()) {
      return;
    }
    long delay = (long) (chance.of("delay", round) * MOST_DELAY_MILLIS);
    truth.reward(decision.segment(), decision.decisionId());
    var unused =
        timer.schedule(() -> reward(decision, arm, round, fate), delay, TimeUnit.MILLISECONDS);
  }

  private void reward(Decision decision, String arm, int round, RewardFate fate) {
    boolean isClick = clicking.contains(decision.segment());
    Campaign.Answer answer =
        isClick
            ? campaign.click(round % PEOPLE, arm, chance.of("click", round))
            : campaign.answer(round % PEOPLE, arm);
    long now = clock.millis();
    sender.send(TopicKind.REWARDS, decision.segment(), reward(decision, answer, now, 0));
    if (fate == RewardFate.DOUBLED) {
      sender.send(TopicKind.REWARDS, decision.segment(), reward(decision, answer, now, 0));
    } else if (fate == RewardFate.CONTRADICTED) {
      sender.send(
          TopicKind.REWARDS,
          decision.segment(),
          reward(decision, answer, now, isClick ? 1 - 2 * answer.reward() : 1));
    }
  }

  private static byte[] reward(Decision decision, Campaign.Answer answer, long at, double more) {
    return Wire.REWARD.encode(
        new WireReward(
            decision.decisionId(),
            null,
            decision.segment(),
            at,
            answer.reward() + more,
            answer.mediators(),
            null));
  }

  /** Stops for good; what is in the producer's buffer is still sent. */
  @Override
  public void close() {
    timer.shutdownNow();
    sender.close();
  }
}
