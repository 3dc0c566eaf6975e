package io.equipoise.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes immutable keys of a fixed length; the snapshot has the layout's version. Subclasses
 * have no fields.
 */
abstract class FixedSerializer<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1L;

  @Override
  public final boolean isImmutableType() {
    return true;
  }

  @Override
  public final TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  public final T copy(T from) {
    return from;
  }

  @Override
  public final T copy(T from, T reuse) {
    return from;
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
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
