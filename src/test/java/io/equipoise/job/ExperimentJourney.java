package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.OfferTraffic;
import io.equipoise.segment.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * Several shops, each with its experiment, on the subtasks of one stage after another: after every
 * stretch of visits all state goes through a canonical savepoint into the next stage's subtasks.
 */
@SuppressWarnings("try") // closing a harness is interruptible
final class ExperimentJourney {
  private static final int SHOPS = 2;
  private static final int MOST_VISITS = 2_000;
  private static final int ENOUGH_SERVED = 10;
  private static final long SECOND = 1_000;

  /** Where a stretch of visits is played. */
  record Stage(SegmentHarness.Backend backend, int parallelism) {}

  private final List<SpecText> specs;
  private final List<Stage> stages;
  private final int stretch;
  private final Map<String, OfferTraffic> traffic = new LinkedHashMap<>();
  private final Map<String, Integer> served = new HashMap<>();
  private final Map<String, Integer> openPhase = new HashMap<>();
  private final Map<String, Integer> phaseAtMove = new HashMap<>();

  private int visits;

  /** What every shop's segment brought forth, in order. */
  final Map<String, List<Emission>> emissions = new LinkedHashMap<>();

  /** How often a phase was open when a segment moved, and took samples after it. */
  int movesInMidPhase;

  /**
   * Plays at once.
   *
   * @param stages taken in turn, again and again
   * @param stretch visits of each shop between two moves
   */
  ExperimentJourney(String spec, long seed, List<Stage> stages, int stretch) throws Exception {
    var compiled = TestSpecs.compiled(spec).spec();
    specs = List.of(TestControls.spec(compiled.key(), spec));
    this.stages = stages;
    this.stretch = stretch;
    for (int shop = 0; shop < SHOPS; shop++) {
      traffic.put("shop-" + shop, new OfferTraffic(seed + shop, "shop-" + shop));
      emissions.put("shop-" + shop, new ArrayList<>());
    }
    play();
  }

  /** Says whether every experiment came to its end, and its segment served on. */
  boolean hasServed() {
    return traffic.keySet().stream().allMatch(it -> served.getOrDefault(it, 0) >= ENOUGH_SERVED);
  }

  /** Returns how many visits every shop had. */
  int visits() {
    return visits;
  }

  private void play() throws Exception {
    OperatorSubtaskState state = null;
    int before = 1;
    long now = SegmentHarness.ORIGIN;
    for (int move = 0; move * stretch < MOST_VISITS && !hasServed(); move++) {
      Stage stage = stages.get(move % stages.size());
      List<SegmentHarness> subtasks = start(stage, state, before);
      for (int visit = 0; visit < stretch; visit++) {
        now += SECOND;
        visits++;
        visit(subtasks, now);
      }
      phaseAtMove.putAll(openPhase);
      state = savepoint(subtasks, move + 1);
      before = stage.parallelism();
    }
  }

  private List<SegmentHarness> start(
      Stage stage, @Nullable OperatorSubtaskState state, int parallelismBefore) throws Exception {
    List<SegmentHarness> subtasks = new ArrayList<>();
    for (int subtask = 0; subtask < stage.parallelism(); subtask++) {
      SegmentHarness harness =
          new SegmentHarness(stage.backend(), stage.parallelism(), subtask, specs);
      harness.start(
          state == null
              ? null
              : SegmentHarness.repartitionOperatorState(
                  state,
                  SegmentHarness.MAX_PARALLELISM,
                  parallelismBefore,
                  stage.parallelism(),
                  subtask));
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      subtasks.add(harness);
    }
    return subtasks;
  }

  private static OperatorSubtaskState savepoint(List<SegmentHarness> subtasks, int id)
      throws Exception {
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (SegmentHarness subtask : subtasks) {
      states.add(
          subtask
              .snapshotWithLocalState(
                  id, id, SavepointType.savepoint(SavepointFormatType.CANONICAL))
              .getJobManagerOwnedState());
      subtask.close();
    }
    return AbstractStreamOperatorTestHarness.repackageState(
        states.toArray(OperatorSubtaskState[]::new));
  }

  private void visit(List<SegmentHarness> subtasks, long now) throws Exception {
    for (Map.Entry<String, OfferTraffic> shop : traffic.entrySet()) {
      SegmentHarness owner =
          subtasks.stream().filter(it -> it.owns(shop.getKey())).findFirst().orElseThrow();
      for (OfferTraffic.Sent sent : shop.getValue().visit(now)) {
        owner.processElement(input(sent), 0);
        collect(owner);
      }
    }
    for (SegmentHarness subtask : subtasks) {
      subtask.processWatermark(now - 5 * SECOND);
      collect(subtask);
    }
  }

  private static Input input(OfferTraffic.Sent sent) {
    return sent instanceof OfferTraffic.Visit visit
        ? visit.event()
        : ((OfferTraffic.Outcome) sent).event();
  }

  private void collect(SegmentHarness subtask) {
    for (Object one = subtask.getOutput().poll(); one != null; one = subtask.getOutput().poll()) {
      if (one instanceof StreamRecord<?> element) {
        Emission emission = (Emission) element.getValue();
        String shop = new String(Objects.requireNonNull(emission.key()), StandardCharsets.UTF_8);
        Objects.requireNonNull(emissions.get(shop)).add(emission);
        if (emission.output() == LogTopic.DECISIONS) {
          decided(shop, Wire.DECISION.decode(emission.value()));
        }
      }
    }
  }

  private void decided(String shop, Decision decision) {
    Objects.requireNonNull(traffic.get(shop)).show(decision);
    Integer phase = decision.sample() == null ? null : decision.sample().phase();
    if (decision.reason() == DecisionReason.SAMPLE && phase != null) {
      movesInMidPhase += phase.equals(phaseAtMove.remove(shop)) ? 1 : 0;
      openPhase.put(shop, phase);
    }
    served.merge(shop, decision.reason() == DecisionReason.RECOMMENDED ? 1 : 0, Integer::sum);
  }
}
