package io.equipoise.state;

import io.equipoise.policy.StateBlock;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a block of a model in savepoints. Never rename or move. */
public final class BlockSnapshot extends LayoutSnapshot<StateBlock> {

  @Override
  public TypeSerializer<StateBlock> restoreSerializer() {
    return new BlockSerializer();
  }
}
