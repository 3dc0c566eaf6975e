package io.equipoise.state;

import io.equipoise.layout.LayoutException;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Identifies a serializer in a savepoint. Contains only the class name, because every value has its
 * own layout version and the current code reads all versions.
 */
abstract class LayoutSnapshot<T> implements TypeSerializerSnapshot<T> {
  private static final int VERSION = 1;

  @Override
  public final int getCurrentVersion() {
    return VERSION;
  }

  @Override
  public final void writeSnapshot(DataOutputView out) {}

  @Override
  public final void readSnapshot(int readVersion, DataInputView in, ClassLoader loader)
      throws IOException {
    if (readVersion != VERSION) {
      throw new LayoutException(
          "%s: unknown version %d, the newest is %d; restore with the build that wrote it"
              .formatted(getClass().getSimpleName(), readVersion, VERSION));
    }
  }

  @Override
  public abstract TypeSerializer<T> restoreSerializer();

  @Override
  public final TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
      TypeSerializerSnapshot<T> old) {
    return old.getClass() == getClass()
        ? TypeSerializerSchemaCompatibility.compatibleAsIs()
        : TypeSerializerSchemaCompatibility.incompatible();
  }
}
