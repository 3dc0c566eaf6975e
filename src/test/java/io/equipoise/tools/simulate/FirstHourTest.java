package io.equipoise.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.event.ArmCertificate;
import io.equipoise.event.CertificateStatus;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.simulation.SegmentDriver;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What snapshots say in the first hour of a shop with a decision a second. Eight teasers are
 * clicked in 3 to 6 % of the decisions, alike by all people.
 */
@Tag("slow")
class FirstHourTest {
  private static final int SECONDS = 3_600;
  private static final String WORLD =
      """
      base-rate: 0.04
      effects:
        - {teaser: b, effect: -0.01}
        - {teaser: c, effect: 0.01}
        - {teaser: d, effect: 0.02}
      """;

  private static CompiledSpec shop(String model, String explore) {
    return CompiledSpec.of(
        SpecParser.parse(
            """
            name: shop
            version: 1
            segments: default
            variables:
              gender: {role: sensitive, levels: [f, m]}
              teaser: {role: action, levels: [a, b, c, d, e, g, h, i]}
              clicked: {role: reward}
            graph: "dag { gender -> clicked teaser -> clicked }"
            reward: {range: [0, 1]}
            policy:
              name: linucb
              constraint: hard
              model: %s
              alpha: 0.45
              features: [intercept, one-hot: gender, one-hot: teaser,
                         product: [{one-hot: gender}, {one-hot: teaser}]]
              explore: %s
            fairness: {tau: 0.02}
            join: {reward-window: 10m}
            metrics: {every: 25}
            """
                .formatted(model, explore)));
  }

  /** Returns the arms that some snapshot of the hour marks, and checks that it judges all arms. */
  private static Set<String> lockedIn(CompiledSpec spec) {
    World.People people = World.of(spec.spec(), WorldFile.parse("shop", WORLD), null).people(1);
    SegmentDriver driver =
        new SegmentDriver(spec, BoundsRegistry.NONE, "shop", 1_000).keepingMetrics();
    Set<String> lockedIn = new LinkedHashSet<>();
    for (int t = 1; t <= SECONDS; t++) {
      Person person = people.next();
      int arm = armOf(spec, driver.ask("d" + t, person.attributes()).arm());
      driver.reward("d" + t, 0, people.consequence(person, arm).reward(), Map.of());
      SegmentMetrics metrics = driver.metrics();
      if (metrics != null) {
        List<ArmCertificate> certificates = metrics.fairness().certificates();
        assertThat(certificates).hasSize(8);
        certificates.stream()
            .filter(ArmCertificate::lockedIn)
            .forEach(it -> lockedIn.add(it.arm()));
      }
    }
    assertThat(driver.metrics().fairness().certificates())
        .as("the hour does not decide all arms")
        .anyMatch(it -> it.status() == CertificateStatus.OPEN);
    return lockedIn;
  }

  private static int armOf(CompiledSpec spec, String id) {
    return spec.spec().arms().list().stream().map(it -> it.id()).toList().indexOf(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"certify", "balanced", "earn", "{over: balanced, budget: 0}"})
  void anArmThatTheGoalComesBackToIsNotLockedIn(String explore) {
    assertThat(lockedIn(shop("disjoint", explore))).isEmpty();
    assertThat(lockedIn(shop("shared", explore))).isEmpty();
  }

  @Test
  void anArmThatOnlyDrawsOfATenthOfAPercentTryIsLockedIn() {
    assertThat(lockedIn(shop("disjoint", "{share: 0.001, over: all}"))).isNotEmpty();
  }
}
