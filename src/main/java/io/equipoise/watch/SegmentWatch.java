package io.equipoise.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.Decision;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchRecord;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches one segment by its log. Registrations come before the first record; the log comes from
 * its beginning, in {@code seq} order. Not safe for use by many threads.
 *
 * <p>Open registrations, waiting decisions, the prediction and {@code seq} last from batch to
 * batch. The results are those that no caller has taken yet.
 */
public final class SegmentWatch {
  private final SpecRegistry texts;
  private final int maxPending;
  private final long minimum;
  private final Map<String, Watch> open = new LinkedHashMap<>();
  private final DecisionOrder<WatchedRow> order = new DecisionOrder<>();
  private final List<WatchRecord> results = new ArrayList<>();

  /** Of the spec that decides. */
  private @Nullable RewardRegression prediction;

  private long seq;

  /**
   * Offset of the newest decision; those of a log in order grow, so it tells which watch counts.
   */
  private long newest = -1;

  /**
   * Begins before the first record.
   *
   * @param texts the segment's specs by hash, earlier ones too
   * @param maxPending more waiting decisions end the registrations that have started; the oldest
   *     ones are dropped and teach the prediction of rewards nothing, so that evidence depends on
   *     the log and this number only, not on other registrations
   * @param minimum known values of a published group
   */
  public SegmentWatch(SpecRegistry texts, int maxPending, long minimum) {
    this.texts = texts;
    this.maxPending = maxPending;
    this.minimum = minimum;
  }

  /** Adds a registration; one that cannot be watched ends with the next records. */
  public void add(WatchRecord registered) {
    ChallengerRegistration challenger = registered.challenger();
    GroupsRegistration groups = registered.groups();
    try {
      if (challenger != null) {
        open.put(registered.id(), new ChallengerWatch(registered, challenger, texts));
      } else if (groups != null) {
        open.put(registered.id(), new GroupWatch(registered, groups, minimum));
      }
    } catch (SpecException | IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      results.add(registered.with(new WatchEnded(WatchEnd.FAILED, why)));
    }
  }

  public void withdraw(String id) {
    open.remove(id);
  }

  public boolean isOver() {
    return open.isEmpty() && results.isEmpty();
  }

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
  public List<WatchRecord> on(List<LoggedRecord> batch, Executor tasks) {
    CompletableFuture.allOf(
            challengers().stream()
                .map(it -> CompletableFuture.runAsync(() -> it.replay(batch), tasks))
                .toArray(CompletableFuture[]::new))
        .join();
    for (int place = 0; place < batch.size(); place++) {
      LoggedRecord logged = batch.get(place);
      seq = logged.output().seq();
      for (ChallengerWatch challenger : challengers()) {
        RuntimeException failure = challenger.failureAt(place);
        if (failure != null) {
          String why = "its replay failed at seq " + seq + ": " + failure;
          end(challenger, new WatchEnded(WatchEnd.FAILED, why));
        }
      }
      if (logged.output() instanceof Decision decision) {
        onDecision(decision, logged.offset(), place);
      } else if (logged.output() instanceof SegmentEvent segmentEvent) {
        onSegmentEvent(segmentEvent);
      }
    }
    return taken();
  }

  private List<WatchRecord> taken() {
    List<WatchRecord> taken = List.copyOf(results);
    results.clear();
    return taken;
  }

  /** Ends all registrations because of a fault of the log; returns their ends. */
  public List<WatchRecord> endAll(WatchEnded end) {
    end(any -> true, end);
    return taken();
  }

  private List<ChallengerWatch> challengers() {
    return open.values().stream()
        .filter(ChallengerWatch.class::isInstance)
        .map(ChallengerWatch.class::cast)
        .toList();
  }

  private void end(Watch watch, WatchEnded end) {
    open.remove(watch.registered().id());
    results.add(watch.registered().with(end));
  }

  private void end(Predicate<Watch> which, WatchEnded end) {
    List.copyOf(open.values()).stream().filter(which).forEach(watch -> end(watch, end));
  }

  private void onDecision(Decision decision, long offset, int place) {
    newest = offset;
    challengers().stream()
        .filter(it -> it.counts(offset))
        .forEach(it -> check(it, decision, place));
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
      String why =
          "%d decisions wait for their rewards at seq %d; raise --max-pending, or give the spec a shorter join.reward-window"
              .formatted(order.pending(), seq);
      end(it -> it.counts(newest), new WatchEnded(WatchEnd.TOO_MANY_PENDING, why));
      order.dropOldest(this::count);
    }
  }

  private void check(ChallengerWatch challenger, Decision decision, int place) {
    String champion = challenger.registration().championHash();
    String hash = decision.specHash();
    if (hash != null && !champion.equals(hash)) {
      end(challenger, changed(hash));
      return;
    }
    Shadow shadow = challenger.shadow(place);
    if (decision.propensities().kind() == PropensityKind.ESTIMATED
        || (shadow != null && shadow.isEstimated())) {
      String why = "the propensities of seq %d are shares of draws".formatted(seq);
      end(challenger, new WatchEnded(WatchEnd.ESTIMATED_PROPENSITIES, why));
    }
  }

  private WatchEnded changed(@Nullable String hash) {
    String why = "the segment is under spec %s at seq %d".formatted(hash, seq);
    return new WatchEnded(WatchEnd.CHAMPION_CHANGED, why, hash);
  }

  private void onSegmentEvent(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case SPEC_ADOPTED -> onAdopted(segmentEvent);
      case REWARD_APPLIED, REWARD_TIMEOUT, WINDOW_CLOSED, DECISION_EVICTED -> {
        Long settled = segmentEvent.decisionSeq();
        Double learned = segmentEvent.learnedReward();
        if (settled != null) {
          order.settled(settled, learned == null ? Double.NaN : learned, this::count);
        }
      }
      default -> {} // settles nothing
    }
  }

  private void onAdopted(SegmentEvent segmentEvent) {
    String hash = segmentEvent.specHash();
    end(it -> it.counts(newest) && it instanceof ChallengerWatch, changed(hash));
    CompiledSpec spec = hash == null ? null : texts.byHash(hash);
    prediction = spec == null ? null : new RewardRegression(spec.spec());
  }

  private void count(WatchedRow row, double reward) {
    NumberRange range = row.spec().spec().reward().range();
    double scaled = (reward - range.low()) / range.width();
    RewardRegression known =
        prediction != null && prediction.isOf(row.spec().spec()) ? prediction : null;
    double[] x = known == null ? new double[0] : known.columns(row.person());
    double[] q = new double[row.propensities().length];
    for (int arm = 0; arm < q.length && !row.shadows().isEmpty(); arm++) {
      q[arm] = known == null ? 0.5 : (known.predict(x, arm) - range.low()) / range.width();
    }
    for (Watch watch : List.copyOf(open.values())) {
      WatchRecord result = watch.count(row, scaled, q, order.pending());
      if (result != null) {
        results.add(result);
      }
      if (result != null && result.ended() != null) {
        open.remove(result.id());
      }
    }
    if (known != null && !Double.isNaN(reward)) {
      known.learn(x, row.arm(), reward);
    }
  }
}
