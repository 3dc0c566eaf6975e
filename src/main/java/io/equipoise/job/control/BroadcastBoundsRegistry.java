package io.equipoise.job.control;

import io.equipoise.event.BoundSetHeader;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.segment.state.BoundsRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the causal bounds of the broadcast state, by set. A set becomes available when all its rows
 * are present, and never changes after that: a contradicting row is rejected.
 *
 * <p>It contains only data of the broadcast state, and can be rebuilt from there in any order. The
 * lists by name are a cache that every row and every retirement empties. Not thread-safe.
 */
public final class BroadcastBoundsRegistry implements BoundsRegistry {
  private static final Comparator<CausalBoundSet> NEWEST_FIRST =
      Comparator.comparing(CausalBoundSet::version).reversed().thenComparing(CausalBoundSet::hash);

  private final Map<String, Shelved> sets = new TreeMap<>();
  private final Map<String, CausalBoundSet> byHash = new HashMap<>();
  private final Map<String, List<CausalBoundSet>> offered = new HashMap<>();

  /** Collects the rows of a set as they arrive. */
  private static final class Shelved {
    private final Map<String, CausalBound> rows = new TreeMap<>();
    private final Set<String> retired = new HashSet<>();
    private @Nullable CausalBoundSet whole;
  }

  /**
   * Adds a row.
   *
   * @return the reason if the row is rejected; empty if it is added or already present
   */
  public Optional<String> put(CausalBoundKey key, CausalBound row) {
    Shelved set = sets.computeIfAbsent(key.set(), name -> new Shelved());
    CausalBound known = set.rows.get(key.row());
    if (known != null && !known.equals(row)) {
      return Optional.of("an earlier row has the same key and another value; a set never changes");
    }
    if (known == null && !set.rows.isEmpty()) {
      BoundSetHeader first = set.rows.values().iterator().next().set();
      if (first.version() != row.set().version() || first.rows() != row.set().rows()) {
        return Optional.of(
            "the row says version %d and %d rows, its set says version %d and %d rows"
                .formatted(row.set().version(), row.set().rows(), first.version(), first.rows()));
      }
      if (set.whole != null) {
        return Optional.of("its set already has all of its " + first.rows() + " rows");
      }
    }
    set.rows.put(key.row(), row);
    set.retired.remove(key.row());
    offered.clear();
    if (set.whole == null && set.rows.size() == row.set().rows()) {
      complete(set);
    }
    return Optional.empty();
  }

  /** Retires the set of a row; segments that use it continue. */
  public void retire(CausalBoundKey key) {
    sets.computeIfAbsent(key.set(), name -> new Shelved()).retired.add(key.row());
    offered.clear();
  }

  private void complete(Shelved set) {
    CausalBoundSet whole = CausalBoundSet.ofRead(set.rows.values());
    set.whole = whole;
    if (whole.isSound()) {
      byHash.put(whole.hash(), whole);
    }
  }

  @Override
  public List<CausalBoundSet> offered(String name) {
    return offered.computeIfAbsent(name, this::find);
  }

  private List<CausalBoundSet> find(String name) {
    List<CausalBoundSet> found = new ArrayList<>();
    for (Shelved set : sets.values()) {
      CausalBoundSet whole = set.whole;
      if (whole != null && set.retired.isEmpty() && whole.name().equals(name)) {
        found.add(whole);
      }
    }
    found.sort(NEWEST_FIRST);
    return List.copyOf(found);
  }

  @Override
  public @Nullable CausalBoundSet byHash(String hash) {
    return byHash.get(hash);
  }
}
