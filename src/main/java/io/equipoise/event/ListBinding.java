package io.equipoise.event;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.avro.io.Encoder;

/** Binds a List without nulls to an Avro array. */
record ListBinding(Binding item) implements Binding {
  @Override
  public void write(Object value, Encoder out) throws IOException {
    List<?> items = (List<?>) value;
    out.writeArrayStart();
    out.setItemCount(items.size());
    for (Object each : items) {
      out.startItem();
      item.write(each, out);
    }
    out.writeArrayEnd();
  }

  @Override
  public Object read(Object generic) {
    Collection<?> items = (Collection<?>) generic;
    Object[] read = new Object[items.size()];
    int at = 0;
    for (Object each : items) {
      read[at++] = item.read(each);
    }
    return List.of(read);
  }
}
