package io.equipoise.event;

import java.io.IOException;
import org.apache.avro.io.Encoder;

/** Carries values of one Java type to and from one Avro schema. Immutable; never sees null. */
interface Binding {
  /** Writes the value as the schema says. */
  void write(Object value, Encoder out) throws IOException;

  /** Turns what Avro's generic reader made under the schema into the Java type. */
  Object read(Object generic);
}
