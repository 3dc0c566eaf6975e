package io.equipoise.policy;

import io.equipoise.event.Sha256;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySections;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SpecKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists the policy families on the class path of {@link PolicyFamily}. Immutable once made.
 *
 * <p>The families of this project come first, in the order of their service file, then foreign ones
 * by name.
 */
public final class PolicyFamilies implements PolicySections {
  /** The first format code of state blocks of foreign families. */
  public static final int FIRST_FOREIGN_FORMAT = 192;

  /** The last format code of state blocks of foreign families. */
  public static final int LAST_FOREIGN_FORMAT = 255;

  /** As long as the fingerprints of the families of this project. */
  private static final int HASH_LENGTH = 32;

  private final List<PolicyFamily> families = new ArrayList<>();
  private final List<PolicyName> names = new ArrayList<>();
  private final Map<String, SpecKeys> keys = new ConcurrentHashMap<>();
  private final Map<String, PolicyFamily> byPolicy = new HashMap<>();
  private final Map<Integer, PolicyFamily> byFormat = new HashMap<>();
  private final Map<Integer, Supplier<StateBlock>> formats = new HashMap<>();

  private static final class Installed {
    private static final PolicyFamilies FAMILIES = new PolicyFamilies();
  }

  /** Finds the families; {@link ServiceLoader} calls it for {@link PolicySections}. */
  public PolicyFamilies() {
    this(ServiceLoader.load(PolicyFamily.class, PolicyFamily.class.getClassLoader()));
  }

  /**
   * Registers families.
   *
   * @throws IllegalStateException if two have the same name, policy or format code, or one has a
   *     code outside its range
   */
  PolicyFamilies(Iterable<PolicyFamily> found) {
    List<PolicyFamily> foreign = new ArrayList<>();
    for (PolicyFamily family : found) {
      (isForeign(family) ? foreign : families).add(family);
    }
    foreign.sort((one, other) -> one.name().compareTo(other.name()));
    families.addAll(foreign);
    Map<String, PolicyFamily> byName = new HashMap<>();
    for (PolicyFamily family : families) {
      claim("the family name", family.name(), byName.put(family.name(), family), family);
      for (PolicyName policy : family.policies()) {
        claim("the policy", policy.wire(), byPolicy.put(policy.wire(), family), family);
        names.add(policy);
      }
      family.formats().forEach((code, empty) -> addFormat(family, code, empty));
    }
  }

  private void addFormat(PolicyFamily family, int code, Supplier<StateBlock> empty) {
    int first = isForeign(family) ? FIRST_FOREIGN_FORMAT : 1;
    int last = isForeign(family) ? LAST_FOREIGN_FORMAT : FIRST_FOREIGN_FORMAT - 1;
    if (code < first || code > last) {
      throw new IllegalStateException(
          "%s has the state format %d; allowed are %d to %d for version %d"
              .formatted(family.getClass().getName(), code, first, last, family.version()));
    }
    claim("the state format", code, byFormat.put(code, family), family);
    formats.put(code, empty);
  }

  private static void claim(
      String what, Object claimed, @Nullable PolicyFamily before, PolicyFamily family) {
    if (before != null) {
      throw new IllegalStateException(
          "%s and %s both have %s %s; remove the jar of one of them from policies/"
              .formatted(before.getClass().getName(), family.getClass().getName(), what, claimed));
    }
  }

  /** Returns the families on the class path. */
  public static PolicyFamilies installed() {
    return Installed.FAMILIES;
  }

  private static boolean isForeign(PolicyFamily family) {
    return family.version() > 0;
  }

  @Override
  public List<PolicyName> names() {
    return List.copyOf(names);
  }

  @Override
  public @Nullable PolicySpec read(PolicyName name, PolicySection section) {
    PolicyFamily family = of(name);
    PolicySection declared = section.of(keys(family), name);
    return declared.fields().isRejected() ? null : family.read(name, declared);
  }

  private SpecKeys keys(PolicyFamily family) {
    return keys.computeIfAbsent(family.name(), unused -> family.keys());
  }

  @Override
  public List<FamilyKeys> families() {
    List<FamilyKeys> all = new ArrayList<>();
    for (PolicyFamily family : families) {
      List<String> policies = family.policies().stream().map(PolicyName::wire).toList();
      all.add(new FamilyKeys(family.name(), policies, keys(family)));
    }
    return all;
  }

  /**
   * Returns the family of a policy.
   *
   * @throws IllegalArgumentException if no family has a policy of this name
   */
  public PolicyFamily of(PolicyName name) {
    PolicyFamily family = byPolicy.get(name.wire());
    if (family == null) {
      throw new IllegalArgumentException(
          "no policy family has " + name.wire() + "; add its jar to policies/");
    }
    return family;
  }

  /**
   * Returns the fingerprint of a policy's model, with the family's version if the family is
   * foreign.
   */
  public String fingerprint(Policy policy) {
    PolicyFamily family = of(policy.spec().policy().name());
    if (!isForeign(family)) {
      return policy.fingerprint();
    }
    String meaning =
        "family %s version %d\n%s".formatted(family.name(), family.version(), policy.fingerprint());
    return Sha256.hex(meaning.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_LENGTH);
  }

  /**
   * Returns the constructor of empty blocks of a format, or null if no family has the format.
   *
   * @param code the unsigned first byte of a block
   */
  public @Nullable Supplier<StateBlock> format(int code) {
    return formats.get(code);
  }
}
