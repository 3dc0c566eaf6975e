package io.equipoise.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes values without a configuration: subclasses have no fields, and all instances of a
 * class are equal and thread-safe. By default values are immutable keys of a fixed length, and the
 * snapshot has the layout's version.
 */
public abstract class StateSerializer<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1L;

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public final TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public final T copy(T from, T reuse) {
    return copy(from);
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    byte[] bytes = new byte[getLength()];
    source.readFully(bytes);
    target.write(bytes);
  }

  @Override
  @SuppressWarnings("EqualsGetClass") // subclasses have different layouts
  public final boolean equals(Object other) {
    return other != null && other.getClass() == getClass();
  }

  @Override
  public final int hashCode() {
    return getClass().hashCode();
  }
}
