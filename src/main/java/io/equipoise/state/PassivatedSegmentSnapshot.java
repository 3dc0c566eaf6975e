package io.equipoise.state;

import io.equipoise.segment.state.PassivatedSegment;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a passivated segment in savepoints. Never rename or move. */
public final class PassivatedSegmentSnapshot extends LayoutSnapshot<PassivatedSegment> {

  @Override
  public TypeSerializer<PassivatedSegment> restoreSerializer() {
    return new PassivatedSegmentSerializer();
  }
}
