package io.equipoise.offline.count;

import io.equipoise.causal.estimand.ContingencyTable;
import java.util.ArrayList;
import java.util.List;

/**
 * What was counted.
 *
 * @param tables by scope, in the order of the layout
 */
public record Counts(long rows, List<ContingencyTable> tables) {
  public Counts {
    tables = new ArrayList<>(tables);
  }
}
