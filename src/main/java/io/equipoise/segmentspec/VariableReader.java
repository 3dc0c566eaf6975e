package io.equipoise.segmentspec;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code variables}. */
final class VariableReader {

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.-]{0,63}");

  private VariableReader() {}

  static VariableTable read(Section root) {
    VariableTable table = new VariableTable();
    Section all = root.names("variables");
    if (all == null) {
      return table;
    }
    Field field = all.field();
    Map<String, Field> fields = all.fields();
    fields.forEach(
        (name, variable) -> readOne(name, root.inner(variable, "variables.NAME"), table));
    if (table.knowsAllRoles() && table.names(VariableRole.ACTION).isEmpty()) {
      field.fault("no action", "at least one variable with the role action");
    }
    if (table.knowsAllRoles() && table.names(VariableRole.REWARD).isEmpty()) {
      field.fault("no reward", "one variable with the role reward");
    }
    boundComparisons(fields, table);
    return table;
  }

  /** Limits the comparisons of a decision, since each is a record of the audit. */
  private static void boundComparisons(Map<String, Field> fields, VariableTable table) {
    List<SpecVariable> sensitive = table.sound(VariableRole.SENSITIVE);
    if (sensitive == null) {
      return;
    }
    long all = sensitive.stream().mapToLong(SpecVariable::comparisons).sum();
    if (all <= Intersections.MAX_COMPARISONS) {
      return;
    }
    SpecVariable most =
        Collections.max(sensitive, Comparator.comparingLong(SpecVariable::comparisons));
    Field field = Objects.requireNonNull(fields.get(most.name()));
    String others = most.comparisons() == all ? "" : ", " + all + " with the other variables,";
    field.fault(
        "up to %d comparisons of %s%s a decision"
            .formatted(most.comparisons(), most.name(), others),
        "at most %d of all sensitive variables: fewer levels%s"
            .formatted(
                Intersections.MAX_COMPARISONS,
                most.undisclosed() < 0
                    ? ""
                    : ", or missing: reject, with which n levels make n - 1 comparisons instead of"
                        + " n(n - 1)"));
  }

  private static void readOne(String name, Section section, VariableTable table) {
    Field field = section.field();
    if (!NAME.matcher(name).matches()) {
      field.fault(
          "the name " + SpecFaults.shown(name),
          "a letter or _, then letters, digits, _ . -, at most 64 in all");
    }
    VariableRole variableRole = section.word("role", VariableRole.class);
    SpecVariable variable = null;
    if (variableRole == VariableRole.REWARD) {
      variable = reward(name, section, table);
    } else if (variableRole != null) {
      if (variableRole == VariableRole.ACTION && name.equals("id")) {
        field.fault("the name \"id\"", "an action needs another name: arms use the key id");
      }
      variable = discrete(name, variableRole, section);
    }
    table.add(name, variableRole, section.isSound() ? variable : null);
  }

  private static SpecVariable reward(String name, Section section, VariableTable table) {
    if (!table.names(VariableRole.REWARD).isEmpty()) {
      section.field().fault("a second reward", "one variable has the role reward");
    }
    for (Map.Entry<String, Field> entry : section.fields().entrySet()) {
      if (!entry.getKey().equals("role")) {
        entry.getValue().fault("a reward has only a role; its range is reward.range");
      }
    }
    return new SpecVariable(
        name, VariableRole.REWARD, List.of(), Missing.REJECT, -1, null, new double[0]);
  }

  private static @Nullable SpecVariable discrete(
      String name, VariableRole variableRole, Section section) {
    Missing missing = missing(variableRole, section);
    Levels levels = Levels.read(variableRole, missing, section);
    if (levels == null) {
      return null;
    }
    int undisclosed =
        switch (missing) {
          case REJECT -> -1;
          case LEVEL -> levels.names().size() - 1;
          case MARGINALIZE -> levels.names().size();
        };
    return new SpecVariable(
        name,
        variableRole,
        levels.names(),
        missing,
        undisclosed,
        levels.range(),
        levels.cuts(),
        usual(levels.range(), section),
        actsByBin(levels.range(), section));
  }

  private static @Nullable NumberRange usual(@Nullable NumberRange range, Section section) {
    NumberRange usual = section.range("usual-range");
    if (usual != null
        && (range == null || !range.contains(usual.low()) || !range.contains(usual.high()))) {
      section
          .fields()
          .get("usual-range")
          .fault(range == null ? "only numeric variables have one" : "an interval inside range");
    }
    return usual;
  }

  private static boolean actsByBin(@Nullable NumberRange range, Section section) {
    ActsBy by = section.word("acts-by", ActsBy.class);
    if (by == ActsBy.BIN && range == null) {
      section.fields().get("acts-by").fault("only numeric variables have it");
    }
    return by == ActsBy.BIN;
  }

  private enum ActsBy implements Word {
    NUMBER,
    BIN
  }

  private static Missing missing(VariableRole variableRole, Section section) {
    Missing byDefault = variableRole == VariableRole.SENSITIVE ? Missing.LEVEL : Missing.REJECT;
    Field field = section.get("missing");
    if (field != null && !variableRole.isFeature()) {
      field.fault("only context and sensitive variables say what to do when they are missing");
      return byDefault;
    }
    Missing missing = section.word("missing", Missing.class, byDefault);
    return missing == null ? byDefault : missing;
  }
}
