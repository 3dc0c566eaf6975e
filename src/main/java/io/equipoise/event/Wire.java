package io.equipoise.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Encodes and decodes the framed bytes of one record type. Reads its schema from {@code avro/} on
 * the class path. Accepts only the schema of written records, and rejects hostile bytes before it
 * allocates. Immutable and thread-safe.
 */
public final class Wire<T extends Record> {
  public static final Wire<WireContext> CONTEXT = new Wire<>("ContextEvent", WireContext.class);
  public static final Wire<WireReward> REWARD = new Wire<>("RewardEvent", WireReward.class);
  public static final Wire<Decision> DECISION = new Wire<>("Decision", Decision.class);
  public static final Wire<FairnessAudit> AUDIT = new Wire<>("FairnessAudit", FairnessAudit.class);
  public static final Wire<ExperimentRecord> EXPERIMENT =
      new Wire<>("ExperimentRecord", ExperimentRecord.class);
  public static final Wire<SegmentEvent> SEGMENT_EVENT =
      new Wire<>("SegmentEvent", SegmentEvent.class);
  public static final Wire<SegmentMetrics> METRICS =
      new Wire<>("SegmentMetrics", SegmentMetrics.class);
  public static final Wire<DeadLetter> DEAD_LETTER = new Wire<>("DeadLetter", DeadLetter.class);
  public static final Wire<CausalBound> CAUSAL_BOUND = new Wire<>("CausalBound", CausalBound.class);
  public static final Wire<WatchRecord> WATCH = new Wire<>("WatchRecord", WatchRecord.class);

  /** All record types. */
  public static final List<Wire<?>> ALL =
      List.of(
          CONTEXT,
          REWARD,
          DECISION,
          AUDIT,
          EXPERIMENT,
          SEGMENT_EVENT,
          METRICS,
          DEAD_LETTER,
          CAUSAL_BOUND,
          WATCH);

  private static final Map<Class<?>, Wire<?>> BY_TYPE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(wire -> wire.type, wire -> wire));

  private final Class<T> type;
  private final RecordCodec<T> codec;
  private final byte[] header;

  private Wire(String name, Class<T> type) {
    this.type = type;
    codec = RecordCodec.bind(type, parse("/avro/" + name + ".avsc"));
    header = Frame.header(SchemaNormalization.parsingFingerprint64(codec.schema()));
  }

  private static Schema parse(String resource) {
    try (InputStream in = Wire.class.getResourceAsStream(resource)) {
      return new Schema.Parser().parse(Objects.requireNonNull(in, resource));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }

  /** Encodes what a segment writes, as {@link #encode} of its type does. */
  public static byte[] bytesOf(SegmentOutput output) {
    @SuppressWarnings("unchecked") // the map has each class with the wire of its own type
    Wire<Record> wire = (Wire<Record>) Objects.requireNonNull(BY_TYPE.get(output.getClass()));
    return wire.encode((Record) output);
  }

  /** Returns the bytes before the body of each written record. */
  byte[] header() {
    return header;
  }

  /** Returns the schema of written records. */
  public Schema schema() {
    return codec.schema();
  }

  /**
   * Encodes a record as Avro single-object encoding.
   *
   * @throws IllegalArgumentException if a text of an input has no UTF-8 form. Outputs quote only
   *     what was decoded, and a message of theirs that was cut must not stop the job
   */
  public byte[] encode(T record) {
    ArrayEncoder out =
        ArrayEncoder.take(record instanceof WireContext || record instanceof WireReward);
    try {
      out.writeFixed(header, 0, header.length);
      codec.encode(record, out);
      return out.toByteArray();
    } finally {
      out.giveBack();
    }
  }

  /**
   * Decodes a record.
   *
   * @throws WireException if the bytes are not a complete record of this type
   */
  public T decode(byte[] bytes) {
    int body = bodyOf(bytes);
    return codec.decode(bytes, body, bytes.length - body);
  }

  /**
   * Checks the frame and the body of a record and returns the index where the body starts.
   *
   * @throws WireException if the bytes are not a complete record of this type
   */
  public int bodyOf(byte[] bytes) {
    if (!Frame.isFramed(bytes)) {
      String hint =
          WriterSchemas.isFramed(bytes)
              ? ", but may be in Confluent's format: set schema.registry.url"
              : "";
      throw new WireException(
          ErrorCode.UNFRAMED, "The " + bytes.length + " bytes do not start with a frame" + hint);
    }
    requireFingerprint(Frame.fingerprint(bytes));
    Optional<String> fault = WireGuard.check(schema(), bytes, Frame.HEADER_BYTES);
    if (fault.isPresent()) {
      throw new WireException(ErrorCode.MALFORMED, fault.get());
    }
    return Frame.HEADER_BYTES;
  }

  /**
   * Returns whether the frame of a record of this type starts at a position. Valid UTF-8 never
   * contains these bytes.
   */
  public boolean beginsAt(byte[] bytes, int at) {
    return at + header.length <= bytes.length
        && Arrays.equals(header, 0, header.length, bytes, at, at + header.length);
  }

  /**
   * Checks that records were written with the schema of this type, apart from docs and defaults.
   *
   * @throws WireException if they were written with another schema
   */
  public void requireSchema(Schema writer) {
    requireFingerprint(SchemaNormalization.parsingFingerprint64(writer));
  }

  private void requireFingerprint(long claimed) {
    if (claimed == Frame.fingerprint(header)) {
      return;
    }
    throw new WireException(
        ErrorCode.UNKNOWN_SCHEMA,
        ALL.stream()
            .filter(other -> claimed == Frame.fingerprint(other.header))
            .findFirst()
            .map(
                other ->
                    "The record is a %s, but a %s is required"
                        .formatted(other.schema().getName(), schema().getName()))
            .orElseGet(() -> "No known schema has the fingerprint " + Long.toHexString(claimed)));
  }
}
