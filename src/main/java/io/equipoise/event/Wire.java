package io.equipoise.event;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Writes and reads the framed bytes of one record type. Reading accepts every committed version of
 * the schema and refuses hostile bytes before it allocates. Immutable; safe for many threads.
 */
public final class Wire<T extends Record> {
  private static final WireSchemas SCHEMAS = WireSchemas.load();

  public static final Wire<WireContext> CONTEXT = new Wire<>("ContextEvent", WireContext.class);
  public static final Wire<WireReward> REWARD = new Wire<>("RewardEvent", WireReward.class);
  public static final Wire<Decision> DECISION = new Wire<>("Decision", Decision.class);
  public static final Wire<FairnessAudit> AUDIT = new Wire<>("FairnessAudit", FairnessAudit.class);
  public static final Wire<Outcome> OUTCOME = new Wire<>("Outcome", Outcome.class);
  public static final Wire<SegmentMetrics> METRICS =
      new Wire<>("SegmentMetrics", SegmentMetrics.class);
  public static final Wire<DeadLetter> DEAD_LETTER = new Wire<>("DeadLetter", DeadLetter.class);

  public static final Wire<PriorBound> PRIOR = new Wire<>("PriorBound", PriorBound.class);

  public static final Wire<AttemptMarker> ATTEMPT =
      new Wire<>("AttemptMarker", AttemptMarker.class);

  private final RecordCodec<T> codec;
  private final byte[] header;

  private Wire(String name, Class<T> type) {
    this.codec = RecordCodec.bind(type, SCHEMAS.current(name));
    this.header = Frame.header(WireSchemas.fingerprint(codec.schema()));
  }

  /** Returns the schema that is written. */
  public Schema schema() {
    return codec.schema();
  }

  /** Returns the record as Avro single-object encoding. */
  public byte[] encode(T record) {
    ArrayEncoder out = ArrayEncoder.take();
    try {
      out.writeFixed(header, 0, header.length);
      codec.encode(record, out);
      return out.toByteArray();
    } finally {
      out.giveBack();
    }
  }

  /**
   * Reads a record.
   *
   * @throws WireException if the bytes are not a whole record of this type
   */
  public T decode(byte[] bytes) {
    if (!Frame.isFramed(bytes)) {
      throw new WireException(
          ErrorCode.UNFRAMED, "The " + bytes.length + " bytes do not start with a frame");
    }
    Schema writer = writerOf(bytes);
    Optional<String> fault = WireGuard.check(writer, bytes, Frame.HEADER_BYTES);
    if (fault.isPresent()) {
      throw new WireException(ErrorCode.MALFORMED, fault.get());
    }
    return codec.decode(writer, bytes, Frame.HEADER_BYTES, bytes.length - Frame.HEADER_BYTES);
  }

  /**
   * Says whether the frame of a record of this type, of any committed version, begins at a place.
   * No text holds these bytes: they are not UTF-8.
   */
  public boolean beginsAt(byte[] bytes, int at) {
    if (at + Frame.HEADER_BYTES > bytes.length
        || bytes[at] != header[0]
        || bytes[at + 1] != header[1]) {
      return false;
    }
    byte[] begin = Arrays.copyOfRange(bytes, at, at + Frame.HEADER_BYTES);
    return SCHEMAS
        .writer(Frame.fingerprint(begin))
        .filter(writer -> writer.getFullName().equals(schema().getFullName()))
        .isPresent();
  }

  /**
   * Returns the committed version that a writer's schema is, docs and defaults apart.
   *
   * @throws WireException if it is none of this type
   */
  public Schema committed(Schema writer) {
    return writerOf(WireSchemas.fingerprint(writer));
  }

  /**
   * Returns the names of the fields that the writer of a record knew; its others are defaults.
   *
   * @throws WireException if the frame is none of this type
   */
  public Set<String> fieldsOf(byte[] bytes) {
    return writerOf(bytes).getFields().stream()
        .map(Schema.Field::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Schema writerOf(byte[] bytes) {
    return writerOf(Frame.fingerprint(bytes));
  }

  private Schema writerOf(long claimed) {
    Schema writer =
        SCHEMAS
            .writer(claimed)
            .orElseThrow(
                () ->
                    new WireException(
                        ErrorCode.UNKNOWN_SCHEMA,
                        "No known schema has the fingerprint " + Long.toHexString(claimed)));
    if (!writer.getFullName().equals(schema().getFullName())) {
      throw new WireException(
          ErrorCode.UNKNOWN_SCHEMA,
          "The record is a " + writer.getName() + " where a " + schema().getName() + " belongs");
    }
    return writer;
  }
}
