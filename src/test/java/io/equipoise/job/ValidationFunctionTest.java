package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters that are written before the segment operator have counters too. */
@SuppressWarnings("try") // closing a harness is interruptible
class ValidationFunctionTest {
  private final Map<String, Counter> counters = new TreeMap<>();

  @Test
  void inputsThatCannotBeDecodedAreCountedByCode() throws Exception {
    assertRefused(
        new InputValidation(),
        List.of(bad(ErrorCode.UNFRAMED), bad(ErrorCode.SKIPPED), bad(ErrorCode.UNFRAMED)),
        List.of("UNFRAMED", "SKIPPED", "UNFRAMED"));
    assertEquals(
        Map.of("deadLetter.UNFRAMED.records", 2L, "deadLetter.SKIPPED.records", 1L), counted());
  }

  @Test
  void badSpecsAreCounted() throws Exception {
    assertRefused(
        new SpecValidation(new CatalogLimit(1 << 20)),
        List.of(record(null, "name: shop"), record("shop", null), record("shop/1", "name: shop")),
        List.of("SPEC_REJECTED", "SPEC_REJECTED", "SPEC_REJECTED"));
    assertEquals(Map.of("deadLetter.SPEC_REJECTED.records", 3L), counted());
  }

  @Test
  void badBoundsAreCountedByCode() throws Exception {
    assertRefused(
        new BoundsValidation(),
        List.of(record("shop", "row"), record("shop@" + "0".repeat(32) + "/A=a/S=b", "row")),
        List.of("BOUNDS_REJECTED", "UNFRAMED"));
    assertEquals(
        Map.of("deadLetter.BOUNDS_REJECTED.records", 1L, "deadLetter.UNFRAMED.records", 1L),
        counted());
  }

  private <I, O> void assertRefused(
      ValidationFunction<I, O> validationFunction, List<I> records, List<String> codes)
      throws Exception {
    var registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, group) -> {
                  if (metric instanceof Counter counter) {
                    counters.put(group.getMetricIdentifier(name), counter);
                  }
                })
            .build();
    var task =
        TaskManagerMetricGroup.createTaskManagerMetricGroup(registry, "host", ResourceID.generate())
            .addJob(new JobID(), "job")
            .addTask(ExecutionAttemptID.randomId(), "task");
    try (MockEnvironment environment = MockEnvironment.builder().setMetricGroup(task).build();
        var harness =
            new OneInputStreamOperatorTestHarness<>(
                new ProcessOperator<>(validationFunction), environment)) {
      harness.setup();
      harness.open();
      for (I record : records) {
        harness.processElement(record, 0);
      }
      assertEquals(List.of(), harness.extractOutputValues());
      assertEquals(
          codes,
          Objects.requireNonNull(harness.getSideOutput(ValidationFunction.REFUSED)).stream()
              .map(refused -> Wire.DEAD_LETTER.decode(refused.getValue().value()).code())
              .toList());
    }
  }

  private Map<String, Long> counted() {
    Map<String, Long> counted = new TreeMap<>();
    counters.forEach(
        (identifier, counter) -> {
          int at = identifier.indexOf("deadLetter.");
          if (at >= 0) {
            counted.put(identifier.substring(at), counter.getCount());
          }
        });
    return counted;
  }

  private static Decoded bad(ErrorCode code) {
    return new Decoded.Bad(
        DeadLetter.undecodable(code, "why", new Origin("contexts", 0, 0, 0), null, null));
  }

  private static RawControl record(@Nullable String key, @Nullable String value) {
    return new RawControl("controls", 0, 0, 0, bytes(key), bytes(value));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
