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
  STRING(String.class, String.class, (v, out) -> out.writeString((String) v), Decoder::readString),
  LONG(long.class, Long.class, (v, out) -> out.writeLong((Long) v), Decoder::readLong),
  INT(int.class, Integer.class, (v, out) -> out.writeInt((Integer) v), Decoder::readInt),
  DOUBLE(double.class, Double.class, (v, out) -> out.writeDouble((Double) v), Decoder::readDouble),
  BOOLEAN(
      boolean.class,
      Boolean.class,
      (v, out) -> out.writeBoolean((Boolean) v),
      Decoder::readBoolean),
  BYTES(
      byte[].class, byte[].class, (v, out) -> out.writeBytes((byte[]) v), ScalarBinding::readBytes);

  private final Class<?> primitive;
  private final Class<?> boxed;

  @SuppressWarnings("ImmutableEnumChecker") // captures nothing
  private final Writing writing;

  @SuppressWarnings("ImmutableEnumChecker") // captures nothing
  private final Reading reading;

  ScalarBinding(Class<?> primitive, Class<?> boxed, Writing writing, Reading reading) {
    this.primitive = primitive;
    this.boxed = boxed;
    this.writing = writing;
    this.reading = reading;
  }

  private interface Writing {
    void write(Object value, Encoder out) throws IOException;
  }

  private interface Reading {
    Object read(Decoder in) throws IOException;
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
    writing.write(value, out);
  }

  @Override
  public Object read(Decoder in) throws IOException {
    return reading.read(in);
  }
}
