package io.equipoise.state;

import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes a passivated segment, version 1, big-endian.
 *
 * <pre>
 *   0 version (u8)
 *   1 what is retained (u8): 0 the model, 1 nothing
 *   2 length (i32)   6 the bytes of {@link PackedSegment}, or of {@link PassivatedSegment}
 * </pre>
 */
public final class PassivatedSegmentSerializer extends LayoutSerializer<PassivatedSegment> {
  private static final long serialVersionUID = 1L;

  private static final byte MODEL = 0;
  private static final byte NOTHING = 1;

  @Override
  protected void write(PassivatedSegment passivated, LayoutWriter out) throws IOException {
    out.writeByte(passivated.retain() == Retain.MODEL ? MODEL : NOTHING);
    out.writeBytes(passivated.bytes());
  }

  @Override
  protected PassivatedSegment read(byte version, LayoutReader in) throws IOException {
    byte keep = in.readByte();
    if (keep != MODEL && keep != NOTHING) {
      throw new LayoutException("PassivatedSegmentSerializer: unknown retain code " + keep);
    }
    return new PassivatedSegment(keep == MODEL ? Retain.MODEL : Retain.NONE, in.readBytes());
  }

  @Override
  public PassivatedSegment createInstance() {
    return new PassivatedSegment(Retain.MODEL, new byte[0]);
  }

  @Override
  public TypeSerializerSnapshot<PassivatedSegment> snapshotConfiguration() {
    return new PassivatedSegmentSnapshot();
  }
}
