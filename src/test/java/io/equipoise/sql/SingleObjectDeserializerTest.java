package io.equipoise.sql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Wire;
import io.equipoise.event.WireReward;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.registry.TestRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.util.RandomData;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SingleObjectDeserializerTest {
  static Stream<Schema> schemas() {
    return Wire.ALL.stream().map(Wire::schema);
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void everyFieldOfEveryRecordIsAColumn(Schema schema) throws Exception {
    var deserializer = of(schema.getName(), AvroColumns.type(schema), false);
    var encoder = new BinaryMessageEncoder<Object>(new GenericData(), schema);
    for (Object each : new RandomData(schema, Tier.count(100, 2000), 1L)) {
      var out = new ByteArrayOutputStream();
      encoder.encode(each, out);
      assertEqual(schema, each, deserializer.deserialize(out.toByteArray()));
    }
  }

  @Test
  void columnsAreFoundByNameAndOthersAreLeftOut() throws Exception {
    DataType some =
        DataTypes.ROW(
            DataTypes.FIELD("arm", DataTypes.STRING()),
            DataTypes.FIELD("place", DataTypes.ROW(DataTypes.FIELD("seq", DataTypes.BIGINT()))));
    Schema schema = Wire.DECISION.schema();
    GenericData.Record decision =
        (GenericData.Record) new RandomData(schema, 1, 2L).iterator().next();
    decision.put("arm", "left");
    var out = new ByteArrayOutputStream();
    new BinaryMessageEncoder<Object>(new GenericData(), schema).encode(decision, out);
    RowData row = of("Decision", some, false).deserialize(out.toByteArray());
    assertEquals("left", row.getString(0).toString());
    Object seq = ((GenericData.Record) decision.get("place")).get("seq");
    assertEquals(seq, row.getRow(1, 1).getLong(0));
  }

  @Test
  void aWrongColumnIsRefusedWithItsPath() {
    DataType unknown =
        DataTypes.ROW(
            DataTypes.FIELD("place", DataTypes.ROW(DataTypes.FIELD("sqe", DataTypes.BIGINT()))));
    assertRefused("Decision", unknown, "Column place.sqe is not in the schema Place");
    DataType other = DataTypes.ROW(DataTypes.FIELD("certified", DataTypes.STRING()));
    assertRefused("Decision", other, "Column certified is declared STRING; declare it BOOLEAN");
    assertRefused(
        "Decison", other, "Option avro-single-object.record is Decison; allowed are [ContextEvent");
  }

  /** Markers of writer epochs have no value. */
  @Test
  void aNullValueGivesNoRowAndABadOneFailsUnlessErrorsAreIgnored() throws Exception {
    DataType columns = AvroColumns.type(Wire.DECISION.schema());
    byte[] bad = {1, 2, 3};
    assertNull(of("Decision", columns, false).deserialize(null));
    String message =
        assertThrows(IOException.class, () -> of("Decision", columns, false).deserialize(bad))
            .getMessage();
    assertEquals(
        "A value is no Decision: The 3 bytes do not start with a frame. Set"
            + " avro-single-object.ignore-parse-errors to 'true' to skip such records.",
        message);
    assertNull(of("Decision", columns, true).deserialize(bad));
  }

  /**
   * Of a writer with a schema of its own, a job of the deployment, and a job without a registry.
   */
  @Test
  void aRegistryGivesTheSchemasOfConfluentsFrames() throws Exception {
    try (TestRegistry registry = new TestRegistry()) {
      Schema schema = Wire.REWARD.schema();
      String text = schema.toString();
      int end = text.lastIndexOf(']');
      Schema foreign =
          new Schema.Parser()
              .parse(
                  text.substring(0, end)
                      + ",{\"name\":\"shelf\",\"type\":\"int\"}"
                      + text.substring(end));
      byte[] single =
          Wire.REWARD.encode(new WireReward("d1", null, "s", 1, 0.25, Map.of("M", "1"), null));
      byte[] longer =
          WriterSchemas.framed(
              registry.register("shop-value", foreign), Arrays.copyOf(single, single.length + 1));
      byte[] own = WriterSchemas.framed(registry.register("own-value", schema), single);
      byte[] unknown = WriterSchemas.framed(99, single);
      DataType columns = AvroColumns.type(schema);
      var access = new SingleObjectDeserializer.Registry(registry.url(), null, "secret");
      var reader = of("RewardEvent", columns, false, access);
      RowData row = reader.deserialize(single);
      assertEquals(0.25, row.getDouble(schema.getField("reward").pos()));
      assertEquals(row, reader.deserialize(own));
      assertEquals(row, reader.deserialize(longer));
      assertEquals("Bearer secret", registry.authorization());
      String message =
          assertThrows(IOException.class, () -> reader.deserialize(unknown)).getMessage();
      assertTrue(message.contains("no Avro schema with the id 99"), message);
      assertThrows(
          IOException.class,
          () -> of("RewardEvent", columns, false).deserialize(own),
          "no registry");
    }
  }

  private static void assertRefused(String record, DataType columns, String message) {
    String said =
        assertThrows(ValidationException.class, () -> of(record, columns, false)).getMessage();
    assertTrue(said.startsWith(message), said);
  }

  private static SingleObjectDeserializer of(String record, DataType columns, boolean ignores) {
    return of(record, columns, ignores, null);
  }

  private static SingleObjectDeserializer of(
      String record,
      DataType columns,
      boolean ignores,
      SingleObjectDeserializer.@Nullable Registry registry) {
    RowType type = (RowType) columns.getLogicalType();
    return new SingleObjectDeserializer(InternalTypeInfo.of(type), type, record, ignores, registry);
  }

  private static void assertEqual(Schema schema, Object value, Object column) {
    switch (schema.getType()) {
      case RECORD -> {
        GenericRowData row = (GenericRowData) column;
        assertEquals(schema.getFields().size(), row.getArity());
        for (Schema.Field field : schema.getFields()) {
          Object inner = ((GenericData.Record) value).get(field.pos());
          assertEqual(field.schema(), inner, row.getField(field.pos()));
        }
      }
      case UNION -> {
        int branch = GenericData.get().resolveUnion(schema, value);
        if (schema.getTypes().size() > 2) {
          assertEquals(StringData.fromString(value.toString()), column);
        } else {
          assertEqual(schema.getTypes().get(branch), value, column);
        }
      }
      case ARRAY -> {
        Object[] items = ((GenericArrayData) column).toObjectArray();
        List<?> values = (List<?>) value;
        assertEquals(values.size(), items.length);
        for (int i = 0; i < items.length; i++) {
          assertEqual(schema.getElementType(), values.get(i), items[i]);
        }
      }
      case MAP -> {
        GenericMapData map = (GenericMapData) column;
        assertEquals(((Map<?, ?>) value).size(), map.size());
        ((Map<?, ?>) value)
            .forEach(
                (key, each) ->
                    assertEqual(
                        schema.getValueType(),
                        each,
                        map.get(StringData.fromString(key.toString()))));
      }
      case FIXED -> {
        String digits = HexFormat.of().formatHex(((GenericFixed) value).bytes());
        assertEquals(StringData.fromString(digits), column);
      }
      case BYTES -> {
        byte[] bytes = ((ByteBuffer) value).array();
        assertArrayEquals(Arrays.copyOf(bytes, bytes.length), (byte[]) column);
      }
      case LONG ->
          assertEquals(
              schema.getLogicalType() == null ? value : TimestampData.fromEpochMillis((Long) value),
              column);
      case STRING, ENUM -> assertEquals(StringData.fromString(value.toString()), column);
      default -> assertEquals(value, column);
    }
  }
}
