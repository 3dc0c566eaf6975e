package io.equipoise.event;

import java.io.IOException;
import org.apache.avro.io.Encoder;

/** Converts values of one Java type to and from one Avro schema. Immutable; never receives null. */
interface Binding {
  /** Writes the value according to the schema. */
  void write(Object value, Encoder out) throws IOException;

  /** Converts the value of Avro's generic reader to the Java type. */
  Object read(Object generic);
}
