package io.equipoise.policy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps blocks in a sorted map: for the oracle, the laboratory and tests. */
public final class MemoryModelState implements ModelState {
  private final TreeMap<Long, StateBlock> blocks = new TreeMap<>();

  @Override
  public @Nullable StateBlock get(long key) {
    return blocks.get(key);
  }

  @Override
  public void put(long key, StateBlock stateBlock) {
    blocks.put(key, stateBlock);
  }

  @Override
  public void remove(long key) {
    blocks.remove(key);
  }

  @Override
  public Iterable<Map.Entry<Long, StateBlock>> entries() {
    return Collections.unmodifiableMap(blocks).entrySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryModelState memory && blocks.equals(memory.blocks);
  }

  @Override
  public int hashCode() {
    return blocks.hashCode();
  }
}
