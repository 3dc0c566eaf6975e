package io.equipoise.segmentspec;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy}: the name here, all else by the family of that name. */
final class PolicyReader {
  private PolicyReader() {}

  /** Finds the families when the first spec is read. */
  private static final class Installed {
    private static final PolicySections SECTIONS =
        ServiceLoader.load(PolicySections.class, PolicySections.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the class path lacks META-INF/services/"
                            + PolicySections.class.getName()
                            + "; it is in the jar of io.equipoise.policy"));
  }

  /** Returns the families on the class path. */
  static PolicySections installed() {
    return Installed.SECTIONS;
  }

  /** Returns null after a fault, also if the reward's scale is needed and has one. */
  static @Nullable PolicySpec read(
      PolicySections families,
      @Nullable Field field,
      VariableTable variables,
      @Nullable Arms arms,
      @Nullable RewardRule reward) {
    if (field == null) {
      return null;
    }
    Section section = Section.ofNames(field);
    section.require(
        "name", Nearest.oneOf("", families.names().stream().map(PolicyName::wire).toList()));
    Field nameField = section.fields().get("name");
    PolicyName name = nameField == null ? null : name(nameField, families, variables);
    if (name == null) {
      return null;
    }
    return families.read(name, new PolicySection(section, variables, arms, reward));
  }

  private static @Nullable PolicyName name(
      Field field, PolicySections families, VariableTable variables) {
    PolicyName name = field.choice(families.names(), PolicyName::wire);
    boolean noneSensitive =
        variables.knowsAllRoles() && variables.names(VariableRole.SENSITIVE).isEmpty();
    if (name != null && name.isConstrained() && noneSensitive) {
      field.fault(name.wire() + " needs a variable with the role sensitive");
    }
    return name;
  }
}
