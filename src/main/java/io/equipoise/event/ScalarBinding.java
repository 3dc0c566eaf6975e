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
  STRING(Schema.Type.STRING, String.class, String.class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeString((String) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readString();
    }
  },
  LONG(Schema.Type.LONG, long.class, Long.class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeLong((Long) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readLong();
    }
  },
  INT(Schema.Type.INT, int.class, Integer.class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeInt((Integer) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readInt();
    }
  },
  DOUBLE(Schema.Type.DOUBLE, double.class, Double.class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeDouble((Double) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readDouble();
    }
  },
  BOOLEAN(Schema.Type.BOOLEAN, boolean.class, Boolean.class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeBoolean((Boolean) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readBoolean();
    }
  },
  BYTES(Schema.Type.BYTES, byte[].class, byte[].class) {
    @Override
    public void write(Object value, Encoder out) throws IOException {
      out.writeBytes((byte[]) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      ByteBuffer buffer = in.readBytes(null);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    }
  };

  private final Schema.Type avro;
  private final Class<?> primitive;
  private final Class<?> boxed;

  ScalarBinding(Schema.Type avro, Class<?> primitive, Class<?> boxed) {
    this.avro = avro;
    this.primitive = primitive;
    this.boxed = boxed;
  }

  /** Returns the binding of a scalar Java type to an Avro type, if they match. */
  static Optional<Binding> of(Type java, Schema.Type avro) {
    for (ScalarBinding scalar : values()) {
      if (scalar.avro == avro && (java == scalar.primitive || java == scalar.boxed)) {
        return Optional.of(scalar);
      }
    }
    return Optional.empty();
  }
}
