package io.equipoise.bandit;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keeps blocks in a sorted map: for the oracle, the laboratory and tests. */
public final class MemoryBlocks implements Blocks {
  private final TreeMap<Long, Block> blocks = new TreeMap<>();

  @Override
  public @Nullable Block get(long key) {
    return blocks.get(key);
  }

  @Override
  public void put(long key, Block block) {
    blocks.put(key, block);
  }

  @Override
  public void remove(long key) {
    blocks.remove(key);
  }

  @Override
  public Iterable<Map.Entry<Long, Block>> entries() {
    return Collections.unmodifiableMap(blocks).entrySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryBlocks memory && blocks.equals(memory.blocks);
  }

  @Override
  public int hashCode() {
    return blocks.hashCode();
  }
}
