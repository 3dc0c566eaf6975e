package io.equipoise.event;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;

/** Binds a Map to an Avro map in the order of the names, so that equal maps have equal bytes. */
record MapBinding(Binding value) implements Binding {
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
