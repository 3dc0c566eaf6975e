package io.equipoise.policy.refutation;

import io.equipoise.policy.Experience;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Numbers the joint levels of observed variables, mixed radix with the first variable slowest. */
record TestStrata(List<Observed> variables) {
  TestStrata {
    variables = List.copyOf(variables);
  }

  /** Returns how many there are; a number that may be beyond every array. */
  double count() {
    double count = 1;
    for (Observed variable : variables) {
      count *= variable.levels();
    }
    return count;
  }

  /** Returns whether strata separate the levels of a variable. */
  boolean has(String variable) {
    return variables.stream().anyMatch(it -> it.name().equals(variable));
  }

  /** Returns the stratum of a reward, or -1 where one of the variables is not known. */
  int of(Experience experience) {
    int stratum = 0;
    for (Observed variable : variables) {
      int level = variable.of(experience);
      if (level < 0) {
        return -1;
      }
      stratum = stratum * variable.levels() + level;
    }
    return stratum;
  }

  /** Returns the names of the levels of a stratum, by variable. */
  Map<String, String> named(int stratum) {
    Map<String, String> named = new TreeMap<>();
    int rest = stratum;
    for (int i = variables.size() - 1; i >= 0; i--) {
      Observed variable = variables.get(i);
      named.put(variable.name(), variable.names().get(rest % variable.levels()));
      rest /= variable.levels();
    }
    return named;
  }
}
