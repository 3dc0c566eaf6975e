package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** Serializes immutable values between operators; not for state. */
public abstract class StreamSerializer<T> extends LayoutSerializer<T> {
  private static final long serialVersionUID = 1L;

  @Override
  public final T createInstance() {
    throw new UnsupportedOperationException("stream values have no empty instance");
  }

  @Override
  public final TypeSerializerSnapshot<T> snapshotConfiguration() {
    throw new UnsupportedOperationException(
        getClass().getSimpleName() + " is not for state; give the type a snapshot first");
  }
}
