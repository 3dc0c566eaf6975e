package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.SimulationSpecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionWarmUpTest {
  private static final int ROUNDS = 20;

  /** Cells with and without mediators, ridge, logistic, allocation, and a best-arm experiment. */
  static Stream<CompiledSpec> specs() {
    return Stream.concat(
        Stream.of(
            SimulationSpecs.cells(),
            SimulationSpecs.ridge(),
            SimulationSpecs.dual(),
            SimulationSpecs.allocation()),
        Stream.concat(
                SpecFiles.load(Path.of("flink-conf", "specs", "email-f-ucb.yaml")).stream(),
                Stream.of(
                    SpecParser.parse(
                        TestSpecs.experiment(
                            "csr-v2, samples: 100, control: \"A=left\"",
                            1,
                            "{reward-window: 60s}",
                            "{range: [0, 1]}",
                            "reject"))))
            .map(CompiledSpec::of));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void everyContextIsDecidedAndEveryRewardLearned(CompiledSpec spec) {
    List<Emission> out = new ArrayList<>();
    Redactor redactor = new Redactor(SensitiveValues.PLAIN, null, 1, hash -> spec.spec());
    assertEquals(
        ROUNDS,
        DecisionWarmUp.play(
            List.of(spec), redactor, ROUNDS, Duration.ofMinutes(1), new ListCollector<>(out)));
    assertEquals(List.of(), values(out, LogTopic.DEAD_LETTER, Wire.DEAD_LETTER));
    List<Decision> decisions = values(out, LogTopic.DECISIONS, Wire.DECISION);
    assertEquals(ROUNDS, decisions.stream().filter(decision -> decision.arm() != null).count());
    long rewards =
        values(out, LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT).stream()
            .filter(
                event ->
                    event.type() == SegmentEventType.REWARD_APPLIED
                        || event.type() == SegmentEventType.REWARD_BUFFERED)
            .count();
    assertEquals(ROUNDS, rewards);
  }

  private static <T extends Record> List<T> values(
      List<Emission> emissions, LogTopic output, Wire<T> wire) {
    return emissions.stream()
        .filter(emission -> emission.output() == output)
        .map(emission -> wire.decode(emission.value()))
        .toList();
  }
}
