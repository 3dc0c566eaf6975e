package io.equipoise.state;

import io.equipoise.join.SegmentStub;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of what is left of an idle segment in savepoints. Never rename or move. */
public final class StubSnapshot extends LayoutSnapshot<SegmentStub> {

  @Override
  public TypeSerializer<SegmentStub> restoreSerializer() {
    return new StubSerializer();
  }
}
