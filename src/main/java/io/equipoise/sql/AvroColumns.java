package io.equipoise.sql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Maps schemas of the topics to types of Flink SQL, and Avro's values to Flink's.
 *
 * <p>Enums are texts, and hashes (fixed bytes) are texts of hexadecimal digits. A union of scalars,
 * which the attributes of a context have, is a text. Every column may be null: a row may come from
 * a later version of its schema.
 */
public final class AvroColumns {
  private AvroColumns() {}

  /** Returns the type of a schema. */
  public static DataType type(Schema schema) {
    return switch (schema.getType()) {
      case BOOLEAN -> DataTypes.BOOLEAN();
      case INT -> DataTypes.INT();
      case LONG ->
          schema.getLogicalType() == null ? DataTypes.BIGINT() : DataTypes.TIMESTAMP_LTZ(3);
      case DOUBLE -> DataTypes.DOUBLE();
      case STRING, ENUM, FIXED -> DataTypes.STRING();
      case BYTES -> DataTypes.BYTES();
      case ARRAY -> DataTypes.ARRAY(type(schema.getElementType()));
      case MAP -> DataTypes.MAP(DataTypes.STRING(), type(schema.getValueType()));
      case RECORD ->
          DataTypes.ROW(
              schema.getFields().stream()
                  .map(field -> DataTypes.FIELD(field.name(), type(field.schema())))
                  .toList());
      case UNION -> isOptional(schema) ? type(present(schema)) : DataTypes.STRING();
      case NULL, FLOAT -> throw new IllegalArgumentException("no topic has " + schema);
    };
  }

  /**
   * Returns a function that converts values of a schema to a declared type. Columns and fields of
   * rows are found by name; fields that the type does not have are left out.
   *
   * @param path of the column, for messages
   * @throws ValidationException if a column is not in the schema or has another type there
   */
  static UnaryOperator<Object> conversion(Schema schema, LogicalType declared, String path) {
    LogicalType natural = type(schema).getLogicalType();
    if (declared.getTypeRoot() != natural.getTypeRoot()) {
      throw new ValidationException(
          "Column %s is declared %s; declare it %s"
              .formatted(path, declared.asSummaryString(), natural.asSummaryString()));
    }
    return switch (schema.getType()) {
      case LONG ->
          schema.getLogicalType() == null
              ? UnaryOperator.identity()
              : value -> TimestampData.fromEpochMillis((Long) value);
      case STRING, ENUM -> value -> text(value);
      case FIXED -> value -> text(HexFormat.of().formatHex(((GenericFixed) value).bytes()));
      case BYTES -> value -> bytes((ByteBuffer) value);
      case ARRAY -> {
        var item = conversion(schema.getElementType(), declared.getChildren().get(0), path);
        yield value -> new GenericArrayData(((List<?>) value).stream().map(item).toArray());
      }
      case MAP -> {
        var item = conversion(schema.getValueType(), declared.getChildren().get(1), path);
        yield value -> {
          Map<Object, Object> map = new HashMap<>();
          ((Map<?, ?>) value).forEach((key, each) -> map.put(text(key), item.apply(each)));
          return new GenericMapData(map);
        };
      }
      case RECORD -> row(schema, (RowType) declared, path);
      case UNION -> {
        if (!isOptional(schema)) {
          yield value -> text(value);
        }
        var item = conversion(present(schema), declared, path);
        yield value -> value == null ? null : item.apply(value);
      }
      default -> UnaryOperator.identity();
    };
  }

  private static UnaryOperator<Object> row(Schema schema, RowType declared, String path) {
    int columns = declared.getFieldCount();
    int[] positions = new int[columns];
    List<UnaryOperator<Object>> conversions = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      String name = declared.getFieldNames().get(column);
      String inner = path.isEmpty() ? name : path + "." + name;
      Schema.Field field = schema.getField(name);
      if (field == null) {
        throw new ValidationException(
            "Column %s is not in the schema %s; its fields are %s"
                .formatted(
                    inner,
                    schema.getName(),
                    schema.getFields().stream().map(Schema.Field::name).toList()));
      }
      positions[column] = field.pos();
      conversions.add(conversion(field.schema(), declared.getTypeAt(column), inner));
    }
    return value -> {
      GenericRowData row = new GenericRowData(columns);
      for (int column = 0; column < columns; column++) {
        Object field = ((IndexedRecord) value).get(positions[column]);
        row.setField(column, conversions.get(column).apply(field));
      }
      return row;
    };
  }

  private static StringData text(Object value) {
    return StringData.fromString(value.toString());
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }

  private static boolean isOptional(Schema union) {
    return union.isNullable() && union.getTypes().size() == 2;
  }

  /** Returns the branch of an optional value that is not null. */
  private static Schema present(Schema union) {
    return union.getTypes().get(union.getTypes().get(0).getType() == Schema.Type.NULL ? 1 : 0);
  }
}
