package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Wire;
import io.equipoise.job.ExperimentJourney.Stage;
import io.equipoise.job.SegmentHarness.Backend;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.ExperimentBatch;
import io.equipoise.segment.OfferTraffic;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Experiments through savepoints in mid-phase, on both backends and on one and two subtasks. */
class ExperimentJourneyTest {
  private static final long SEED = 81;
  private static final int STRETCH = 13;
  private static final int FEWEST_MOVES = 3;
  private static final Map<String, ExperimentJourney> AT_HOME = new HashMap<>();

  /** The CI tier plays the first ones: RocksDB from itself, and each backend from the other. */
  static List<Arguments> journeys() {
    Backend heap = Backend.HASHMAP;
    Backend rocks = Backend.ROCKSDB;
    List<Arguments> all =
        List.of(
            Arguments.of("csr-v2", "natural", rocks, rocks, rocks),
            Arguments.of("csr-v1", "separate", heap, rocks, heap),
            Arguments.of("ts-v2", "pooled", heap, heap, rocks),
            Arguments.of("csr-v2", "natural", heap, heap, heap),
            Arguments.of("ts-v2", "pooled", heap, rocks, heap),
            Arguments.of("ts-v1", "natural", rocks, heap, rocks));
    return all.subList(0, Tier.count(2, all.size()));
  }

  @ParameterizedTest
  @MethodSource("journeys")
  void savepointsAndRescalingInMidPhaseChangeNothing(
      String policy, String mode, Backend one, Backend two, Backend oneAgain) throws Exception {
    String spec =
        OfferTraffic.spec()
            .replace("name: csr-v2", "name: " + policy)
            .replace("mode: natural", "mode: " + mode)
            .replace("samples: 3000", "samples: 60");
    ExperimentJourney moved =
        new ExperimentJourney(
            spec,
            SEED,
            List.of(new Stage(one, 1), new Stage(two, 2), new Stage(oneAgain, 1)),
            STRETCH);
    ExperimentJourney atHome = AT_HOME.get(spec);
    if (atHome == null) {
      atHome = atHome(spec, moved);
      AT_HOME.put(spec, atHome);
    }
    assertTrue(moved.hasServed(), "seed " + SEED + ": an experiment did not end");
    assertTrue(moved.movesInMidPhase >= FEWEST_MOVES, "only " + moved.movesInMidPhase);
    for (String shop : moved.emissions.keySet()) {
      List<Emission> without = Objects.requireNonNull(atHome.emissions.get(shop));
      List<Emission> with = Objects.requireNonNull(moved.emissions.get(shop));
      assertEquals(without, with, shop + ", seed " + SEED);
      RecordedLog log = log(with);
      log.replay(new ReplayOracle(new TestBook().publish(spec)));
      ExperimentBatch.assertAgrees(TestSpecs.compiled(spec), log);
    }
  }

  /** The same visits on one subtask that nothing disturbs. */
  private static ExperimentJourney atHome(String spec, ExperimentJourney moved) throws Exception {
    return new ExperimentJourney(
        spec, SEED, List.of(new Stage(Backend.HASHMAP, 1)), moved.visits());
  }

  private static RecordedLog log(List<Emission> emissions) {
    RecordedLog log = new RecordedLog();
    for (Emission emission : emissions) {
      switch (emission.output()) {
        case DECISIONS -> log.write(Wire.DECISION.decode(emission.value()));
        case SEGMENT_EVENTS -> log.write(Wire.SEGMENT_EVENT.decode(emission.value()));
        case METRICS -> log.write(Wire.METRICS.decode(emission.value()));
        case AUDIT -> log.write(Wire.AUDIT.decode(emission.value()));
        case EXPERIMENTS -> log.write(Wire.EXPERIMENT.decode(emission.value()));
        case DEAD_LETTER, CONTEXTS, REWARDS -> {}
      }
    }
    return log;
  }
}
