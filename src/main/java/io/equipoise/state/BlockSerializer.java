package io.equipoise.state;

import io.equipoise.policy.StateBlock;
import io.equipoise.policy.allocation.OamPlan;
import io.equipoise.policy.allocation.OamStatistics;
import io.equipoise.policy.bestarm.ExperimentBlock;
import io.equipoise.policy.linear.GroupMeans;
import io.equipoise.policy.linear.PolicyState;
import io.equipoise.policy.linear.RidgeRegression;
import io.equipoise.policy.logistic.LogisticMemory;
import io.equipoise.policy.logistic.StreamingModel;
import io.equipoise.policy.refutation.EvidenceBlock;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.DualState;
import io.equipoise.segment.state.RetiredDefinitions;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Bytes of a block of a model, version 1.
 *
 * <pre>
 *   0 version (u8)   1 length (i32)   5 the block in its own layout, of which the first byte says
 *                                       the format ({@link StateBlock})
 * </pre>
 */
public final class BlockSerializer extends LayoutSerializer<StateBlock> {
  private static final long serialVersionUID = 1L;

  @Override
  protected byte version() {
    return 1;
  }

  @Override
  protected void write(StateBlock stateBlock, LayoutWriter out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(stateBlock.byteLength());
    stateBlock.appendTo(bytes);
    out.writeBytes(bytes.array());
  }

  @Override
  protected StateBlock read(byte version, LayoutReader in) throws IOException {
    return in.readPart(BlockSerializer::block);
  }

  private static StateBlock block(ByteBuffer bytes) {
    if (!bytes.hasRemaining()) {
      throw new IllegalArgumentException("a block has no bytes");
    }
    byte format = bytes.get(bytes.position());
    if (format >= ExperimentBlock.FIRST_FORMAT && format <= ExperimentBlock.LAST_FORMAT) {
      return ExperimentBlock.readFrom(bytes);
    }
    return switch (format) {
      case CellBlock.FORMAT -> CellBlock.readFrom(bytes);
      case RidgeRegression.FORMAT -> RidgeRegression.readFrom(bytes);
      case GroupMeans.FORMAT -> GroupMeans.readFrom(bytes);
      case PolicyState.FORMAT -> PolicyState.readFrom(bytes);
      case StreamingModel.FORMAT -> StreamingModel.readFrom(bytes);
      case LogisticMemory.FORMAT -> LogisticMemory.readFrom(bytes);
      case DualState.FORMAT -> DualState.readFrom(bytes);
      case OamStatistics.FORMAT -> OamStatistics.readFrom(bytes);
      case RetiredDefinitions.FORMAT -> RetiredDefinitions.readFrom(bytes);
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
  public StateBlock createInstance() {
    return new CellBlock(1, false);
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
