package io.equipoise.event;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.io.Encoder;

/** Binds a String of 32 lower-case hexadecimal digits to 16 bytes on the wire. */
final class HashBinding implements Binding {
  private static final HashBinding ONLY = new HashBinding();

  private HashBinding() {}

  /** Returns the binding if the schema is a fixed of this size. */
  static Optional<Binding> of(Type java, Schema schema) {
    return java == String.class && schema.getFixedSize() == Sha256.HEX_BYTES
        ? Optional.of(ONLY)
        : Optional.empty();
  }

  @Override
  public void write(Object value, Encoder out) throws IOException {
    byte[] bytes = HexFormat.of().parseHex((String) value);
    if (bytes.length != Sha256.HEX_BYTES) {
      throw new IllegalArgumentException(
          "a hash has " + Sha256.HEX_BYTES + " bytes, " + value + " has " + bytes.length);
    }
    out.writeFixed(bytes);
  }

  @Override
  public Object read(Object generic) {
    return HexFormat.of().formatHex(((GenericFixed) generic).bytes());
  }
}
