package io.equipoise.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.Decision;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEvidence;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.NumberRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches one segment by its log. Registrations come before the first record; the log comes from
 * its beginning, in {@code seq} order. Not safe for use by many threads.
 *
 * <p>Open registrations, waiting decisions, the prediction, the last adoption and {@code seq} last
 * from batch to batch. The results are those of one batch, and are cleared when the next one
 * begins.
 */
public final class SegmentWatch {
  private final String segment;
  private final SpecRegistry texts;
  private final int maxPending;
  private final Map<String, Watch> open = new LinkedHashMap<>();
  private final DecisionOrder<WatchedRow> order = new DecisionOrder<>();
  private final List<WatchResult> results = new ArrayList<>();
  private @Nullable Prediction prediction;
  private @Nullable SegmentEvent adopted;
  private long seq;

  /** The regression of the spec that decides, and the spec. */
  private record Prediction(CompiledSpec spec, RewardRegression regression) {}

  /**
   * Begins before the first record.
   *
   * @param texts the segment's specs by hash, earlier ones too
   * @param maxPending more waiting decisions end the registrations that have started; the oldest
   *     ones are dropped and teach the prediction of rewards nothing, so that evidence depends on
   *     the log and this number only, not on other registrations
   */
  public SegmentWatch(String segment, SpecRegistry texts, int maxPending) {
    this.segment = segment;
    this.texts = texts;
    this.maxPending = maxPending;
  }

  /**
   * Adds a challenger.
   *
   * @throws io.equipoise.segmentspec.SpecException if its text is no spec
   * @throws IllegalArgumentException if the text of the spec that decided is not known
   */
  public void challenger(String id, ChallengerRegistration registration) {
    open.put(id, new ChallengerWatch(id, registration, segment, texts));
  }

  /** Adds a group monitor. */
  public void groups(String id, GroupsRegistration registration) {
    open.put(id, new GroupWatch(id, registration));
  }

  /** Forgets a registration that a person has ended. */
  public void withdraw(String id) {
    open.remove(id);
  }

  /** Returns how many decisions wait for their rewards. */
  public int pending() {
    return order.pending();
  }

  /** Returns the seq of the last record, 0 before the first. */
  public long seq() {
    return seq;
  }

  /**
   * Takes the next records.
   *
   * @param batch in seq order; results do not depend on where batches end
   * @param tasks runs the replay of each challenger, {@code Runnable::run} in this thread
   * @return evidence and ends, in the order of the records
   */
  public List<WatchResult> on(List<LoggedRecord> batch, Executor tasks) {
    CompletableFuture.allOf(
            challengers().stream()
                .map(it -> CompletableFuture.runAsync(() -> it.replay(batch), tasks))
                .toArray(CompletableFuture[]::new))
        .join();
    results.clear();
    for (int place = 0; place < batch.size(); place++) {
      LoggedRecord logged = batch.get(place);
      seq = logged.output().seq();
      for (ChallengerWatch challenger : challengers()) {
        RuntimeException failure = challenger.failureAt(place);
        if (failure != null) {
          end(challenger, WatchEnd.FAILED, "its replay failed at seq " + seq + ": " + failure);
        }
      }
      if (logged.output() instanceof Decision decision) {
        onDecision(decision, logged.offset(), place);
      } else if (logged.output() instanceof SegmentEvent segmentEvent) {
        onSegmentEvent(segmentEvent);
      }
    }
    return List.copyOf(results);
  }

  private List<ChallengerWatch> challengers() {
    return open.values().stream()
        .filter(ChallengerWatch.class::isInstance)
        .map(ChallengerWatch.class::cast)
        .toList();
  }

  private void end(Watch watch, WatchEnd reason, String message) {
    open.remove(watch.id());
    results.add(new WatchResult.Ended(watch.id(), reason, message));
  }

  private void endStarted(Predicate<Watch> which, WatchEnd reason, String message) {
    for (Watch watch : List.copyOf(open.values())) {
      if (watch.isStarted() && which.test(watch)) {
        end(watch, reason, message);
      }
    }
  }

