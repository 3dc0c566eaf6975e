package io.equipoise.event;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;

/** Converts values of one Java type to and from one Avro schema. Immutable; never receives null. */
interface Binding {
  /** Writes the value according to the schema. */
  void write(Object value, Encoder out) throws IOException;

  /**
   * Reads a value of the schema.
   *
   * @throws org.apache.avro.AvroRuntimeException if an index is outside its union or enum
   */
  Object read(Decoder in) throws IOException;
}
