package io.equipoise.causal.bounds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Identifies a table that a plan needs: over these variables, of selected or of unselected rows.
 *
 * @param variables by name
 */
public record Scope(SortedSet<String> variables, boolean isSelected) {
  public Scope {
    variables = Collections.unmodifiableSortedSet(new TreeSet<>(variables));
  }

  private boolean isWithin(Scope other) {
    return isSelected == other.isSelected && other.variables.containsAll(variables);
  }

  /** Returns the scopes that are not contained in others, largest first, then by name. */
  static List<Scope> largest(List<Scope> scopes) {
    Set<Scope> distinct = new LinkedHashSet<>(scopes);
    List<Scope> largest = new ArrayList<>();
    for (Scope scope : distinct) {
      if (distinct.stream().noneMatch(it -> !it.equals(scope) && scope.isWithin(it))) {
        largest.add(scope);
      }
    }
    largest.sort(
        Comparator.comparing((Scope scope) -> !scope.isSelected)
            .thenComparing(scope -> -scope.variables.size())
            .thenComparing(scope -> String.join(",", scope.variables)));
    return largest;
  }
}
