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
   * @param name null after a fault in the name; then only faults of other keys are wanted
   * @return null after a fault
   */
  @Nullable PolicySpec read(@Nullable PolicyName name, PolicySection section);
}
