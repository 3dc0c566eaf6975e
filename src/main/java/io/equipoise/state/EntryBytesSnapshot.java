package io.equipoise.state;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of the bytes of entries in savepoints. Never rename or move. */
public final class EntryBytesSnapshot extends LayoutSnapshot<byte[]> {

  @Override
  public TypeSerializer<byte[]> restoreSerializer() {
    return new EntryBytesSerializer();
  }
}
