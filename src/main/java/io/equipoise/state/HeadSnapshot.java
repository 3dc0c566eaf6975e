package io.equipoise.state;

import io.equipoise.join.SegmentHead;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a segment's head in savepoints. Never rename or move. */
public final class HeadSnapshot extends LayoutSnapshot<SegmentHead> {

  @Override
  public TypeSerializer<SegmentHead> restoreSerializer() {
    return new HeadSerializer();
  }
}