  private void onDecision(Decision decision, long offset, int place) {
    for (Watch watch : List.copyOf(open.values())) {
      if (watch.start(offset) && watch instanceof ChallengerWatch challenger) {
        check(challenger, decision, place);
      }
    }
    CompiledSpec spec = decision.specHash() == null ? null : texts.byHash(decision.specHash());
    if (spec == null || !decision.reason().isLearned()) {
      return;
    }
    if (!decision.candidates().isEmpty() || decision.features() == null) {
      open.values().stream().filter(it -> it.counts(offset)).forEach(Watch::leaveOut);
      return;
    }
    Map<ChallengerWatch, Shadow> shadows = new HashMap<>();
    for (ChallengerWatch challenger : challengers()) {
      Shadow shadow = challenger.counts(offset) ? challenger.shadow(place) : null;
      if (shadow != null) {
        shadows.put(challenger, shadow);
      }
    }
    order.decided(decision.seq(), WatchedRow.of(decision, offset, spec, shadows));
    if (order.pending() > maxPending) {
      endStarted(
          any -> true,
          WatchEnd.TOO_MANY_PENDING,
          "%d decisions wait for their rewards at seq %d; raise --max-pending, or give the spec a"
                  .formatted(order.pending(), seq)
              + " shorter join.reward-window");
      order.dropOldest(this::count);
    }
  }

  private void check(ChallengerWatch challenger, Decision decision, int place) {
    String champion = challenger.registration().championHash();
    String hash = decision.specHash();
    if (hash != null && !champion.equals(hash)) {
      end(challenger, WatchEnd.CHAMPION_CHANGED, changed(hash));
      return;
    }
    Shadow shadow = challenger.shadow(place);
    if (decision.propensities().kind() == PropensityKind.ESTIMATED
        || (shadow != null && shadow.isEstimated())) {
      end(
          challenger,
          WatchEnd.ESTIMATED_PROPENSITIES,
          "the propensities of seq %d are shares of draws".formatted(seq));
    }
  }

  private String changed(@Nullable String hash) {
    SegmentEvent last = adopted;
    return last != null && Objects.equals(hash, last.specHash())
        ? "the segment adopted spec %s at seq %d".formatted(hash, last.seq())
        : "the segment is under spec %s at seq %d".formatted(hash, seq);
  }

  private void onSegmentEvent(SegmentEvent segmentEvent) {
    SegmentEventType type = segmentEvent.type();
    if (type == SegmentEventType.SPEC_ADOPTED) {
      adopted = segmentEvent;
      String hash = segmentEvent.specHash();
      endStarted(ChallengerWatch.class::isInstance, WatchEnd.CHAMPION_CHANGED, changed(hash));
      CompiledSpec spec = hash == null ? null : texts.byHash(hash);
      prediction = spec == null ? null : new Prediction(spec, new RewardRegression(spec.spec()));
    }
    Long settled = segmentEvent.decisionSeq();
    boolean isSettlement =
        type == SegmentEventType.REWARD_APPLIED
            || type == SegmentEventType.REWARD_TIMEOUT
            || type == SegmentEventType.WINDOW_CLOSED
            || type == SegmentEventType.DECISION_EVICTED;
    if (settled != null && isSettlement) {
      Double learned = segmentEvent.learnedReward();
      order.settled(settled, learned == null ? Double.NaN : learned, this::count);
    }
  }

  private void count(DecisionOrder.OrderedRow<WatchedRow> waited) {
    WatchedRow row = waited.decision;
    NumberRange range = row.spec().spec().reward().range();
    double reward = (waited.reward() - range.low()) / range.width();
    Watch.Counted counted = new Watch.Counted(waited.seq, reward, order.pending());
    Prediction known = prediction;
    boolean isOfPrediction =
        known != null && known.spec().spec().hash().equals(row.spec().spec().hash());
    double[] x =
        isOfPrediction ? known.regression().columns(row.levels(), row.numbers()) : new double[0];
    double[] q = new double[row.propensities().length];
    for (int arm = 0; arm < q.length && !row.shadows().isEmpty(); arm++) {
      q[arm] =
          isOfPrediction ? (known.regression().predict(x, arm) - range.low()) / range.width() : 0.5;
    }
    for (Watch watch : List.copyOf(open.values())) {
      String change = watch instanceof GroupWatch groups ? groups.otherScale(row) : null;
      if (change != null) {
        end(watch, WatchEnd.CHAMPION_CHANGED, change);
        continue;
      }
      WatchEvidence evidence = watch.count(row, q, counted);
      if (evidence != null) {
        results.add(new WatchResult.Evidence(watch.id(), evidence));
      }
    }
    if (isOfPrediction && !Double.isNaN(reward)) {
      known.regression().learn(x, row.arm(), waited.reward());
    }
  }
}
