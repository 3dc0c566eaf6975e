package io.equipoise.event;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Binds a String of 32 lower-case hexadecimal digits to 16 bytes on the wire. */
final class HashBinding implements Binding {
  /** The value that the field had last. Most fields repeat it: the hash of a spec, for example. */
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
