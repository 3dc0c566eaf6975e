package io.equipoise.job.control;

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
 * The causal bounds of the broadcast state, by set. A set counts once all of its rows are there,
 * and is never changed after that: a row that contradicts it is not taken.
 *
 * <p>Holds nothing that the broadcast state does not: it is rebuilt from there, in any order.
 */
public final class BroadcastBoundsRegistry implements BoundsRegistry {
  private static final Comparator<CausalBoundSet> NEWEST_FIRST =
      Comparator.comparing(CausalBoundSet::version).reversed().thenComparing(CausalBoundSet::hash);

  private final Map<String, Shelved> sets = new TreeMap<>();
  private final Map<String, CausalBoundSet> byHash = new HashMap<>();
  private final Map<String, List<CausalBoundSet>> offered = new HashMap<>();

  /** One set as far as it is there. */
  private static final class Shelved {
    private final Map<String, CausalBound> rows = new TreeMap<>();
    private final Set<String> retired = new HashSet<>();
    private @Nullable CausalBoundSet whole;
  }

  /**
   * Puts a row on the shelf.
   *
   * @return why it is not taken, or nothing where it is, or was before
   */
  public Optional<String> put(CausalBoundKey key, CausalBound row) {
    Shelved set = sets.computeIfAbsent(key.set(), name -> new Shelved());
    CausalBound known = set.rows.get(key.row());
    if (known != null && !known.equals(row)) {
      return Optional.of("another row under this key came before; a set never changes");
    }
    if (known == null && !set.rows.isEmpty()) {
      CausalBound first = set.rows.values().iterator().next();
      if (first.version() != row.version() || first.rows() != row.rows()) {
        return Optional.of(
            "it says number %d and %d rows where its set says number %d and %d rows"
                .formatted(row.version(), row.rows(), first.version(), first.rows()));
      }
      if (set.whole != null) {
        return Optional.of("its set has all of its " + first.rows() + " rows already");
      }
    }
    set.rows.put(key.row(), row);
    set.retired.remove(key.row());
    offered.clear();
    if (set.whole == null && set.rows.size() == row.rows()) {
      complete(set);
    }
    return Optional.empty();
  }

  /** Offers the set of a row no more; who runs with it goes on. */
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
