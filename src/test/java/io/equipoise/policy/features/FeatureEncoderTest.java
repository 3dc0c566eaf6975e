package io.equipoise.policy.features;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.FeatureTerm.Intercept;
import io.equipoise.segmentspec.FeatureTerm.Level;
import io.equipoise.segmentspec.FeatureTerm.Match;
import io.equipoise.segmentspec.FeatureTerm.Numeric;
import io.equipoise.segmentspec.FeatureTerm.OneHot;
import io.equipoise.segmentspec.FeatureTerm.Product;
import io.equipoise.segmentspec.Missing;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureEncoderTest {
  private static final SpecVariable GENDER =
      new SpecVariable(
          "gender",
          VariableRole.SENSITIVE,
          List.of("f", "m", "undisclosed"),
          Missing.LEVEL,
          2,
          null,
          new double[0]);
  private static final SpecVariable HOURS =
      new SpecVariable(
          "hours",
          VariableRole.CONTEXT,
          List.of("[0,40)", "[40,80]"),
          Missing.REJECT,
          -1,
          new NumberRange(0, 80),
          new double[] {40});
  private static final SpecVariable SPEAKER =
      new SpecVariable(
          "speaker",
          VariableRole.ACTION,
          List.of("m", "f"),
          Missing.REJECT,
          -1,
          null,
          new double[0]);
  private static final List<SpecVariable> PEOPLE = List.of(GENDER, HOURS);
  private static final List<SpecVariable> ARMS = List.of(SPEAKER);

  private static double[] encode(Profile person, Profile arm, FeatureTerm... terms) {
    FeatureEncoder encoder = new FeatureEncoder(new FeatureMap(List.of(terms)), PEOPLE, ARMS);
    double[] out = new double[encoder.dimension()];
    encoder.encode(person, arm, out);
    return out;
  }

  @Test
  void everyTermWritesItsFeaturesInItsPlace() {
    Profile man = new Profile(new int[] {1, 0}, new double[] {20});
    Profile herTalk = Profile.of(1);
    assertArrayEquals(
        new double[] {1, 0, 1, 0, -.5, 0, 0, 1},
        encode(
            man,
            herTalk,
            new Intercept(),
            new OneHot("gender"),
            new Numeric("hours", 40, 40),
            new Match("gender", "speaker"),
            new OneHot("speaker")));
  }

  @Test
  void armsAreAlikeUnlessATermReadsThem() {
    assertFalse(readsArms(new Intercept(), new OneHot("gender"), new Numeric("hours", 40, 40)));
    assertTrue(readsArms(new OneHot("gender"), new OneHot("speaker")));
    assertTrue(readsArms(new Match("gender", "speaker")));
    assertTrue(readsArms(new Product(new OneHot("gender"), new Level("speaker", "f"))));
  }

  private static boolean readsArms(FeatureTerm... terms) {
    return new FeatureEncoder(new FeatureMap(List.of(terms)), PEOPLE, ARMS).readsArms();
  }

  @Test
  void levelsMatchByNameAndUndisclosedMatchesNobody() {
    FeatureTerm match = new Match("gender", "speaker");
    double[] hours = {0};
    for (int gender = 0; gender < 3; gender++) {
      for (int speaker = 0; speaker < 2; speaker++) {
        Profile person = new Profile(new int[] {gender, 0}, hours);
        boolean isSame = gender < 2 && gender == 1 - speaker;
        assertArrayEquals(
            new double[] {isSame ? 1 : 0}, encode(person, Profile.of(speaker), match));
      }
    }
  }

  @Test
  void aLevelIsOneFeatureWhereOneHotIsOneForEach() {
    for (int gender = 0; gender < 3; gender++) {
      Profile person = new Profile(new int[] {gender, 0}, new double[] {0});
      assertArrayEquals(
          new double[] {gender == 1 ? 1 : 0, 1},
          encode(person, Profile.of(1), new Level("gender", "m"), new Level("speaker", "f")));
    }
  }

  @Test
  void aProductIsEveryPairWithTheLeftSlowest() {
    Profile person = new Profile(new int[] {2, 1}, new double[] {60});
    assertArrayEquals(
        new double[] {0, 0, 0, 0, 1, 0},
        encode(person, Profile.of(0), new Product(new OneHot("gender"), new OneHot("speaker"))));
    assertArrayEquals(
        new double[] {0, 0, 1.5},
        encode(
            person, Profile.of(0), new Product(new OneHot("gender"), new Numeric("hours", 0, 40))));
  }

  /** Two people differ in no feature that reads nothing of what they differ in. */
  @Test
  void aDifferenceNeedsOnlyThePartsThatReadWhatChanges() {
    FeatureEncoder encoder =
        new FeatureEncoder(
            new FeatureMap(
                List.of(
                    new Intercept(),
                    new OneHot("hours"),
                    new OneHot("gender"),
                    new Product(new OneHot("speaker"), new Numeric("hours", 40, 40)),
                    new Level("gender", "f"),
                    new Match("speaker", "gender"),
                    new Product(new OneHot("speaker"), new OneHot("gender")),
                    new Product(new Numeric("hours", 40, 40), new OneHot("gender")),
                    new OneHot("speaker"))),
            PEOPLE,
            ARMS);
    assertArrayEquals(new int[] {2, 4, 5, 6, 7}, encoder.partsOf(List.of(0)));
    assertArrayEquals(new int[] {1, 3, 7}, encoder.partsOf(List.of(1)));
    assertEquals(7, encoder.partsOf(List.of(0, 1)).length);
    for (int number = 0; number < 3 * 3 * 2; number++) {
      Profile here = new Profile(new int[] {number % 3, 0}, new double[] {20});
      Profile there = here.with(0, number / 3 % 3);
      Profile arm = Profile.of(number / 9);
      Entries ofHere = new Entries();
      Entries ofThere = new Entries();
      encoder.encode(here, arm, encoder.partsOf(List.of(0)), ofHere);
      encoder.encode(there, arm, encoder.partsOf(List.of(0)), ofThere);
      Entries apart = new Entries();
      apart.setDifference(ofThere, ofHere);
      double[] difference = new double[encoder.dimension()];
      apart.copyTo(difference);
      double[] whole = new double[encoder.dimension()];
      double[] other = new double[encoder.dimension()];
      encoder.encode(here, arm, whole);
      encoder.encode(there, arm, other);
      for (int i = 0; i < whole.length; i++) {
        assertEquals(other[i] - whole[i], difference[i], "person and arm " + number);
      }
      assertEquals(Arrays.stream(difference).filter(it -> it != 0).count(), apart.count());
    }
  }

  @Test
  void withoutAMapEveryVariableStandsForItself() {
    FeatureMap map = FeatureMap.ofAll(PEOPLE, ARMS, false);
    FeatureEncoder encoder = new FeatureEncoder(map, PEOPLE, ARMS);
    assertEquals(1 + 3 + 1 + 2, encoder.dimension());
    double[] out = new double[encoder.dimension()];
    encoder.encode(new Profile(new int[] {0, 1}, new double[] {60}), Profile.of(1), out);
    assertArrayEquals(new double[] {1, 1, 0, 0, .75, 0, 1}, out);
  }

  @Test
  void oneModelOfAllArmsHasEffectsOfEachArmByDefault() {
    FeatureMap map = FeatureMap.ofAll(PEOPLE, ARMS, true);
    Product effects = new Product(new OneHot("gender"), new OneHot("speaker"));
    assertEquals(effects, map.terms().get(map.terms().size() - 1));
    assertEquals(5, map.terms().size(), "nothing else is multiplied");
  }

  @Test
  void aScratchThatIsKeptMakesEncodingAllocateNothing() {
    FeatureTerm[] terms = new FeatureTerm[100];
    Arrays.setAll(terms, i -> new Numeric("hours", i, 40));
    FeatureEncoder encoder = new FeatureEncoder(new FeatureMap(List.of(terms)), PEOPLE, ARMS);
    Profile person = new Profile(new int[] {1, 0}, new double[] {20.5});
    Profile arm = Profile.of(1);
    double[] out = new double[encoder.dimension()];
    Entries scratch = new Entries();
    encoder.encode(person, arm, scratch, out);
    assertArrayEquals(encode(person, arm, terms), out);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int round = 0; round < 1000; round++) {
      encoder.encode(person, arm, scratch, out);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 100_000, bytes + " bytes for 1,000 encodings");
  }

  @Test
  void aVariableThatNobodyHasIsRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> encode(Profile.of(0, 0), Profile.of(0), new OneHot("color")));
    assertEquals("neither people nor arms have a variable color", refused.getMessage());
  }
}
