package io.equipoise.segmentspec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a key of a section: one line of a table of {@link SpecKeys}.
 *
 * @param name of the key; one in capitals stands for names that the spec chooses
 * @param types alternatives, at least one
 * @param standard the default as a spec would write it, {@code required}, {@code required} and the
 *     policies that require it, {@code -} for none, or words after {@code ~} if it is computed
 * @param meaning sentences for the reference page
 * @param only the policies that have the key; all of the family if empty
 */
public record SpecKey(
    String name, List<KeyType> types, String standard, String meaning, List<String> only) {
  private static final String REQUIRED = "required";

  /** Returns whether the key stands for names that the spec chooses. */
  public boolean isPlaceholder() {
    return Character.isUpperCase(name.charAt(0));
  }

  /** Returns whether a section must not have the key. */
  public boolean isRejected() {
    return types.get(0).kind() == KeyType.ValueKind.REJECTED;
  }

  boolean isOf(String policy) {
    return only.isEmpty() || only.contains(policy);
  }

  /**
   * Returns whether a section must have the key under a policy; the policy is empty outside its
   * section.
   */
  public boolean isRequired(String policy) {
    return standard.equals(REQUIRED)
        || (standard.startsWith(REQUIRED + " ")
            && List.of(standard.split(" ", -1)).contains(policy));
  }

  /** Returns the default as a spec would write it, or null if there is none or it is computed. */
  @Nullable String literal() {
    return standard.equals("-") || standard.startsWith(REQUIRED) || standard.startsWith("~")
        ? null
        : standard;
  }

  /** Returns the alternative of a kind, or null. */
  @Nullable KeyType as(KeyType.ValueKind kind) {
    return types.stream().filter(type -> type.kind() == kind).findFirst().orElse(null);
  }
}
