package io.equipoise.segmentspec;

import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the section {@code policy} once its name is known. Specs do not know policies: the
 * implementation is found by {@link ServiceLoader}.
 */
public interface PolicySections {
  /** Returns the names of all policies, in the order in which error messages list them. */
  List<PolicyName> names();

  /**
   * Reads the settings of a policy.
   *
   * @return null after a fault
   */
  @Nullable PolicySpec read(PolicyName name, PolicySection section);

  /** Returns what each family declares, in the order of {@link #names}. */
  List<FamilyKeys> families();

  /**
   * Lists the keys of a family.
   *
   * @param family its name
   * @param policies their names
   */
  record FamilyKeys(String family, List<String> policies, SpecKeys keys) {}
}
