package io.equipoise.event;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.apache.avro.AvroTypeException;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Binds a Java record to an Avro record, field by field in the order of the schema. */
final class RecordBinding implements Binding {
  /**
   * Binds one field of the schema to a component of the record.
   *
   * @param name record and field, for messages
   * @param component position of the component in the canonical constructor
   * @param nullIndex index of null in the field's union, or -1 if the field is required
   * @param valueIndex index of the value in the field's union
   */
  record Field(String name, int component, int nullIndex, int valueIndex, Binding value) {}

  private final Field[] fields;
  private final MethodHandle components;
  private final MethodHandle constructor;

  /**
   * Takes the fields in schema order.
   *
   * @param components from a record to its components, boxed: (Object)Object[]
   * @param constructor the opposite, (Object[])Object
   */
  RecordBinding(List<Field> fields, MethodHandle components, MethodHandle constructor) {
    this.fields = fields.toArray(new Field[0]);
    this.components = components;
    this.constructor = constructor;
  }

  @Override
  public void write(Object record, Encoder out) throws IOException {
    @Nullable Object[] values = components(record);
    for (Field field : fields) {
      Object value = values[field.component];
      if (value == null) {
        writeAbsent(field, out);
      } else {
        if (field.nullIndex >= 0) {
          out.writeIndex(field.valueIndex);
        }
        field.value.write(value, out);
      }
    }
  }

  private @Nullable Object[] components(Object record) {
    try {
      return (@Nullable Object[]) components.invokeExact(record);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static void writeAbsent(Field field, Encoder out) throws IOException {
    if (field.nullIndex < 0) {
      throw new IllegalArgumentException(field.name + " is null, but it is required");
    }
    out.writeIndex(field.nullIndex);
    out.writeNull();
  }

  @Override
  public Object read(Decoder in) throws IOException {
    @Nullable Object[] components = new @Nullable Object[fields.length];
    for (Field field : fields) {
      components[field.component] = isNull(field, in) ? null : field.value.read(in);
    }
    try {
      return (Object) constructor.invokeExact(components);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static boolean isNull(Field field, Decoder in) throws IOException {
    if (field.nullIndex < 0) {
      return false;
    }
    int index = in.readIndex();
    if (index != field.nullIndex && index != field.valueIndex) {
      throw new AvroTypeException(field.name + " has no type of the index " + index);
    }
    return index == field.nullIndex; // null has no bytes
  }

  /** Rethrows an exception of a handle; those of records throw no checked exceptions. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }
}
