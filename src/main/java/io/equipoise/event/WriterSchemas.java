package io.equipoise.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Converts values in Confluent's wire format to single-object encoding, and back. Thread-safe.
 *
 * <pre>
 *   0 00   1 id of the writer's schema in a registry, big-endian   5 body
 * </pre>
 *
 * <p>A body of this build's schema is copied. A body of another schema is resolved by Avro's rules,
 * record by record: names of records may differ, fields may be added, and a value that this build's
 * schema cannot contain makes its record MALFORMED.
 */
public final class WriterSchemas {
  /** Knows no registry: leaves every value as it is. */
  public static final WriterSchemas NONE = new WriterSchemas();

  private static final int HEADER_BYTES = 5;

  private final @Nullable IntFunction<@Nullable Schema> registry;
  private final Map<WriterKey, Writer> writers = new ConcurrentHashMap<>();

  private record WriterKey(Wire<?> wire, int id) {}

  /**
   * Pairs a writer's schema with a reader of this build's records from it; null for the same
   * schema.
   */
  private record Writer(Schema schema, @Nullable GenericDatumReader<Object> reader) {}

  private WriterSchemas() {
    registry = null;
  }

  /**
   * Asks a registry.
   *
   * @param registry returns the schema of an id, or null if it has none
   */
  public WriterSchemas(IntFunction<@Nullable Schema> registry) {
    this.registry = registry;
  }

  /** Returns a value of single-object encoding in Confluent's format; leaves all other values. */
  public static byte[] framed(int id, byte[] value) {
    if (!Frame.isFramed(value)) {
      return value;
    }
    int body = value.length - Frame.HEADER_BYTES;
    return ByteBuffer.allocate(HEADER_BYTES + body)
        .put((byte) 0)
        .putInt(id)
        .put(value, Frame.HEADER_BYTES, body)
        .array();
  }

  /** Returns whether a value begins as one in Confluent's format. */
  public static boolean isFramed(byte @Nullable [] value) {
    return value != null && value.length >= HEADER_BYTES && value[0] == 0;
  }

  /**
   * Decodes a record in either format.
   *
   * @throws WireException if the bytes are not a complete record of this type
   */
  public <T extends Record> T decode(Wire<T> wire, byte[] value) {
    return wire.decode(singleObject(wire, value));
  }

  /**
   * Returns a value in single-object encoding with the schema of a type; leaves values without
   * Confluent's frame.
   *
   * @throws WireException if the id is unknown, or the body does not follow its schema or cannot be
   *     resolved
   */
  public byte[] singleObject(Wire<?> wire, byte[] value) {
    if (registry == null || !isFramed(value)) {
      return value;
    }
    WriterKey key = new WriterKey(wire, ByteBuffer.wrap(value).getInt(1));
    Writer writer = writers.get(key);
    if (writer == null) {
      writer = writer(wire, key.id(), registry.apply(key.id()));
      writers.put(key, writer);
    }
    WireGuard.check(writer.schema(), value, HEADER_BYTES)
        .ifPresent(
            fault -> {
              throw new WireException(ErrorCode.MALFORMED, fault);
            });
    ByteArrayOutputStream out = new ByteArrayOutputStream(value.length + Frame.HEADER_BYTES);
    out.writeBytes(wire.header());
    if (writer.reader() == null) {
      out.write(value, HEADER_BYTES, value.length - HEADER_BYTES);
    } else {
      resolve(writer.reader(), value, out);
    }
    return out.toByteArray();
  }

  private static void resolve(
      GenericDatumReader<Object> reader, byte[] value, ByteArrayOutputStream out) {
    try {
      Object record =
          reader.read(
              null,
              DecoderFactory.get()
                  .binaryDecoder(value, HEADER_BYTES, value.length - HEADER_BYTES, null));
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      new GenericDatumWriter<>(reader.getExpected()).write(record, encoder);
    } catch (IOException | AvroRuntimeException e) {
      throw new WireException(
          ErrorCode.MALFORMED,
          "The body cannot be resolved to %s: %s"
              .formatted(
                  reader.getExpected().getName(),
                  InputFault.brief(String.valueOf(e.getMessage()))));
    }
  }

  private static Writer writer(Wire<?> wire, int id, @Nullable Schema schema) {
    if (schema == null) {
      throw new WireException(
          ErrorCode.UNKNOWN_SCHEMA, "The schema registry has no Avro schema with the id " + id);
    }
    if (SchemaNormalization.parsingFingerprint64(schema) == Frame.fingerprint(wire.header())) {
      return new Writer(schema, null);
    }
    Schema reader = new Schema.Parser().parse(wire.schema().toString());
    alias(reader, schema);
    return new Writer(schema, new GenericDatumReader<>(schema, reader));
  }

  /** Lets records of the reader's schema have the names of the writer's at the same places. */
  private static void alias(Schema reader, Schema writer) {
    if (reader.getType() == Schema.Type.UNION || writer.getType() == Schema.Type.UNION) {
      for (Schema of : branches(reader)) {
        branches(writer).stream()
            .filter(from -> from.getType() == of.getType())
            .forEach(from -> alias(of, from));
      }
    } else if (reader.getType() == Schema.Type.ARRAY && writer.getType() == Schema.Type.ARRAY) {
      alias(reader.getElementType(), writer.getElementType());
    } else if (reader.getType() == Schema.Type.RECORD && writer.getType() == Schema.Type.RECORD) {
      reader.addAlias(writer.getFullName());
      for (Schema.Field field : reader.getFields()) {
        Schema.Field from = writer.getField(field.name());
        if (from != null) {
          alias(field.schema(), from.schema());
        }
      }
    }
  }

  private static List<Schema> branches(Schema schema) {
    return schema.getType() == Schema.Type.UNION ? schema.getTypes() : List.of(schema);
  }
}
