package io.equipoise.state;

import io.equipoise.segment.state.SegmentHeader;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a segment's header in savepoints. Never rename or move. */
public final class HeadSnapshot extends LayoutSnapshot<SegmentHeader> {

  @Override
  public TypeSerializer<SegmentHeader> restoreSerializer() {
    return new HeadSerializer();
  }
}
