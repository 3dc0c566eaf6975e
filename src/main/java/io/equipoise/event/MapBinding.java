package io.equipoise.event;

import java.io.IOException;
import java.util.Map;
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

  @Override
  public Object read(Object generic) {
    Map<?, ?> map = (Map<?, ?>) generic;
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    Map.Entry<String, Object>[] read = new Map.Entry[map.size()];
    int at = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      read[at++] = Map.entry(entry.getKey().toString(), value.read(entry.getValue()));
    }
    return NameMap.sorted(read);
  }
}
