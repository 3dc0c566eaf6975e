package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.job.SegmentHarness;
import io.equipoise.job.TestControls;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.topics.Emission;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.TestRecord;
import io.equipoise.tools.demo.ShippedSpecs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The records of the Email Campaign stay as small as docs/benchmarks.md promises: the inputs of
 * {@code bench passthrough --records 20000}, through the operator in Flink's harness.
 */
@Tag("slow")
class RecordSizesTest {
  private static final int CONTEXTS = Tier.count(2_000, 10_000);
  private static final int SEGMENTS = Tier.count(12, 64);

  /** Contexts between one and its reward: about a poll of a Kafka consumer, as in the benchmark. */
  private static final int REWARD_LAG = 500;

  private static final int MAX_RECORD_BYTES = 1 << 20;

  /** The largest mean of a topic's values, in bytes. */
  private static final Map<LogTopic, Integer> LIMITS =
      Map.of(LogTopic.DECISIONS, 230, LogTopic.SEGMENT_EVENTS, 250, LogTopic.AUDIT, 280);

  private final InputDecoder decoder = new InputDecoder(MAX_RECORD_BYTES);

  @ParameterizedTest
  @ValueSource(strings = {"f-ucb", "screen"})
  @SuppressWarnings("try") // closing a harness is interruptible
  void recordsOfTheEmailCampaignKeepTheirSizes(String policy, @TempDir Path directory)
      throws Exception {
    Workload workload =
        Workload.of(
            SpecFiles.selfContained(ShippedSpecs.write(directory, policy)), CONTEXTS, SEGMENTS);
    var spec = TestControls.spec(workload.spec().key(), workload.spec().text());
    try (var harness = new SegmentHarness(List.of(spec), new CatalogLimit(MAX_RECORD_BYTES))) {
      harness.start(null);
      for (int i = 0; i < CONTEXTS + REWARD_LAG; i++) {
        if (i < CONTEXTS) {
          long time = SegmentHarness.ORIGIN + workload.contextOffset(i);
          harness.processElement(input(workload.context(i, time), i), time);
        }
        int rewarded = i - REWARD_LAG;
        if (rewarded >= 0) {
          long time = SegmentHarness.ORIGIN + workload.rewardOffset(rewarded);
          harness.processElement(input(workload.reward(rewarded, time), rewarded), time);
        }
      }
      Map<LogTopic, List<byte[]>> values =
          harness.extractOutputValues().stream()
              .collect(
                  Collectors.groupingBy(
                      Emission::output, Collectors.mapping(Emission::value, Collectors.toList())));
      assertEquals(CONTEXTS, values.get(LogTopic.DECISIONS).size());
      assertEquals(CONTEXTS, values.get(LogTopic.AUDIT).size());
      LIMITS.forEach(
          (topic, limit) -> {
            double mean = values.get(topic).stream().mapToInt(it -> it.length).average().orElse(0);
            assertTrue(mean > 0 && mean <= limit, topic + ": " + mean + " bytes; at most " + limit);
          });
    }
  }

  private Input input(TestRecord record, int offset) {
    Origin origin = new Origin(record.kind().name(), 0, offset, SegmentHarness.ORIGIN);
    byte[] key = record.segment().getBytes(StandardCharsets.UTF_8);
    Decoded decoded = decoder.decode(record.kind(), key, record.value(), origin, Long.MAX_VALUE);
    return ((Decoded.Good) decoded).input();
  }
}
