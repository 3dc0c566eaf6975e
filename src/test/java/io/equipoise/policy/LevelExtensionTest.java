package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Learns under a spec, extends what was learned to a spec with more levels in any order, and
 * compares with a model that had the larger spec from the start, level by level by name.
 */
class LevelExtensionTest {
  private static final long FIRST_SEED = 400;
  private static final int PAIRS = Tier.count(300, 5_000);
  private static final List<String> NAMES = List.of("S", "X", "A", "M");
  private static final List<String> LEVELS = List.of("p", "q", "r", "s", "t", "u", "v", "w");
  private static final List<String> POLICIES =
      List.of("ucb", "c-ucb", "d-ucb", "f-ucb", "d-ucb, separating-set: [A, M, X]");

  @Test
  void whatWasLearnedEqualsWhatTheLargerSpecWouldHaveLearned() {
    int extended = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + PAIRS; seed++) {
      try {
        extended += new Pair(seed).play() ? 1 : 0;
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("pair of seed " + seed, e);
      }
    }
    assertTrue(extended > PAIRS / 2, extended + " pairs have the same W");
    assertTrue(extended < PAIRS, "none has another W");
    Tier.found(LevelExtensionTest.class, "pairs of specs extended", extended);
  }

  /** Two specs, the second with more levels. */
  private static final class Pair {
    private final SplittableRandom random;
    private final Map<String, List<String>> few = new TreeMap<>();
    private final Map<String, List<String>> many = new TreeMap<>();
    private final TabularPolicy before;
    private final TabularPolicy after;

    Pair(long seed) {
      random = new SplittableRandom(seed);
      for (String name : NAMES) {
        int most = name.equals("M") ? LEVELS.size() : 4;
        List<String> levels = shuffled(LEVELS).subList(0, random.nextInt(2, most + 1));
        many.put(name, levels);
        few.put(name, shuffled(levels).subList(0, random.nextInt(2, levels.size() + 1)));
      }
      String policy = POLICIES.get(random.nextInt(POLICIES.size()));
      String confidence = random.nextBoolean() ? "" : ", confidence: sub-gaussian";
      before = bandit(policy, confidence, few);
      after = bandit(policy, confidence, many);
    }

    private static TabularPolicy bandit(
        String policy, String confidence, Map<String, List<String>> levels) {
      SpecVariant spec = SpecVariant.of(policy).fairness("tau: 0.2, delta: 0.05" + confidence);
      levels.forEach((name, list) -> spec.levels(name, list.toArray(new String[0])));
      return TabularPolicy.compile(SpecParser.parse(spec.text()));
    }

    private List<String> shuffled(List<String> list) {
      List<String> shuffled = new ArrayList<>(list);
      for (int i = shuffled.size() - 1; i > 0; i--) {
        shuffled.set(i, shuffled.set(random.nextInt(i + 1), shuffled.get(i)));
      }
      return shuffled;
    }

    boolean play() {
      LevelMap map = after.extensionOf(before);
      List<String> w = before.separatingSet().variables();
      if (!w.equals(after.separatingSet().variables())) {
        assertNull(map, "W changed");
        return false;
      }
      assertNotNull(map);
      assertTrue(few.equals(many) || !after.fingerprint().equals(before.fingerprint()));
      MemoryModelState grown = new MemoryModelState();
      MemoryModelState larger = new MemoryModelState();
      for (int i = random.nextInt(40); i > 0; i--) {
        int[] person = person(before);
        int arm = random.nextInt(before.spec().arms().size());
        int[] mediators = {random.nextInt(few.get("M").size())};
        double reward = random.nextInt(5) / 4.0;
        before.learn(grown, person, arm, mediators, reward);
        after.learn(larger, moved(person), moved(arm), movedMediators(mediators), reward);
        assertArrayEquals(moved(person), map.features(person));
        assertArrayEquals(movedMediators(mediators), map.mediators(mediators));
      }
      List<Double> means = means(grown);
      after.extend(before, map, grown);
      assertEquals(means, means(grown));
      for (int i = random.nextInt(20); i > 0; i--) {
        int[] person = person(after);
        int arm = random.nextInt(after.spec().arms().size());
        int[] mediators = {random.nextInt(many.get("M").size())};
        double reward = random.nextInt(5) / 4.0;
        after.learn(grown, person, arm, mediators, reward);
        after.learn(larger, person, arm, mediators, reward);
      }
      assertEquals(moments(larger), moments(grown));
      assertEquals(larger, grown);
      return true;
    }

    private int[] person(TabularPolicy bandit) {
      return bandit.spec().variables().features().stream()
          .mapToInt(variable -> random.nextInt(CellLayout.size(variable)))
          .toArray();
    }

    private int[] moved(int[] person) {
      int[] moved = new int[person.length];
      for (int place = 0; place < moved.length; place++) {
        SpecVariable variable = before.spec().variables().features().get(place);
        moved[place] =
            after
                .spec()
                .variables()
                .named(variable.name())
                .indexOf(variable.levels().get(person[place]));
      }
      return moved;
    }

    private int moved(int arm) {
      return after.spec().arms().indexOf(before.spec().arms().get(arm).id());
    }

    private int[] movedMediators(int[] mediators) {
      return new int[] {many.get("M").indexOf(few.get("M").get(mediators[0]))};
    }

    /** Lists n, mean and m2 of all cells by block. */
    private static Map<Long, List<String>> moments(MemoryModelState blocks) {
      Map<Long, List<String>> moments = new TreeMap<>();
      for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
        CellBlock block = (CellBlock) entry.getValue();
        List<String> cells = new ArrayList<>();
        for (int cell = 0; cell < block.cells(); cell++) {
          cells.add(block.n(cell) + " " + block.mean(cell) + " " + block.m2(cell));
        }
        moments.put(entry.getKey(), cells);
      }
      return moments;
    }

    /** Lists the means of cells that know something, wherever they are. */
    private static List<Double> means(MemoryModelState blocks) {
      List<Double> means = new ArrayList<>();
      for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
        CellBlock block = (CellBlock) entry.getValue();
        for (int cell = 0; cell < block.cells(); cell++) {
          if (block.n(cell) > 0) {
            means.add(block.mean(cell));
          }
        }
      }
      return means.stream().sorted().toList();
    }
  }

  private static TabularPolicy compiled(SpecVariant spec) {
    return TabularPolicy.compile(SpecParser.parse(spec.text()));
  }

  @Test
  void whatIsNoMoreOrMeansSomethingElseIsNoExtension() {
    TabularPolicy plain = compiled(SpecVariant.of("ucb"));
    SpecVariant more = SpecVariant.of("ucb").levels("X", "low", "mid", "high");
    assertNotNull(compiled(more).extensionOf(plain));
    assertNull(plain.extensionOf(compiled(more)), "a level less");
    assertNull(compiled(more.reward("{range: [0, 2]}")).extensionOf(plain), "another range");
    SpecVariant other = SpecVariant.of("d-ucb").levels("X", "low", "mid", "high");
    assertNull(compiled(other).extensionOf(plain), "another W");
    String text = SpecVariant.of("ucb").levels("X", "low", "mid", "high").text();
    assertNull(
        TabularPolicy.compile(SpecParser.parse(text.replace("role: sensitive,", "role: context,")))
            .extensionOf(plain),
        "another role");
    String refusing = text.replace("{role: sensitive,", "{role: sensitive, missing: reject,");
    assertNotEquals(text, refusing);
    assertNull(
        TabularPolicy.compile(SpecParser.parse(refusing)).extensionOf(plain),
        "those who do not tell have a level no more");
  }
}
