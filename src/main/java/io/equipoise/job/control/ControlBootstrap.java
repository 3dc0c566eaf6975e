package io.equipoise.job.control;

import io.equipoise.event.ControlCharacters;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the control topics of a deployment at the start of a subtask. Keys and ends are those of
 * the last {@link #read}; they are not serialized, and one thread reads and asks.
 */
public final class ControlBootstrap implements ControlSource {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ControlBootstrap.class);

  private final Properties kafka;
  private final Topics topics;
  private final CatalogLimit limit;
  private transient @Nullable Keys keys;
  private transient Map<String, End> ends = Map.of();

  /**
   * Marks where reading a topic ended.
   *
   * @param offset its end offset at that time
   * @param newest the newest append time of its records, ms. Records of a topic that is recreated
   *     while the job runs have small offsets again, but later append times.
   */
  private record End(long offset, long newest) {
    static End of(CompactedTopic.Content topic) {
      return new End(topic.end(), topic.newest());
    }
  }

  public ControlBootstrap(JobConfig config) {
    this.kafka = new Properties();
    this.kafka.putAll(config.kafka());
    this.topics = config.topics();
    this.limit = CatalogLimit.of(config);
  }

  /**
   * Returns the valid records of both topics and the retirements, in order. Only logs invalid
   * records: the job reads them again and sends them to the dead letter.
   */
  @Override
  public List<Control> read(Function<String, @Nullable String> accepted) {
    CompactedTopic.Content specs = CompactedTopic.content(kafka, topics.specs());
    CompactedTopic.Content causalBounds = CompactedTopic.content(kafka, topics.causalBounds());
    keys = new Keys(keysOf(specs), keysOf(causalBounds));
    ends = Map.of(topics.specs(), End.of(specs), topics.causalBounds(), End.of(causalBounds));
    List<Control> good = new ArrayList<>(specs(specs.records(), accepted));
    for (RawControl raw : causalBounds.records()) {
      CausalBoundRecord record = new CausalBoundRecord(raw);
      if (record.read() instanceof CausalBoundRecord.Bad bad) {
        LOG.warn("Row at offset {} of the causal bounds is invalid: {}", raw.offset(), bad.why());
      } else {
        good.add(record);
      }
    }
    return good;
  }

  @Override
  public Keys keys() {
    if (keys == null) {
      throw new IllegalStateException("the control topics have not been read yet");
    }
    return keys;
  }

  @Override
  public boolean hasRead(RawControl record) {
    End end = ends.get(record.topic());
    return end != null && record.offset() < end.offset() && record.appendTime() <= end.newest();
  }

  private static @Nullable Set<String> keysOf(CompactedTopic.Content topic) {
    if (topic.end() == 0) {
      return null;
    }
    Set<String> keys = new HashSet<>();
    for (RawControl record : topic.records()) {
      byte[] key = record.key();
      if (key != null) {
        keys.add(new String(key, StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  /** Returns the invalid records of both topics, in order. */
  List<RawControl> refused() {
    List<RawControl> refused = new ArrayList<>();
    for (RawControl raw : CompactedTopic.read(kafka, topics.specs())) {
      if (spec(raw, limit, key -> null) == null) {
        refused.add(raw);
      }
    }
    for (RawControl raw : CompactedTopic.read(kafka, topics.causalBounds())) {
      if (new CausalBoundRecord(raw).read() instanceof CausalBoundRecord.Bad) {
        refused.add(raw);
      }
    }
    return refused;
  }

  private List<SpecText> specs(
      List<RawControl> records, Function<String, @Nullable String> accepted) {
    List<SpecText> specs = new ArrayList<>();
    for (RawControl raw : records) {
      SpecText spec = spec(raw, limit, accepted);
      if (spec != null) {
        specs.add(spec);
      }
    }
    return specs;
  }

  /** Returns a record of the specs topic, null if it is invalid. */
  private static @Nullable SpecText spec(
      RawControl raw, CatalogLimit limit, Function<String, @Nullable String> accepted) {
    if (raw.key() == null) {
      return null;
    }
    SpecText spec = new SpecText(raw);
    String text = spec.text();
    if (text != null && text.equals(accepted.apply(spec.key()))) {
      return spec;
    }
    try {
      CompiledSpec unused = spec.check(limit);
      return spec;
    } catch (SpecException e) {
      LOG.warn(
          "Spec {} at offset {} is invalid and active nowhere",
          ControlCharacters.escaped(spec.key()),
          raw.offset());
      return null;
    }
  }
}
