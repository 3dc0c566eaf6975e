package io.equipoise.state;

import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.refutation.EvidenceBlock;
import io.equipoise.policy.split.SplitBlock;
import io.equipoise.segment.state.RetiredDefinitions;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes a block of a model, version 1.
 *
 * <pre>
 *   0 version (u8)   1 length (i32)   5 the block in its own layout; the first byte is the format ({@link StateBlock})
 * </pre>
 */
public final class BlockSerializer extends LayoutSerializer<StateBlock> {
  private static final long serialVersionUID = 1L;

  @Override
  protected void write(StateBlock stateBlock, LayoutWriter out) throws IOException {
    out.writePart(stateBlock);
  }

  @Override
  protected StateBlock read(byte version, LayoutReader in) throws IOException {
    return in.readPart(BlockSerializer::empty);
  }

  private static StateBlock empty(int format) {
    if (format == Byte.toUnsignedInt(RetiredDefinitions.FORMAT)) {
      return new RetiredDefinitions();
    }
    if (format == Byte.toUnsignedInt(EvidenceBlock.FORMAT)) {
      return new EvidenceBlock();
    }
    if (format == Byte.toUnsignedInt(SplitBlock.FORMAT)) {
      return new SplitBlock();
    }
    if (format == Byte.toUnsignedInt(DeltaShares.FORMAT)) {
      return new DeltaShares();
    }
    Supplier<StateBlock> family = PolicyFamilies.installed().format(format);
    if (family == null) {
      throw new IllegalArgumentException(
          "no policy family reads the state format %d; add the jar of its family to policies/"
              .formatted(format));
    }
    return family.get();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public StateBlock createInstance() {
    return new RetiredDefinitions();
  }

  @Override
  public StateBlock copy(StateBlock from) {
    return from.copy();
  }

  @Override
  public TypeSerializerSnapshot<StateBlock> snapshotConfiguration() {
    return new BlockSnapshot();
  }
}
