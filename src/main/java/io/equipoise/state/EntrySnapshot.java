package io.equipoise.state;

import io.equipoise.segment.state.Entry;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a decision id's entry in savepoints. Never rename or move. */
public final class EntrySnapshot extends LayoutSnapshot<Entry> {

  @Override
  public TypeSerializer<Entry> restoreSerializer() {
    return new EntrySerializer();
  }
}
