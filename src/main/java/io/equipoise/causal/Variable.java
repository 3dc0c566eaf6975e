package io.equipoise.causal;

import java.util.HashSet;
import java.util.List;

/** A discrete variable with ordered levels; a level's index counts from 0. */
public record Variable(String name, List<String> levels) {
  public Variable {
    levels = List.copyOf(levels);
    if (name.isBlank()) {
      throw new DistributionException("a variable has a blank name");
    }
    if (levels.isEmpty()) {
      throw new DistributionException("variable \"" + name + "\" has no levels");
    }
    if (new HashSet<>(levels).size() < levels.size()) {
      throw new DistributionException("variable \"" + name + "\" has a level twice: " + levels);
    }
  }

  public int size() {
    return levels.size();
  }

  /** Returns the index of {@code level}, or throws with the allowed levels. */
  public int indexOf(String level) {
    int index = levels.indexOf(level);
    if (index < 0) {
      throw new DistributionException(
          "variable \"" + name + "\" has no level \"" + level + "\", only " + levels);
    }
    return index;
  }
}
