package io.equipoise.segmentspec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code reward}. */
final class RewardReader {
  private RewardReader() {}

  static @Nullable RewardRule read(@Nullable Section section, VariableTable variables) {
    if (section == null) {
      return null;
    }
    NumberRange range = section.range("range");
    Field given = section.get("range");
    String fault = range == null ? null : RewardRule.faultOf(range);
    if (range != null && given != null && fault != null) {
      given.fault("[" + Field.shown(range.low()) + ", " + Field.shown(range.high()) + "]", fault);
    }
    boolean bounded = section.flag("bounded");
    if (!bounded && section.isSound()) {
      section.require("scale", "with bounded: false the sub-Gaussian scale of one reward");
    }
    double scale = section.number("scale", range == null ? Double.NaN : range.width() / 2);
    boolean isSound = section.isSound() && range != null;
    Section silence = section.section("default");
    DefaultReward byDefault =
        silence == null ? null : byDefault(silence, variables, bounded ? range : null);
    if (!isSound || range == null || !section.isSound()) {
      return null;
    }
    RewardRule rule = new RewardRule(range, bounded, scale, byDefault);
    rule.checkQuotient(section, "scale", scale);
    return rule;
  }

  private static @Nullable DefaultReward byDefault(
      Section section, VariableTable variables, @Nullable NumberRange range) {
    Field field = section.get("value");
    double value = section.number("value");
    if (field != null && range != null && (value < range.low() || value > range.high())) {
      field.fault(
          "a value in reward.range, "
              + Field.shown(range.low())
              + " to "
              + Field.shown(range.high())
              + ", or bounded: false");
    }
    Map<String, String> mediators = mediators(section.names("mediators"), variables);
    return Double.isNaN(value) ? null : new DefaultReward(value, mediators);
  }

  private static Map<String, String> mediators(@Nullable Section section, VariableTable variables) {
    Map<String, String> mediators = new LinkedHashMap<>();
    if (section == null) {
      return mediators;
    }
    section
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
