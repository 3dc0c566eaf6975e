package io.equipoise.event;

import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;

/** Binds scalar types. Numbers are never widened: int binds to int and long to long. */
enum ScalarBinding implements Binding {
  STRING(String.class, String.class),
  LONG(long.class, Long.class),
  INT(int.class, Integer.class),
  DOUBLE(double.class, Double.class),
  BOOLEAN(boolean.class, Boolean.class),
  BYTES(byte[].class, byte[].class);

  private final Class<?> primitive;
  private final Class<?> boxed;

  ScalarBinding(Class<?> primitive, Class<?> boxed) {
    this.primitive = primitive;
    this.boxed = boxed;
  }

  /** Returns the binding of a scalar Java type to the Avro type of the same name, if they match. */
  static Optional<Binding> of(Type java, Schema.Type avro) {
    for (ScalarBinding scalar : values()) {
      if (scalar.name().equals(avro.name()) && (java == scalar.primitive || java == scalar.boxed)) {
        return Optional.of(scalar);
      }
    }
    return Optional.empty();
  }

  private static byte[] readBytes(Decoder in) throws IOException {
    ByteBuffer buffer = in.readBytes(null);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public void write(Object value, Encoder out) throws IOException {
    switch (this) {
      case STRING -> out.writeString((String) value);
      case LONG -> out.writeLong((Long) value);
      case INT -> out.writeInt((Integer) value);
      case DOUBLE -> out.writeDouble((Double) value);
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case BYTES -> out.writeBytes((byte[]) value);
    }
  }

  @Override
  public Object read(Decoder in) throws IOException {
    return switch (this) {
      case STRING -> in.readString();
      case LONG -> in.readLong();
      case INT -> in.readInt();
      case DOUBLE -> in.readDouble();
      case BOOLEAN -> in.readBoolean();
      case BYTES -> readBytes(in);
    };
  }
}
