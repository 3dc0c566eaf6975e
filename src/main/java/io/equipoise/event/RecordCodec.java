package io.equipoise.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;

/**
 * Turns records of one Java type into Avro bodies (without frame) and back.
 *
 * <p>Binding is by name and happens once. Encoding goes straight from the components to bytes;
 * decoding goes through Avro's generic reader. Safe for use by many threads: its fields are
 * immutable, or Avro's generic reader, which keeps its own state per thread.
 *
 * @param <T> a record whose components are the fields of the schema
 */
public final class RecordCodec<T extends Record> {
  private final Class<T> type;
  private final Schema schema;
  private final RecordBinding binding;
  private final GenericDatumReader<Object> reader;

  private RecordCodec(Class<T> type, Schema schema) {
    this.type = type;
    this.schema = schema;
    this.binding = Binder.bind(type, schema);
    this.reader = new GenericDatumReader<>(schema, schema, new GenericData());
  }

  /** Binds a record to a schema; throws IllegalArgumentException if they do not agree exactly. */
  public static <T extends Record> RecordCodec<T> bind(Class<T> type, Schema schema) {
    return new RecordCodec<>(type, schema);
  }

  /** Returns the schema that is written. */
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
      throw new UncheckedIOException("an array of bytes failed to grow", e);
    }
  }

  /**
   * Reads an Avro body. It must have passed {@link WireGuard} or come from a writer that is
   * trusted.
   *
   * @throws WireException if the body does not follow the schema
   */
  public T decode(byte[] bytes, int from, int length) {
    Object generic;
    try {
      var decoder = DecoderFactory.get().binaryDecoder(bytes, from, length, null);
      generic = reader.read(null, decoder);
    } catch (IOException | AvroRuntimeException e) {
      throw new WireException(
          ErrorCode.MALFORMED,
          "The body does not follow its schema (" + e.getClass().getName() + ")");
    }
    return type.cast(binding.read(generic));
  }

  /**
   * Returns where the Avro body that starts at a place ends, having looked at all its lengths; what
   * follows is not looked at.
   *
   * @throws WireException if the body does not follow the schema
   */
  public static int endOf(Schema schema, byte[] bytes, int from) {
    return WireGuard.end(schema, bytes, from);
  }
}
