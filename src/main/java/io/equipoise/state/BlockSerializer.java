package io.equipoise.state;

import io.equipoise.bandit.Block;
import io.equipoise.bandit.CellBlock;
import io.equipoise.bandit.DualState;
import io.equipoise.bandit.csr.ExperimentBlock;
import io.equipoise.bandit.linear.GroupMeans;
import io.equipoise.bandit.linear.PolicyState;
import io.equipoise.bandit.linear.RidgeArm;
import io.equipoise.bandit.logistic.LogisticMemory;
import io.equipoise.bandit.logistic.StreamingModel;
import io.equipoise.bandit.oam.OamPlan;
import io.equipoise.bandit.oam.OamStatistics;
import io.equipoise.bandit.refutation.EvidenceBlock;
import io.equipoise.join.Heritage;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Bytes of a block of a model, version 1.
 *
 * <pre>
 *   0 version (u8)   1 length (i32)   5 the block in its own layout, of which the first byte says
 *                                       the format ({@link Block})
 * </pre>
 */
public final class BlockSerializer extends LayoutSerializer<Block> {
  private static final long serialVersionUID = 1L;

  @Override
  protected byte version() {
    return 1;
  }

  @Override
  protected void write(Block block, LayoutWriter out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(block.byteLength());
    block.appendTo(bytes);
    out.writeBytes(bytes.array());
  }

  @Override
  protected Block read(byte version, LayoutReader in) throws IOException {
    return in.readPart(BlockSerializer::block);
  }

  private static Block block(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      throw new IllegalArgumentException("a block has no bytes");
    }
    byte format = bytes.get(bytes.position());
    if (format >= ExperimentBlock.FIRST_FORMAT && format <= ExperimentBlock.LAST_FORMAT) {
      return ExperimentBlock.readFrom(bytes);
    }
    return switch (format) {
      case CellBlock.FORMAT -> CellBlock.readFrom(bytes);
      case RidgeArm.FORMAT -> RidgeArm.readFrom(bytes);
      case GroupMeans.FORMAT -> GroupMeans.readFrom(bytes);
      case PolicyState.FORMAT -> PolicyState.readFrom(bytes);
      case StreamingModel.FORMAT -> StreamingModel.readFrom(bytes);
      case LogisticMemory.FORMAT -> LogisticMemory.readFrom(bytes);
      case DualState.FORMAT -> DualState.readFrom(bytes);
      case OamStatistics.FORMAT -> OamStatistics.readFrom(bytes);
      case Heritage.FORMAT -> Heritage.readFrom(bytes);
      case EvidenceBlock.FORMAT -> EvidenceBlock.readFrom(bytes);
      case OamPlan.FORMAT -> OamPlan.readFrom(bytes);
      default -> throw new IllegalArgumentException("no block has the format " + format);
    };
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public Block createInstance() {
    return new CellBlock(1, false);
  }

  @Override
  public Block copy(Block from) {
    return from.copy();
  }

  @Override
  public TypeSerializerSnapshot<Block> snapshotConfiguration() {
    return new BlockSnapshot();
  }
}
