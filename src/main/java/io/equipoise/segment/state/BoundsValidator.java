package io.equipoise.segment.state;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundMode;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ErrorCode;
import io.equipoise.policy.CausalBoundException;
import io.equipoise.policy.CausalBoundRow;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.segmentspec.CausalBoundsSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a spec can use a set of causal bounds. The result is a function of the two hashes
 * and so stays valid. It is cached until the cache is full and emptied; computing it costs O(rows).
 */
public final class BoundsValidator {
  private static final int MAX_REMEMBERED = 1_000;

  private final BoundsRegistry book;
  private final Map<Pair, ValidatedBounds> checked = new HashMap<>();

  private record Pair(String specHash, String boundsHash) {}

  public BoundsValidator(BoundsRegistry book) {
    this.book = book;
  }

  /** Returns the sets of a name that are not retired, newest first. */
  public List<CausalBoundSet> offered(String name) {
    return book.offered(name);
  }

  /** Returns a set that the spec's policy asks for and can use, by its hash; else null. */
  public ValidatedBounds.@Nullable Usable usable(String hash, CompiledSpec spec) {
    CausalBoundSet set = book.byHash(hash);
    return set != null && check(set, spec) instanceof ValidatedBounds.Usable usable ? usable : null;
  }

  /** Checks a set under a spec. */
  public ValidatedBounds check(CausalBoundSet set, CompiledSpec spec) {
    if (checked.size() >= MAX_REMEMBERED) {
      checked.clear();
    }
    return checked.computeIfAbsent(
        new Pair(spec.spec().hash(), set.hash()), pair -> validate(set, spec));
  }

  private static ValidatedBounds validate(CausalBoundSet set, CompiledSpec spec) {
    CausalBound first = set.rows().get(0);
    CausalBoundsSpec wanted = spec.spec().policy().causalBounds();
    if (wanted == null || !wanted.name().equals(set.name())) {
      String why = "spec " + spec.spec().hash() + " does not ask for bounds of this name";
      return new ValidatedBounds.Refused(set, ErrorCode.BOUNDS_REJECTED, why, first);
    }
    if (!set.isSound()) {
      return new ValidatedBounds.Refused(
          set, ErrorCode.BOUNDS_REJECTED, "its rows are not those that its hash stands for", first);
    }
    String graph = spec.spec().graph().fingerprint();
    for (CausalBound row : set.rows()) {
      if (!row.set().graphHash().equals(graph)) {
        String why = "it is for graph " + row.set().graphHash() + ", the spec's is " + graph;
        return new ValidatedBounds.Refused(set, ErrorCode.BOUNDS_GRAPH_MISMATCH, why, row);
      }
    }
    try {
      return new ValidatedBounds.Usable(set, CausalBoundTable.of(spec.spec(), rows(set)));
    } catch (CausalBoundException e) {
      return new ValidatedBounds.Refused(
          set, ErrorCode.BOUNDS_REJECTED, String.valueOf(e.getMessage()), set.rows().get(e.row()));
    }
  }

  private static List<CausalBoundRow> rows(CausalBoundSet set) {
    List<CausalBoundRow> rows = new ArrayList<>(set.rows().size());
    for (CausalBound row : set.rows()) {
      rows.add(
          new CausalBoundRow(
              row.arm(),
              row.context(),
              row.lower(),
              row.upper(),
              row.evidence().mode() != CausalBoundMode.MANUAL));
    }
    return rows;
  }
}
