package io.equipoise.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Encodes records the slow way: by reflection into generic records, then by Avro's own writer. */
final class GenericOracle {
  private static final int SMALL_BLOCK_BYTES = 64;

  private GenericOracle() {}

  static byte[] encode(Record record, Schema schema) {
    var out = new ByteArrayOutputStream();
    return write(
        generic(record, schema), schema, out, EncoderFactory.get().binaryEncoder(out, null));
  }

  static byte[] encodeGeneric(GenericData.Record record) {
    var out = new ByteArrayOutputStream();
    Encoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    return write(record, record.getSchema(), out, encoder);
  }

  /** Encodes with sized (negative) block counts, as other writers may. */
  static byte[] encodeInBlocks(Record record, Schema schema) {
    var out = new ByteArrayOutputStream();
    BinaryEncoder blocking =
        new EncoderFactory().configureBlockSize(SMALL_BLOCK_BYTES).blockingBinaryEncoder(out, null);
    return write(generic(record, schema), schema, out, blocking);
  }

  private static byte[] write(
      @Nullable Object generic, Schema schema, ByteArrayOutputStream out, Encoder encoder) {
    try {
      new GenericDatumWriter<>(schema).write(generic, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Object decode(byte[] body, Schema schema) {
    try {
      return new GenericDatumReader<>(schema)
          .read(null, DecoderFactory.get().binaryDecoder(body, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static @Nullable Object generic(@Nullable Object value, Schema schema) {
    if (value == null) {
      return null;
    }
    if (schema.getType() == Schema.Type.UNION) {
      Schema present = schema.getTypes().get(1);
      return schema.isNullable() ? generic(value, present) : value;
    } else if (value instanceof Record record) {
      return genericRecord(record, schema);
    } else if (value instanceof Enum<?> constant) {
      return new GenericData.EnumSymbol(schema, constant.name());
    } else if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    } else if (schema.getType() == Schema.Type.FIXED) {
      return new GenericData.Fixed(schema, HexFormat.of().parseHex((String) value));
    } else if (value instanceof List<?> list) {
      List<@Nullable Object> items = new ArrayList<>();
      list.forEach(item -> items.add(generic(item, schema.getElementType())));
      return items;
    } else if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> sorted = new TreeMap<>();
      map.forEach((name, each) -> sorted.put((String) name, generic(each, schema.getValueType())));
      return sorted;
    }
    return value;
  }

  private static GenericData.Record genericRecord(Record record, Schema schema) {
    var generic = new GenericData.Record(schema);
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Schema.Field field = schema.getField(component.getName());
      try {
        generic.put(field.pos(), generic(component.getAccessor().invoke(record), field.schema()));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(component.toString(), e);
      }
    }
    return generic;
  }
}
