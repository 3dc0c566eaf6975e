package io.equipoise.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;

/**
 * Converts records of one Java type to Avro bodies (without frame) and back.
 *
 * <p>Binding is by name and happens once. Immutable and thread-safe.
 *
 * @param <T> a record whose components are the fields of the schema
 */
public final class RecordCodec<T extends Record> {
  private final Class<T> type;
  private final Schema schema;
  private final RecordBinding binding;

  private RecordCodec(Class<T> type, Schema schema) {
    this.type = type;
    this.schema = schema;
    this.binding = Binder.bind(type, schema);
  }

  /** Binds a record to a schema; throws IllegalArgumentException if they differ. */
  public static <T extends Record> RecordCodec<T> bind(Class<T> type, Schema schema) {
    return new RecordCodec<>(type, schema);
  }

  /** Returns the schema of written records. */
  public Schema schema() {
    return schema;
  }

  /** Returns the Avro body. */
  public byte[] encode(T record) {
    var out = new ArrayEncoder();
    encode(record, out);
    return out.toByteArray();
  }

  /** Appends the Avro body. */
  void encode(T record, ArrayEncoder out) {
    try {
      binding.write(record, out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot extend a byte array", e);
    }
  }

  /**
   * Decodes an Avro body. The body must have passed {@link WireGuard} or come from a trusted
   * writer.
   *
   * @throws WireException if the body does not match the schema
   */
  public T decode(byte[] bytes, int from, int length) {
    try {
      return type.cast(binding.read(DecoderFactory.get().binaryDecoder(bytes, from, length, null)));
    } catch (IOException | AvroRuntimeException e) {
      throw new WireException(
          ErrorCode.MALFORMED,
          "The body does not match its schema (" + e.getClass().getName() + ")");
    }
  }

  /**
   * Returns the end of the Avro body that starts at a position, after checking all its lengths.
   * Bytes after it are not read.
   *
   * @throws WireException if the body does not match the schema
   */
  public static int endOf(Schema schema, byte[] bytes, int from) {
    return WireGuard.end(schema, bytes, from);
  }
}
