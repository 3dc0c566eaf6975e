package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
  @TempDir private Path home;

  @Test
  void jarsOfPoliciesAreListedByName() throws Exception {
    Distribution distribution = new Distribution(home);
    assertEquals(List.of(), distribution.policyJars());
    Path policies = Files.createDirectory(home.resolve("policies"));
    for (String name : List.of("b.jar", "a.jar", "README")) {
      Files.createFile(policies.resolve(name));
    }
    assertEquals(
        List.of(policies.resolve("a.jar"), policies.resolve("b.jar")), distribution.policyJars());
    assertEquals(
        "%s/lib/*:%s/a.jar:%s/b.jar".formatted(home, policies, policies),
        distribution.classPathWithPolicies());
  }
}
