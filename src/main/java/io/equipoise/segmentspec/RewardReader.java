package io.equipoise.segmentspec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code reward}. */
final class RewardReader {
  private RewardReader() {}

  static @Nullable RewardRule read(@Nullable Field field, VariableTable variables) {
    if (field == null) {
      return null;
    }
    Section section = Section.of(field, "range", "bounded", "scale", "default");
    Field rangeField = section.require("range", "[low, high] of every expected reward");
    NumberRange numberRange = rangeField == null ? null : range(rangeField);
    Field boundedField = section.get("bounded");
    Boolean bounded = boundedField == null ? Boolean.TRUE : boundedField.flag();
    Double scale = scale(section, numberRange, bounded);
    DefaultReward byDefault = byDefault(section.get("default"), variables, numberRange, bounded);
    if (numberRange == null || bounded == null || scale == null) {
      return null;
    }
    return new RewardRule(numberRange, bounded, scale, byDefault);
  }

  private static @Nullable NumberRange range(Field field) {
    NumberRange numberRange = Levels.range(field);
    if (numberRange == null) {
      return null;
    }
    Double low = learnable(field.items().get(0));
    Double high = learnable(field.items().get(1));
    return low == null || high == null ? null : numberRange;
  }

  private static @Nullable Double learnable(Field field) {
    Double value = field.number();
    if (value != null && !RewardRule.isLearnable(value)) {
      String most = Levels.shown(RewardRule.LARGEST);
      field.fault("a number from -" + most + " to " + most + ": no model takes larger rewards");
      return null;
    }
    return value;
  }

  private static @Nullable Double scale(
      Section section, @Nullable NumberRange numberRange, @Nullable Boolean bounded) {
    Field field = section.get("scale");
    if (field != null) {
      return field.positive(RewardRule.LARGEST);
    }
    if (Boolean.FALSE.equals(bounded)) {
      section.require(
          "scale", "with bounded: false the sub-Gaussian scale of one reward is needed");
      return null;
    }
    return numberRange == null ? null : Double.valueOf(numberRange.width() / 2);
  }

  private static @Nullable DefaultReward byDefault(
      @Nullable Field field,
      VariableTable variables,
      @Nullable NumberRange numberRange,
      @Nullable Boolean bounded) {
    if (field == null) {
      return null;
    }
    Section section = Section.of(field, "value", "mediators");
    Field valueField = section.require("value", "the reward of a decision that stayed silent");
    Double value = valueField == null ? null : learnable(valueField);
    if (valueField != null
        && value != null
        && numberRange != null
        && Boolean.TRUE.equals(bounded)
        && !numberRange.contains(value)) {
      valueField.fault(
          "a value in reward.range, "
              + Levels.shown(numberRange.low())
              + " to "
              + Levels.shown(numberRange.high())
              + ", or bounded: false");
    }
    Map<String, String> mediators = mediators(section.get("mediators"), variables);
    return value == null ? null : new DefaultReward(value, mediators);
  }

  private static Map<String, String> mediators(@Nullable Field field, VariableTable variables) {
    Map<String, String> mediators = new LinkedHashMap<>();
    if (field == null) {
      return mediators;
    }
    Section.ofNames(field)
        .fields()
        .forEach(
            (name, level) -> {
              VariableRole variableRole = variables.role(name);
              SpecVariable variable = variables.sound(name);
              if (!variables.knows(name)
                  || (variableRole != null && variableRole != VariableRole.MEDIATOR)) {
                level.fault(
                    "the key " + SpecFaults.shown(name),
                    Nearest.oneOf(name, variables.names(VariableRole.MEDIATOR)));
              } else if (variable != null && ArmReader.levelOf(variable, level) >= 0) {
                mediators.put(name, String.valueOf(level.text()));
              }
            });
    return mediators;
  }
}
