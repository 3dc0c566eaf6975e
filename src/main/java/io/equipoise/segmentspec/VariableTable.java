package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the variables while a spec is read. A variable with an error keeps its name, and its
 * role if that is sound, so that places that name the variable report no further error.
 */
public final class VariableTable {
  private final Map<String, @Nullable SpecVariable> byName = new LinkedHashMap<>();
  private final Map<String, VariableRole> roles = new LinkedHashMap<>();

  void add(String name, @Nullable VariableRole variableRole, @Nullable SpecVariable variable) {
    byName.put(name, variable);
    if (variableRole != null) {
      roles.put(name, variableRole);
    }
  }

  public Set<String> names() {
    return byName.keySet();
  }

  public boolean knows(String name) {
    return byName.containsKey(name);
  }

  /** Returns the role if the variable is known and its role is sound. */
  public @Nullable VariableRole role(String name) {
    return roles.get(name);
  }

  /** Returns the variable if it has no fault. */
  public @Nullable SpecVariable sound(String name) {
    return byName.get(name);
  }

  /** Returns whether every variable's role is sound. */
  public boolean knowsAllRoles() {
    return roles.size() == byName.size();
  }

  /** Returns the names of a role. */
  public List<String> names(VariableRole variableRole) {
    List<String> names = new ArrayList<>();
    roles.forEach(
        (name, found) -> {
          if (found == variableRole) {
            names.add(name);
          }
        });
    return names;
  }

  /** Returns the variables of a role, or null if one of them has a fault. */
  public @Nullable List<SpecVariable> sound(VariableRole variableRole) {
    List<SpecVariable> sound = new ArrayList<>();
    for (String name : names(variableRole)) {
      SpecVariable variable = byName.get(name);
      if (variable == null) {
        return null;
      }
      sound.add(variable);
    }
    return knowsAllRoles() ? sound : null;
  }

  /** Returns all, once no faults were found. */
  Variables variables() {
    List<SpecVariable> all = new ArrayList<>();
    byName.forEach(
        (name, variable) -> {
          if (variable == null) {
            throw new IllegalStateException(
                "variable " + name + " has an error that was not reported");
          }
          all.add(variable);
        });
    return new Variables(all);
  }
}
