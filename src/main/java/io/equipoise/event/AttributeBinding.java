package io.equipoise.event;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;

/** Binds an attribute's value: a String, Long, Double or Boolean in a union of these four. */
record AttributeBinding(int string, int longs, int doubles, int booleans) implements Binding {
  private static final Map<Class<?>, ScalarBinding> TYPES =
      Map.of(
          String.class, ScalarBinding.STRING,
          Long.class, ScalarBinding.LONG,
          Double.class, ScalarBinding.DOUBLE,
          Boolean.class, ScalarBinding.BOOLEAN);

  /** Returns the binding if the schema is a union of exactly these four types. */
  static Optional<Binding> of(Schema schema) {
    if (schema.getType() != Schema.Type.UNION || schema.getTypes().size() != TYPES.size()) {
      return Optional.empty();
    }
    var binding =
        new AttributeBinding(
            indexIn(schema, Schema.Type.STRING),
            indexIn(schema, Schema.Type.LONG),
            indexIn(schema, Schema.Type.DOUBLE),
            indexIn(schema, Schema.Type.BOOLEAN));
    boolean complete =
        binding.string >= 0 && binding.longs >= 0 && binding.doubles >= 0 && binding.booleans >= 0;
    return complete ? Optional.of(binding) : Optional.empty();
  }

  private static int indexIn(Schema union, Schema.Type type) {
    Integer index = union.getIndexNamed(type.getName());
    return index == null ? -1 : index;
  }

  @Override
  public void write(Object value, Encoder out) throws IOException {
    ScalarBinding type = TYPES.get(value.getClass());
    if (type == null) {
      throw new IllegalArgumentException(
          "An attribute is a String, Long, Double or Boolean, not a " + value.getClass().getName());
    }
    out.writeIndex(indexOf(type));
    type.write(value, out);
  }

  private int indexOf(ScalarBinding type) {
    return switch (type) {
      case STRING -> string;
      case LONG -> longs;
      case DOUBLE -> doubles;
      case BOOLEAN -> booleans;
      case INT, BYTES -> throw new IllegalStateException(type + " is not an attribute type");
    };
  }

  @Override
  public Object read(Decoder in) throws IOException {
    int index = in.readIndex();
    if (index == string) {
      return in.readString();
    } else if (index == longs) {
      return in.readLong();
    } else if (index == doubles) {
      return in.readDouble();
    } else if (index == booleans) {
      return in.readBoolean();
    }
    throw new AvroTypeException("an attribute has no type of the index " + index);
  }
}
