package io.equipoise.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;

/**
 * Knows every schema that a record may have been written with: the current ones in {@code avro/}
 * and the committed versions in {@code wire/}, listed oldest first in {@code wire/versions}.
 * Immutable.
 */
public final class WireSchemas {
  /** The record types of the wire. */
  public static final List<String> TYPES =
      List.of(
          "ContextEvent",
          "RewardEvent",
          "Decision",
          "FairnessAudit",
          "Outcome",
          "SegmentMetrics",
          "DeadLetter",
          "PriorBound",
          "AttemptMarker");

  private final Map<String, Schema> current = new HashMap<>();
  private final Map<String, Map<String, Schema>> versions = new LinkedHashMap<>();
  private final Map<Long, Schema> writers = new HashMap<>();

  private WireSchemas() {
    for (String type : TYPES) {
      Schema schema = parse("/avro/" + type + ".avsc").orElseThrow();
      current.put(type, schema);
      writers.put(fingerprint(schema), schema);
    }
    for (String version : text("/wire/versions").orElseThrow().split("\\R", -1)) {
      if (!version.isBlank()) {
        versions.put(version, committed(version));
      }
    }
  }

  /** Reads the schemas from the class path. */
  public static WireSchemas load() {
    return new WireSchemas();
  }

  /** Returns the schema that is written now. */
  public Schema current(String type) {
    return Objects.requireNonNull(current.get(type), type);
  }

  /** Returns the committed versions, oldest first, each by record type. */
  Map<String, Map<String, Schema>> versions() {
    return versions;
  }

  /** Returns the schema with a CRC-64-AVRO fingerprint. */
  Optional<Schema> writer(long fingerprint) {
    return Optional.ofNullable(writers.get(fingerprint));
  }

  static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  private Map<String, Schema> committed(String version) {
    Map<String, Schema> schemas = new HashMap<>();
    for (String type : TYPES) {
      parse("/wire/" + version + "/" + type + ".avsc")
          .ifPresent(
              schema -> {
                requireReadable(version, schema);
                schemas.put(type, schema);
                writers.putIfAbsent(fingerprint(schema), schema);
              });
    }
    return schemas;
  }

  private void requireReadable(String version, Schema writer) {
    var result =
        SchemaCompatibility.checkReaderWriterCompatibility(current(writer.getName()), writer);
    if (result.getType() != SchemaCompatibilityType.COMPATIBLE) {
      throw new IllegalStateException(
          writer.getName() + " of " + version + " cannot be read: " + result.getResult());
    }
  }

  private static Optional<Schema> parse(String resource) {
    return text(resource).map(text -> new Schema.Parser().parse(text));
  }

  private static Optional<String> text(String resource) {
    try (InputStream in = WireSchemas.class.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
