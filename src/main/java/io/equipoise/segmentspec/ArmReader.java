package io.equipoise.segmentspec;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code arms}: the word {@code all}, or a list. A reader belongs to one spec; it collects
 * the ids of a list with their lines.
 */
public final class ArmReader {
  private static final int MAX_ARMS = 10_000;
  private static final int MAX_ID_LENGTH = 256;

  /**
   * Maximum bytes of all ids: half of a record of the default size, since every decision lists all
   * arms. The record size of a deployment is not known here; the job checks again.
   */
  private static final int MAX_ID_BYTES = 512 << 10;

  private final Section root;
  private final List<SpecVariable> actions;
  private final VariableTable variables;
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private boolean isAnyWithoutId;

  private ArmReader(Section root, List<SpecVariable> actions, VariableTable variables) {
    this.root = root;
    this.actions = actions;
    this.variables = variables;
  }

  /**
   * Holds the arms, as far as they could be read.
   *
   * @param arms null after a fault in them or in an action
   * @param ids of all arms, also of those with a fault; null if one is unknown
   */
  record ReadArms(@Nullable Arms arms, @Nullable List<String> ids) {
    private static ReadArms of(@Nullable Arms arms) {
      return new ReadArms(arms, arms == null ? null : arms.list().stream().map(Arm::id).toList());
    }
  }

  /** Reads the arms; without the key every combination of levels is an arm. */
  static ReadArms read(Section root, VariableTable variables) {
    List<SpecVariable> actions = variables.sound(VariableRole.ACTION);
    if (actions == null || actions.isEmpty()) {
      return new ReadArms(null, null);
    }
    Field field = root.get("arms");
    if (field == null || !field.isList()) {
      return ReadArms.of(all(root, field, actions));
    }
    ArmReader reader = new ArmReader(root, actions, variables);
    Arms listed = listable(reader.list(), field);
    boolean isEveryIdKnown = !reader.lines.isEmpty() && !reader.isAnyWithoutId;
    return new ReadArms(listed, isEveryIdKnown ? List.copyOf(reader.lines.keySet()) : null);
  }

  private static @Nullable Arms all(
      Section root, @Nullable Field field, List<SpecVariable> actions) {
    if (field != null && !"all".equals(field.text())) {
      field.fault("all, or a list of arms");
      return null;
    }
    long combinations = 1;
    for (SpecVariable action : actions) {
      if (action.isNumeric()) {
        (field == null ? root.field() : field)
            .fault(
                "all arms of the number " + action.name(), "a list of arms, each with its number");
        return null;
      }
      combinations = Math.min(combinations * action.levels().size(), Integer.MAX_VALUE);
    }
    if (combinations > MAX_ARMS) {
      root.field().fault(combinations + " arms", "at most " + MAX_ARMS + "; list those you need");
      return null;
    }
    Arms all = Arms.all(actions);
    if (all.list().stream().map(Arm::id).distinct().count() < all.size()) {
      root.field().fault("combinations with one id", "no , or = in the levels of actions");
      return null;
    }
    if (all.list().stream().anyMatch(arm -> arm.id().length() > MAX_ID_LENGTH)) {
      root.field()
          .fault(
              "combinations with ids of more than " + MAX_ID_LENGTH + " characters",
              "shorter names of actions and their levels, or a list of arms with ids");
      return null;
    }
    return listable(all, field == null ? root.field() : field);
  }

  /** Returns the arms, or null after a fault if no decision could list them. */
  private static @Nullable Arms listable(@Nullable Arms arms, Field field) {
    long bytes = 0;
    for (Arm arm : arms == null ? List.<Arm>of() : arms.list()) {
      bytes += arm.id().getBytes(StandardCharsets.UTF_8).length;
    }
    if (arms != null && bytes > MAX_ID_BYTES) {
      field.fault(
          arms.size() + " arms with ids of " + bytes + " bytes",
          "at most " + MAX_ID_BYTES + ", since every decision lists them; give them short ids");
      return null;
    }
    return arms;
  }

  private @Nullable Arms list() {
    List<Arm> arms = new ArrayList<>();
    List<Field> items = root.items("arms");
    for (Field item : items) {
      Arm arm = arm(item);
      if (arm != null) {
        arms.add(arm);
      }
    }
    return !arms.isEmpty() && arms.size() == items.size() ? new Arms(arms) : null;
  }

  private @Nullable Arm arm(Field item) {
    Section section = root.inner(item, "arms[]");
    List<String> keys = new ArrayList<>(List.of("id"));
    keys.addAll(variables.names(VariableRole.ACTION));
    section.refuseOthers(keys);
    int[] levels = new int[actions.size()];
    int numeric = (int) actions.stream().filter(SpecVariable::isNumeric).count();
    double[] numbers = new double[numeric];
    int number = 0;
    boolean sound = true;
    for (int action = 0; action < levels.length; action++) {
      SpecVariable variable = actions.get(action);
      section.require(variable.name(), allowed(variable));
      Field value = section.fields().get(variable.name());
      Double own = value != null && variable.isNumeric() ? numberOf(variable, value) : null;
      if (variable.isNumeric()) {
        levels[action] = own == null ? -1 : variable.bin(own);
        numbers[number++] = own == null ? Double.NaN : own;
      } else {
        levels[action] = value == null ? -1 : levelOf(variable, value);
      }
      sound &= levels[action] >= 0;
    }
    boolean hasId = section.fields().containsKey("id");
    String made = sound ? Arms.idOf(actions, levels, numbers) : null;
    String id = hasId ? section.text("id") : made;
    if (id == null) {
      isAnyWithoutId = true;
      return null;
    }
    if (id.length() > MAX_ID_LENGTH) {
      item.fault("an id of " + id.length() + " characters", "an id of at most " + MAX_ID_LENGTH);
    }
    Integer first = lines.putIfAbsent(id, item.line());
    if (first != null) {
      item.fault(
          "a second arm " + SpecFaults.shown(id),
          first == item.line()
              ? "it is in this line already; remove one"
              : "it is in line " + first + " already; remove one");
      return null;
    }
    return sound ? new Arm(id, levels, numbers) : null;
  }

  private static String allowed(SpecVariable variable) {
    NumberRange numberRange = variable.range();
    return numberRange == null
        ? Nearest.oneOf("", variable.levels())
        : "a number from "
            + Field.shown(numberRange.low())
            + " to "
            + Field.shown(numberRange.high());
  }

  /** Returns a number of the variable's range, or null after a fault. */
  private static @Nullable Double numberOf(SpecVariable variable, Field field) {
    Double number = field.number();
    NumberRange numberRange = variable.range();
    if (number != null && numberRange != null && !numberRange.contains(number)) {
      field.fault(allowed(variable));
      return null;
    }
    return number;
  }

  /** Returns the index of a level, or -1 after a fault. */
  public static int levelOf(SpecVariable variable, Field field) {
    String level = field.text();
    if (level == null) {
      return -1;
    }
    int index = variable.indexOf(level);
    if (index < 0) {
      field.fault(Nearest.levelOf(variable.name(), level, variable.levels()));
    }
    return index;
  }
}
