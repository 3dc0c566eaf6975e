package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.SegmentHarness;
import io.equipoise.job.SpecValidation;
import io.equipoise.job.TestControls;
import io.equipoise.job.ValidationFunction;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Specs whose arms do not fit into a decision as large as the job may write. */
@SuppressWarnings("try") // closing a harness is interruptible
class CatalogLimitTest {
  private static final int MAX_RECORD_BYTES = 100 << 10;
  private static final CatalogLimit LIMIT = new CatalogLimit(MAX_RECORD_BYTES);

  /** Beside each id 13 bytes are listed. */
  private static final String LARGE = spec(500, 170);

  private static final String FAULT =
      "arms, line 12: 500 arms that take 91500 bytes of every decision given; at most 89600, 7/8 of"
          + " equipoise.max-record-bytes (102400); use shorter ids, or raise the option";

  private static String spec(int arms, int idBytes) {
    String list =
        IntStream.range(0, arms)
            .mapToObj(("{id: \"%0" + idBytes + "d\", A: left}")::formatted)
            .collect(Collectors.joining(", ", "arms: [", "]"));
    return TestSpecs.ucb().replace("arms: all", list);
  }

  @Test
  void theArmsMustFitToTheByte() {
    SegmentSpec spec = SpecParser.parse(spec(7, 102)); // 7 x 115 bytes, 7/8 of 920
    new CatalogLimit(920).compiled(spec);
    assertThrows(SpecException.class, () -> new CatalogLimit(918).compiled(spec));
  }

  @Test
  void aSpecThatIsTooLargeIsToldWithTheOptionAndBothNumbers() {
    assertEquals(List.of(FAULT), faults(LARGE));
    SegmentSpec large = SpecParser.parse(LARGE);
    new CatalogLimit(MAX_RECORD_BYTES + (4 << 10)).compiled(large);
  }

  @Test
  void itIsToldBesideTheFaultsOfTheTextAndOfCompiling() {
    List<String> faults =
        faults(
            LARGE.replace("name: test", "name: -test").replace("[low, high]", "[\"1\", \"1.0\"]"));
    assertEquals(3, faults.size(), faults.toString());
    assertTrue(faults.get(0).startsWith("name, line 1"), faults.toString());
    assertTrue(faults.get(1).startsWith("variables.X.levels"), faults.toString());
    assertEquals(FAULT, faults.get(2));
  }

  @Test
  void thePhasesOfAnExperimentMustFit() {
    String experiment =
        TestSpecs.experiment(
            "csr-v2, samples: 60, control: \"A=left\"",
            1,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject");
    assertEquals(
        List.of(
            "arms: 2 arms that take 616 bytes of the record of a phase given; at most 525, 7/8 of"
                + " equipoise.max-record-bytes (600); use shorter ids, or raise the option"),
        faults(experiment, 600));
    assertEquals(List.of(), faults(experiment, 720));
  }

  @Test
  void segmentEventsWithAllMediatorsMustFit() {
    assertEquals(
        List.of(
            "variables: names and longest levels that take 130 bytes of a segment event given; at"
                + " most 105, 7/8 of equipoise.max-record-bytes (120); use fewer variables or arms,"
                + " or shorter names and levels"),
        faults(TestSpecs.ucb(), 120));
    assertEquals(List.of(), faults(TestSpecs.ucb(), 150));
  }

  private static List<String> faults(String text, int maxRecordBytes) {
    return new CatalogLimit(maxRecordBytes)
        .faults(SpecParser.parse(text)).stream().map(SpecFault::toString).toList();
  }

  private static List<String> faults(String text) {
    return assertThrows(SpecException.class, () -> SpecParser.parse(text, LIMIT::compiled))
        .faults()
        .stream()
        .map(SpecFault::toString)
        .toList();
  }

  @Test
  void theGateSendsItToTheDeadLetterAndTheSpecBeforeGoesOn() throws Exception {
    try (OneInputStreamOperatorTestHarness<RawControl, Control> gate =
        ProcessFunctionTestHarnesses.forProcessFunction(new SpecValidation(LIMIT))) {
      gate.processElement(record(TestSpecs.ucb()), 0);
      gate.processElement(record(LARGE), 0);
      List<Control> passed = gate.extractOutputValues();
      assertEquals(1, passed.size());
      assertEquals(TestSpecs.ucb(), ((SpecText) passed.get(0)).text());
      Emission refused =
          Objects.requireNonNull(gate.getSideOutput(ValidationFunction.REFUSED))
              .remove()
              .getValue();
      DeadLetter letter = Wire.DEAD_LETTER.decode(refused.payload().bytes());
      assertEquals("SPEC_REJECTED", letter.code());
      assertTrue(letter.message().startsWith(FAULT), letter.message());
    }
  }

  @Test
  void theLauncherRefusesItBeforeItTouchesABroker(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("large.yaml"), LARGE);
    JobConfig config =
        JobConfig.from(
            Configuration.fromMap(
                Map.of(
                    "equipoise.deployment", "shop",
                    "equipoise.specs", file.toString(),
                    "equipoise.max-record-bytes", "100 kb",
                    "kafka.bootstrap.servers", "localhost:1")));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(config.flink());
    SpecException refused =
        assertThrows(SpecException.class, () -> EquipoiseJob.prepare(config, env));
    assertEquals("large.yaml: " + FAULT, refused.getMessage());
  }

  /** Records of the state's spec would end the sink of a job that may write less, for good. */
  @Test
  void aStateWhoseSpecNoLongerFitsIsRefusedUntilASmallerVersionIsPublished() throws Exception {
    CatalogLimit less = new CatalogLimit(MAX_RECORD_BYTES / 2);
    OperatorSubtaskState state;
    try (SegmentHarness before =
        new SegmentHarness(List.of(text(LARGE)), new CatalogLimit(2 * MAX_RECORD_BYTES))) {
      before.start(null);
      before.processElement(context("d1"), 0);
      int adoption = Wire.SEGMENT_EVENT.encode(before.segmentEvents().get(0)).length;
      assertTrue(adoption > MAX_RECORD_BYTES / 2, adoption + " bytes");
      state = before.snapshot(1, 1);
    }
    try (SegmentHarness after = new SegmentHarness(List.of(), less)) {
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> after.start(state));
      String told = FAULT.replace("89600", "44800").replace("102400", "51200");
      assertEquals(List.of("test: " + told.replace(", line 12", "")), refused.faults());
    }
    String smaller = spec(100, 170).replace("version: 1", "version: 2");
    try (SegmentHarness after = new SegmentHarness(List.of(text(smaller)), less)) {
      after.start(state);
      after.processElement(context("d2"), 1);
      assertEquals(List.of(), after.decisions().get(0).candidates());
    }
  }

  private static ContextEvent context(String id) {
    return new ContextEvent(
        id,
        "s",
        SegmentHarness.ORIGIN,
        Map.of("S", "a", "X", "low"),
        null,
        null,
        new Origin("contexts", 0, 0, SegmentHarness.ORIGIN),
        new byte[] {1});
  }

  private static SpecText text(String text) {
    SegmentSpec spec = SpecParser.parse(text);
    return TestControls.spec(spec.key(), text);
  }

  private static RawControl record(String text) {
    SegmentSpec spec = SpecParser.parse(text);
    String key = spec.key();
    return new RawControl("specs", 0, 0, 0, utf8(key), utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
