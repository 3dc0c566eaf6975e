package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContentDigestTest {
  private static final Map<String, Object> ATTRIBUTES =
      Map.of("age", 41L, "city", "Köln", "income", 2.5, "member", true);
  private static final List<CandidateArm> ARMS =
      List.of(new CandidateArm("a", Map.of("price", 9.0)));

  /** Computed outside Java from the documented layout; state holds digests, so they stay. */
  @Test
  void theDigestsAreThoseOfTheDocumentedLayout() {
    assertEquals(0xee9d2ba622d23f51L, ContentDigest.of(context(1000, ATTRIBUTES, ARMS, 2000L)));
    assertEquals(0x5887e04d39d4648aL, ContentDigest.of(reward(1000, 0.5, Map.of("m", false), "a")));
  }

  @Test
  void neitherIdsNorOriginNorEncodingNorOrderMatter() {
    Map<String, Object> turned = new LinkedHashMap<>();
    List.of("member", "income", "city", "age").forEach(n -> turned.put(n, ATTRIBUTES.get(n)));
    var elsewhere = new Origin("other", 9, 9, 9);
    var other = new ContextEvent("e", "t", 1000, turned, ARMS, 2000L, elsewhere, new byte[] {1});
    assertEquals(ContentDigest.of(context(1000, ATTRIBUTES, ARMS, 2000L)), ContentDigest.of(other));
  }

  @Test
  void everyPartOfAContextMatters() {
    List<CandidateArm> otherArms = List.of(new CandidateArm("b", Map.of("price", 9.0)));
    List<CandidateArm> two = List.of(ARMS.get(0), otherArms.get(0));
    List<CandidateArm> turned = List.of(otherArms.get(0), ARMS.get(0));
    List<ContextEvent> contexts =
        List.of(
            context(1000, ATTRIBUTES, ARMS, 2000L),
            context(1001, ATTRIBUTES, ARMS, 2000L),
            context(1000, Map.of("age", 41L), ARMS, 2000L),
            context(1000, Map.of("age", 41.0), ARMS, 2000L),
            context(1000, Map.of("age", "41"), ARMS, 2000L),
            context(1000, Map.of(), ARMS, 2000L),
            context(1000, ATTRIBUTES, otherArms, 2000L),
            context(1000, ATTRIBUTES, two, 2000L),
            context(1000, ATTRIBUTES, turned, 2000L),
            context(1000, ATTRIBUTES, List.of(), 2000L),
            context(1000, ATTRIBUTES, null, 2000L),
            context(1000, ATTRIBUTES, ARMS, 2001L),
            context(1000, ATTRIBUTES, ARMS, null));
    Set<Long> digests = new HashSet<>();
    contexts.forEach(each -> digests.add(ContentDigest.of(each)));
    assertEquals(contexts.size(), digests.size());
  }

  @Test
  void everyPartOfARewardMatters() {
    List<RewardEvent> rewards =
        List.of(
            reward(1000, 0.5, Map.of(), "a"),
            reward(1001, 0.5, Map.of(), "a"),
            reward(1000, 0.0, Map.of(), "a"),
            reward(1000, 0.5, Map.of("m", 1L), "a"),
            reward(1000, 0.5, Map.of(), "b"),
            reward(1000, 0.5, Map.of(), null));
    Set<Long> digests = new HashSet<>();
    rewards.forEach(each -> digests.add(ContentDigest.of(each)));
    assertEquals(rewards.size(), digests.size());
  }

  @Test
  void minusZeroEqualsZero() {
    assertEquals(
        ContentDigest.of(reward(1000, 0.0, Map.of("m", 0.0), "a")),
        ContentDigest.of(reward(1000, -0.0, Map.of("m", -0.0), "a")));
    assertEquals(
        ContentDigest.of(context(1000, Map.of("n", 0.0), null, null)),
        ContentDigest.of(context(1000, Map.of("n", -0.0), null, null)));
  }

  @Test
  void anIdHashIsTheStartOfSha256() {
    assertEquals("7439c44ac9b8dd8bd3e81fd2d01b0510", IdHash.of("naïve-1").hex());
    assertEquals(new IdHash(0x7439c44ac9b8dd8bL, 0xd3e81fd2d01b0510L), IdHash.of("naïve-1"));
    assertEquals("0000000000000001000000000000000f", new IdHash(1, 15).hex());
    assertNotEquals(IdHash.of("a"), IdHash.of("b"));
  }

  private static ContextEvent context(
      long time,
      Map<String, Object> attributes,
      @Nullable List<CandidateArm> candidates,
      @Nullable Long deadline) {
    var origin = new Origin("contexts", 0, 0, 0);
    return new ContextEvent("d", "s", time, attributes, candidates, deadline, origin, new byte[0]);
  }

  private static RewardEvent reward(
      long time, double reward, Map<String, Object> mediators, @Nullable String shownArm) {
    var origin = new Origin("rewards", 0, 0, 0);
    return new RewardEvent("d", null, "s", time, reward, mediators, shownArm, origin, new byte[0]);
  }
}
