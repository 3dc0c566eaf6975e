package io.equipoise.tools.evaluate;

import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Copies each block of a state when it is first read, so that no change reaches the original. */
final class ScratchModelState implements ModelState {
  private final ModelState original;
  private final Map<Long, @Nullable StateBlock> own = new TreeMap<>();

  ScratchModelState(ModelState original) {
    this.original = original;
  }

  @Override
  public @Nullable StateBlock get(long key) {
    if (!own.containsKey(key)) {
      StateBlock block = original.get(key);
      own.put(key, block == null ? null : block.copy());
    }
    return own.get(key);
  }

  @Override
  public void put(long key, StateBlock stateBlock) {
    own.put(key, stateBlock);
  }

  @Override
  public void remove(long key) {
    own.put(key, null);
  }

  @Override
  public Iterable<Map.Entry<Long, StateBlock>> entries() {
    original.entries().forEach(entry -> get(entry.getKey()));
    Map<Long, StateBlock> present = new TreeMap<>();
    own.forEach(
        (key, block) -> {
          if (block != null) {
            present.put(key, block);
          }
        });
    return present.entrySet();
  }
}
