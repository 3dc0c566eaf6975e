package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lists the variables of a segment in the order of their declaration, which fixes every index.
 *
 * <p>A person's context vector is an {@code int[]} of level indices, one for each of {@link
 * #features()}. The views are computed at each call: keep them, and do not call the methods for
 * each event.
 */
public record Variables(List<SpecVariable> all) {
  /**
   * Copies the list; rejects two variables of one name, and any number of rewards other than one.
   */
  public Variables {
    all = List.copyOf(all);
    Set<String> names = new HashSet<>();
    for (SpecVariable variable : all) {
      if (!names.add(variable.name())) {
        throw new IllegalArgumentException("two variables are named " + variable.name());
      }
    }
    if (withRole(all, VariableRole.REWARD).size() != 1) {
      throw new IllegalArgumentException("not exactly one reward among " + all);
    }
  }

  /** Returns the context and sensitive variables, in declaration order. */
  public List<SpecVariable> features() {
    List<SpecVariable> features = new ArrayList<>();
    for (SpecVariable variable : all) {
      if (variable.role().isFeature()) {
        features.add(variable);
      }
    }
    return List.copyOf(features);
  }

  /** Returns the action variables, in declaration order. */
  public List<SpecVariable> actions() {
    return withRole(all, VariableRole.ACTION);
  }

  /** Returns the mediators, in declaration order. */
  public List<SpecVariable> mediators() {
    return withRole(all, VariableRole.MEDIATOR);
  }

  public SpecVariable reward() {
    return withRole(all, VariableRole.REWARD).get(0);
  }

  /** Returns the positions of the sensitive variables within {@link #features()}. */
  public List<Integer> sensitive() {
    List<Integer> positions = new ArrayList<>();
    List<SpecVariable> features = features();
    for (int position = 0; position < features.size(); position++) {
      if (features.get(position).role() == VariableRole.SENSITIVE) {
        positions.add(position);
      }
    }
    return List.copyOf(positions);
  }

  /** Returns the variable of this name, or throws if there is none; see {@link #has}. */
  public SpecVariable named(String name) {
    for (SpecVariable variable : all) {
      if (variable.name().equals(name)) {
        return variable;
      }
    }
    throw new IllegalArgumentException("no variable is named " + name);
  }

  /** Returns whether there is a variable of this name. */
  public boolean has(String name) {
    for (SpecVariable variable : all) {
      if (variable.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static List<SpecVariable> withRole(List<SpecVariable> all, VariableRole variableRole) {
    List<SpecVariable> found = new ArrayList<>();
    for (SpecVariable variable : all) {
      if (variable.role() == variableRole) {
        found.add(variable);
      }
    }
    return List.copyOf(found);
  }
}
