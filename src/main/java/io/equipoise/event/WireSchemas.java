package io.equipoise.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** The schemas of all record types, read from {@code avro/} on the class path. Immutable. */
public final class WireSchemas {
  /** The record types of the wire. */
  public static final List<String> TYPES =
      List.of(
          "ContextEvent",
          "RewardEvent",
          "Decision",
          "FairnessAudit",
          "ExperimentRecord",
          "SegmentEvent",
          "SegmentMetrics",
          "DeadLetter",
          "CausalBound");

  private final Map<String, Schema> byType = new HashMap<>();
  private final Map<Long, Schema> byFingerprint = new HashMap<>();

  private WireSchemas() {
    for (String type : TYPES) {
      Schema schema = parse("/avro/" + type + ".avsc");
      byType.put(type, schema);
      byFingerprint.put(fingerprint(schema), schema);
    }
  }

  /** Reads the schemas from the class path. */
  public static WireSchemas load() {
    return new WireSchemas();
  }

  /** Returns the schema of a record type. */
  public Schema of(String type) {
    return Objects.requireNonNull(byType.get(type), type);
  }

  /** Returns the schema with a CRC-64-AVRO fingerprint. */
  Optional<Schema> withFingerprint(long fingerprint) {
    return Optional.ofNullable(byFingerprint.get(fingerprint));
  }

  static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  private static Schema parse(String resource) {
    try (InputStream in = WireSchemas.class.getResourceAsStream(resource)) {
      return new Schema.Parser().parse(Objects.requireNonNull(in, resource));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
