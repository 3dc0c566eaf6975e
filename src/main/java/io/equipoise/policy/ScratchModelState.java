package io.equipoise.policy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies each block of a state when it is first read, so that no change reaches the original before
 * {@link #writeBack}.
 */
public final class ScratchModelState implements ModelState {
  private final ModelState original;
  private final boolean isForDecision;
  private final Map<Long, @Nullable StateBlock> own = new HashMap<>();
  private final Set<Long> changed = new HashSet<>();

  private ScratchModelState(ModelState original, boolean isForDecision) {
    this.original = original;
    this.isForDecision = isForDecision;
  }

  /** Returns a state for a decision, which gets blocks that only rewards change without a copy. */
  public static ScratchModelState forDecision(ModelState original) {
    return new ScratchModelState(original, true);
  }

  /** Returns a state in which everything may change. */
  public static ScratchModelState forReward(ModelState original) {
    return new ScratchModelState(original, false);
  }

  @Override
  public @Nullable StateBlock get(long key) {
    StateBlock known = own.get(key);
    if (known != null || own.containsKey(key)) {
      return known;
    }
    StateBlock block = original.get(key);
    boolean isShared = block == null || (isForDecision && block.isChangedByRewardsOnly());
    StateBlock copy = isShared ? block : block.copy();
    own.put(key, copy);
    return copy;
  }

  @Override
  public void put(long key, StateBlock stateBlock) {
    own.put(key, stateBlock);
    changed.add(key);
  }

  @Override
  public void remove(long key) {
    own.put(key, null);
    changed.add(key);
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

  /** Puts every block that was put, and removes every one that was removed. */
  public void writeBack() {
    for (long key : changed) {
      StateBlock block = own.get(key);
      if (block == null) {
        original.remove(key);
      } else {
        original.put(key, block);
      }
    }
  }
}
