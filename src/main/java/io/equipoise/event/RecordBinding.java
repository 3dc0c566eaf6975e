package io.equipoise.event;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Binds a Java record to an Avro record, field by field in the order of the schema. */
final class RecordBinding implements Binding {
  /**
   * One field of the schema.
   *
   * @param name record and field, for messages
   * @param component position of the component in the canonical constructor
   * @param accessor from the record to the component, boxed
   * @param nullIndex index of null in the field's union, or -1 if the field is required
   * @param valueIndex index of the value in the field's union
   */
  record Field(
      String name,
      int component,
      Function<Object, @Nullable Object> accessor,
      int nullIndex,
      int valueIndex,
      Binding value) {}

  private final Field[] fields;
  private final MethodHandle constructor;

  /** Takes the fields in schema order and a constructor of type (Object[])Object. */
  RecordBinding(List<Field> fields, MethodHandle constructor) {
    this.fields = fields.toArray(new Field[0]);
    this.constructor = constructor;
  }

  @Override
  public void write(Object record, Encoder out) throws IOException {
    for (Field field : fields) {
      Object value = field.accessor.apply(record);
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

  private static void writeAbsent(Field field, Encoder out) throws IOException {
    if (field.nullIndex < 0) {
      throw new IllegalArgumentException(field.name + " is null, but it is required");
    }
    out.writeIndex(field.nullIndex);
    out.writeNull();
  }

  @Override
  public Object read(Object generic) {
    IndexedRecord record = (IndexedRecord) generic;
    @Nullable Object[] components = new @Nullable Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      Object value = record.get(i);
      components[fields[i].component] = value == null ? null : fields[i].value.read(value);
    }
    try {
      return (Object) constructor.invokeExact(components);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Rethrows an exception of a handle; constructors of records throw no checked exceptions. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }
}
