package io.equipoise.event;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.io.Decoder;
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
  public Object read(Decoder in) throws IOException {
    List<Object> read = new ArrayList<>();
    for (long block = in.readArrayStart(); block != 0; block = in.arrayNext()) {
      for (long i = 0; i < block; i++) {
        read.add(item.read(in));
      }
    }
    return List.copyOf(read);
  }
}
