package io.equipoise.event;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Matches Java records with Avro schemas by name. Rejects every difference: a component or field
 * without a counterpart, another type, or other nullability.
 */
final class Binder {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /** The type of an accessor: from a record to a component, boxed. */
  private static final MethodType COMPONENT = MethodType.methodType(Object.class, Object.class);

  private Binder() {}

  /** Binds a record; throws IllegalArgumentException that names the first difference. */
  static RecordBinding bind(Class<?> type, Schema schema) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw mismatch(type.getSimpleName(), "is a record, but the schema is " + schema.getType());
    }
    RecordComponent[] components = type.getRecordComponents();
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < components.length; i++) {
      positions.put(components[i].getName(), i);
    }
    List<RecordBinding.Field> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      String name = type.getSimpleName() + "." + field.name();
      Integer position = positions.remove(field.name());
      if (position == null) {
        throw mismatch(name, "is a field of the schema but no component of the record");
      }
      fields.add(field(name, components[position], position, field.schema()));
    }
    if (!positions.isEmpty()) {
      throw mismatch(type.getSimpleName(), "has components without a field: " + positions.keySet());
    }
    return new RecordBinding(fields, components(type, components), constructor(type, components));
  }

  private static RecordBinding.Field field(
      String name, RecordComponent component, int position, Schema schema) {
    boolean mayBeNull = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    boolean mayBeAbsent = schema.isNullable();
    if (mayBeNull != mayBeAbsent) {
      throw mismatch(
          name,
          mayBeNull
              ? "is @Nullable, but its schema has no null"
              : "is not @Nullable, but its schema has null");
    }
    if (!mayBeAbsent) {
      Binding value = value(name, component.getAnnotatedType(), schema);
      return new RecordBinding.Field(name, position, -1, -1, value);
    }
    if (schema.getType() != Schema.Type.UNION || schema.getTypes().size() != 2) {
      throw mismatch(name, "is @Nullable, but its schema is not a union of null and one type");
    }
    int nullIndex = schema.getTypes().get(0).getType() == Schema.Type.NULL ? 0 : 1;
    Schema present = schema.getTypes().get(1 - nullIndex);
    Binding value = value(name, component.getAnnotatedType(), present);
    return new RecordBinding.Field(name, position, nullIndex, 1 - nullIndex, value);
  }

  private static Binding value(String name, AnnotatedType annotated, Schema schema) {
    Optional<Binding> found =
        annotated instanceof AnnotatedParameterizedType generic
            ? container(name, generic, schema)
            : plain(annotated.getType(), schema);
    return found.orElseThrow(
        () ->
            mismatch(
                name,
                "is a " + annotated.getType().getTypeName() + ", but the schema is " + schema));
  }

  private static Optional<Binding> plain(Type type, Schema schema) {
    if (type == Object.class) {
      return AttributeBinding.of(schema);
    }
    if (type instanceof Class<?> enumType && enumType.isEnum()) {
      return EnumBinding.of(enumType, schema);
    }
    if (type instanceof Class<?> recordType && recordType.isRecord()) {
      return schema.getType() == Schema.Type.RECORD
          ? Optional.of(bind(recordType, schema))
          : Optional.empty();
    }
    if (schema.getType() == Schema.Type.FIXED) {
      return HashBinding.of(type, schema);
    }
    return ScalarBinding.of(type, schema.getType());
  }

  private static Optional<Binding> container(
      String name, AnnotatedParameterizedType type, Schema schema) {
    Type raw = ((ParameterizedType) type.getType()).getRawType();
    AnnotatedType[] arguments = type.getAnnotatedActualTypeArguments();
    AnnotatedType last = arguments[arguments.length - 1];
    if (last.isAnnotationPresent(Nullable.class)) {
      throw mismatch(name, "contains nulls");
    }
    if (raw == List.class && schema.getType() == Schema.Type.ARRAY) {
      return Optional.of(new ListBinding(value(name + "[]", last, schema.getElementType())));
    }
    boolean isNamed = raw == Map.class && arguments[0].getType() == String.class;
    if (isNamed && schema.getType() == Schema.Type.MAP) {
      return Optional.of(new MapBinding(value(name + "{}", last, schema.getValueType())));
    }
    return Optional.empty();
  }

  /**
   * Returns one handle for all components. Java compiles it as a whole once it is hot, so that no
   * component costs a call through an interface.
   */
  private static MethodHandle components(Class<?> type, RecordComponent[] components) {
    MethodHandle[] accessors = new MethodHandle[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        accessors[i] = LOOKUP.unreflect(components[i].getAccessor()).asType(COMPONENT);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(type + " has no accessible components", e);
    }
    MethodHandle array =
        MethodHandles.identity(Object[].class).asCollector(Object[].class, accessors.length);
    return MethodHandles.permuteArguments(
        MethodHandles.filterArguments(array, 0, accessors),
        MethodType.methodType(Object[].class, Object.class),
        new int[accessors.length]);
  }

  private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return LOOKUP
          .findConstructor(type, MethodType.methodType(void.class, types))
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException(type + " has no accessible constructor", e);
    }
  }

  private static IllegalArgumentException mismatch(String name, String fact) {
    return new IllegalArgumentException(name + " " + fact);
  }

  /** Binds a List without nulls to an Avro array. */
  private record ListBinding(Binding item) implements Binding {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      List<?> items = (List<?>) value;
      out.writeArrayStart();
      out.setItemCount(items.size());
      for (Object each : items) {
        out.startItem();
        item.write(each, out);
      }
      out.writeArrayEnd();
    }

    @Override
    public Object read(Decoder in) throws IOException {
      List<Object> read = new ArrayList<>();
      for (long block = in.readArrayStart(); block != 0; block = in.arrayNext()) {
        for (long i = 0; i < block; i++) {
          read.add(item.read(in));
        }
      }
      return List.copyOf(read);
    }
  }

  /** Binds a Map to an Avro map in the order of the names, so that equal maps have equal bytes. */
  private record MapBinding(Binding value) implements Binding {
    @Override
    @SuppressWarnings("unchecked") // the binder accepts Map<String, ?> only
    public void write(Object map, Encoder out) throws IOException {
      NameMap<Object> sorted = NameMap.copyOf((Map<String, Object>) map);
      out.writeMapStart();
      out.setItemCount(sorted.size());
      for (int at = 0; at < sorted.size(); at++) {
        out.startItem();
        out.writeString(sorted.name(at));
        value.write(sorted.value(at), out);
      }
      out.writeMapEnd();
    }

    /** {@inheritDoc} Of a name that is there more than once, the last value counts. */
    @Override
    public Object read(Decoder in) throws IOException {
      Map<String, Object> read = new HashMap<>();
      for (long block = in.readMapStart(); block != 0; block = in.mapNext()) {
        for (long i = 0; i < block; i++) {
          read.put(in.readString(), value.read(in));
        }
      }
      return NameMap.copyOf(read);
    }
  }

  /** Binds a String of 32 lower-case hexadecimal digits to 16 bytes on the wire. */
  private static final class HashBinding implements Binding {
    /**
     * Cache of the last written value, which most fields repeat, such as the hash of a spec.
     * Threads may replace it at any time: each value is complete and immutable.
     */
    private @Nullable Last last;

    private HashBinding() {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Last(String text, byte[] bytes) {}

    /** Returns the binding if the schema is a fixed of this size. */
    static Optional<Binding> of(Type java, Schema schema) {
      return java == String.class && schema.getFixedSize() == Sha256.HEX_BYTES
          ? Optional.of(new HashBinding())
          : Optional.empty();
    }

    @Override
    public void write(Object value, Encoder out) throws IOException {
      Last known = last;
      if (known == null || !known.text.equals(value)) {
        known = parsed((String) value);
        last = known;
      }
      out.writeFixed(known.bytes);
    }

    private static Last parsed(String value) {
      byte[] bytes = HexFormat.of().parseHex(value);
      if (bytes.length != Sha256.HEX_BYTES) {
        throw new IllegalArgumentException(
            "a hash has " + Sha256.HEX_BYTES + " bytes, " + value + " has " + bytes.length);
      }
      return new Last(value, bytes);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      byte[] bytes = new byte[Sha256.HEX_BYTES];
      in.readFixed(bytes);
      return HexFormat.of().formatHex(bytes);
    }
  }
}
