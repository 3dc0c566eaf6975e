package io.equipoise.state;

import io.equipoise.bandit.Block;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a block of a model in savepoints. Never rename or move. */
public final class BlockSnapshot extends LayoutSnapshot<Block> {

  @Override
  public TypeSerializer<Block> restoreSerializer() {
    return new BlockSerializer();
  }
}
