package io.equipoise.state;

import io.equipoise.segment.state.SegmentState.DueKey;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a due-index chunk's key in savepoints. Never rename or move. */
public final class DueKeySnapshot extends LayoutSnapshot<DueKey> {

  @Override
  public TypeSerializer<DueKey> restoreSerializer() {
    return new DueKeySerializer();
  }
}
