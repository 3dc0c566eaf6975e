package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.TabularFamily;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySection;
import io.equipoise.segmentspec.PolicySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The registry finds families, keeps their claims apart, and signs foreign models. */
class PolicyFamiliesTest {
  private static final PolicyFamily OWN = new TabularFamily();

  /** The tabular family as another project would bring it. */
  private record Foreign(
      String name,
      int version,
      Map<Integer, Supplier<StateBlock>> formats,
      List<? extends PolicyName> policies)
      implements PolicyFamily {
    static Foreign of(String name, int version, int... codes) {
      Map<Integer, Supplier<StateBlock>> formats = new HashMap<>();
      for (int code : codes) {
        formats.put(code, CellBlock::new);
      }
      PolicyName policy = () -> name;
      return new Foreign(name, version, formats, List.of(policy));
    }

    Foreign withPolicies(List<? extends PolicyName> others) {
      return new Foreign(name, version, formats, others);
    }

    @Override
    public PolicySpec read(PolicyName policy, PolicySection section) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Policy compile(SegmentSpec spec) {
      return OWN.compile(spec);
    }

    @Override
    public void check(Policy policy, CheckFindings findings) {}
  }

  private static List<String> words(PolicyFamilies families) {
    return families.names().stream().map(PolicyName::wire).toList();
  }

  private static String refusal(PolicyFamily... found) {
    return assertThrows(IllegalStateException.class, () -> new PolicyFamilies(List.of(found)))
        .getMessage();
  }

  @Test
  void theServiceFileListsTheFamiliesOfThisProject() {
    List<String> words = words(PolicyFamilies.installed());
    assertEquals(26, words.size());
    assertEquals("ucb", words.get(0));
    assertEquals("ts-v2", words.get(25));
  }

  @Test
  void foreignFamiliesComeAfterTheirHostsByName() {
    PolicyFamilies families =
        new PolicyFamilies(List.of(Foreign.of("zeta", 1), Foreign.of("beta", 1), OWN));
    List<String> words = words(families);
    assertEquals(List.of("beta", "zeta"), words.subList(words.size() - 2, words.size()));
  }

  @Test
  void twoFamiliesCannotClaimTheSame() {
    assertTrue(refusal(Foreign.of("a", 1), Foreign.of("a", 1)).contains("the family name a"));
    assertTrue(
        refusal(Foreign.of("a", 1, 200), Foreign.of("b", 1, 200))
            .contains("the state format 200; remove the jar"));
    assertTrue(
        refusal(OWN, Foreign.of("a", 1).withPolicies(OWN.policies())).contains("the policy ucb"));
  }

  @Test
  void formatsOfForeignFamiliesHaveARangeOfTheirOwn() {
    assertTrue(refusal(Foreign.of("a", 1, 191)).contains("allowed are 192 to 255 for version 1"));
    assertTrue(refusal(Foreign.of("a", 1, 256)).contains("format 256"));
    assertTrue(refusal(Foreign.of("a", 0, 192)).contains("allowed are 1 to 191 for version 0"));
    PolicyFamilies families = new PolicyFamilies(List.of(Foreign.of("a", 1, 192, 255)));
    assertNull(families.format(193));
    assertEquals(List.of("a"), words(families));
  }

  @Test
  void theVersionIsPartOfAForeignFingerprintOnly() {
    SegmentSpec spec = TestSpec.mediated().policy("name: ucb").build();
    Policy policy = OWN.compile(spec);
    assertEquals(policy.fingerprint(), new PolicyFamilies(List.of(OWN)).fingerprint(policy));
    String first = foreign(1).fingerprint(policy);
    String second = foreign(2).fingerprint(policy);
    assertNotEquals(policy.fingerprint(), first);
    assertNotEquals(first, second);
    assertEquals(first, foreign(1).fingerprint(policy));
  }

  private static PolicyFamilies foreign(int version) {
    return new PolicyFamilies(List.of(Foreign.of("other", version).withPolicies(OWN.policies())));
  }

  @Test
  void aPolicyOfNoFamilyIsRefused() {
    PolicyName unknown = () -> "softmax";
    String message =
        assertThrows(IllegalArgumentException.class, () -> PolicyFamilies.installed().of(unknown))
            .getMessage();
    assertEquals("no policy family has softmax; add its jar to policies/", message);
  }
}
