package io.equipoise.state;

import io.equipoise.bandit.CellBlock;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a block of a model in savepoints. Never rename or move. */
public final class BlockSnapshot extends LayoutSnapshot<CellBlock> {

  @Override
  public TypeSerializer<CellBlock> restoreSerializer() {
    return new BlockSerializer();
  }
}
