package io.equipoise.offline.count;

import io.equipoise.causal.estimand.ContingencyTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the counted rows and the tables of all scopes.
 *
 * @param tables by scope, in the order of the layout
 * @param squares of a mean, for each of its scopes; empty without one
 */
public record Counts(long rows, List<ContingencyTable> tables, List<ContingencyTable> squares) {
  public Counts {
    tables = new ArrayList<>(tables);
    squares = new ArrayList<>(squares);
  }

  /** Returns empty counts. */
  public static Counts none() {
    return new Counts(0, List.of(), List.of());
  }
}
