package io.equipoise.job;

import io.equipoise.cli.Printable;
import io.equipoise.spec.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the control topics of a deployment as they are when a subtask starts. */
final class ControlBootstrap implements ControlSource {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ControlBootstrap.class);

  private final Properties kafka;
  private final Topics topics;
  private final CatalogueLimit limit;

  ControlBootstrap(JobConfig config) {
    this.kafka = new Properties();
    this.kafka.putAll(config.kafka());
    this.topics = config.topics();
    this.limit = CatalogueLimit.of(config);
  }

  /**
   * Returns the good records of both topics and the retirements, in order. A bad one is logged
   * only: the job reads it once more and sends it to the dead letter.
   */
  @Override
  public List<Control> read() {
    List<Control> good = new ArrayList<>(specs());
    for (RawControl raw : CompactedTopic.read(kafka, topics.priors())) {
      PriorRecord record = new PriorRecord(raw);
      if (record.read() instanceof PriorRecord.Bad bad) {
        LOG.warn("Row at offset {} of the priors is bad: {}", raw.offset(), bad.why());
      } else {
        good.add(record);
      }
    }
    return good;
  }

  /** Returns the records of both topics that cannot be used, in order. */
  List<RawControl> refused() {
    List<RawControl> refused = new ArrayList<>();
    for (RawControl raw : CompactedTopic.read(kafka, topics.specs())) {
      if (spec(raw, limit) == null) {
        refused.add(raw);
      }
    }
    for (RawControl raw : CompactedTopic.read(kafka, topics.priors())) {
      if (new PriorRecord(raw).read() instanceof PriorRecord.Bad) {
        refused.add(raw);
      }
    }
    return refused;
  }

  /** Returns the good specs and the retirements, in order. */
  List<SpecText> specs() {
    List<SpecText> specs = new ArrayList<>();
    for (RawControl raw : CompactedTopic.read(kafka, topics.specs())) {
      SpecText spec = spec(raw, limit);
      if (spec != null) {
        specs.add(spec);
      }
    }
    return specs;
  }

  /** Returns a record of the specs topic, null where it is bad. */
  private static @Nullable SpecText spec(RawControl raw, CatalogueLimit limit) {
    byte[] key = raw.key();
    if (key == null) {
      return null;
    }
    SpecText spec = SpecText.of(key, raw.value());
    try {
      spec.check(limit);
      return spec;
    } catch (SpecException e) {
      LOG.warn(
          "Spec {} at offset {} is bad and in force nowhere",
          Printable.line(spec.key()),
          raw.offset());
      return null;
    }
  }
}
