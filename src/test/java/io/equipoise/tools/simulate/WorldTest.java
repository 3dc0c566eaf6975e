package io.equipoise.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.World.Consequence;
import io.equipoise.tools.simulate.World.Truth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldTest {
  private static final int DRAWS = 20_000;
  private static final SegmentSpec OFFERS = SimulationSpecs.cells().spec();

  /** A mediator follows gender, the arm and age; the reward follows the mediator and the price. */
  private static final SegmentSpec SHOP =
      SpecParser.parse(
          """
name: shop
version: 1
segments: default
variables:
  gender: {role: sensitive, levels: [f, m]}
  race: {role: sensitive, levels: [a, b, c]}
  age: {role: context, range: [20, 60], cuts: [40]}
  price: {role: action, levels: [low, high]}
  seen: {role: mediator, levels: [no, yes]}
  bought: {role: reward}
graph: "dag { {gender race age} -> price; {gender price} -> seen; {seen race age price} -> bought }"
distributions:
  cpts:
    gender: {given: [], rows: [[0.7, 0.3]]}
    seen: {given: [gender, price], rows: [[f, low, 0.5, 0.5], [f, high, 0.5, 0.5],
                                          [m, low, 0.5, 0.5], [m, high, 0.9, 0.1]]}
reward: {range: [0, 1], bounded: false, scale: 0.1}
policy: {name: f-ucb}
fairness: {tau: 0.15, intersections: true}
join: {reward-window: 1d}
""");

  private static World shop(String text) {
    return World.of(SHOP, WorldFile.parse("world", text), null);
  }

  private static Person person(int gender, int race, double age) {
    return new Person(new int[] {gender, race, age < 40 ? 0 : 1}, new double[] {age}, Map.of());
  }

  @Test
  void theMeanAveragesOverMediatorsAndTheEffectLetsThemFollow() {
    World world = shop("{base-rate: 0.3, effects: [{seen: yes, effect: 0.4}]}");
    Truth truth = world.truth(person(0, 0, 30));
    assertArrayEquals(new double[] {0.5, 0.5}, truth.means(), 1e-12);
    assertArrayEquals(new double[] {0, 0.16}, truth.effects(), 1e-12);
    assertEquals(0.5, truth.bestFair(0.15), 1e-12);
    assertTrue(truth.isUnfair(1, 0.15) && !truth.isUnfair(0, 0.15) && !truth.isUnfair(1, 0.16));
  }

  @Test
  void aNumberMultipliesAnEffect() {
    World world = shop("{base-rate: 0.3, effects: [{times: age, price: [high], effect: 0.4}]}");
    assertArrayEquals(new double[] {0.3, 0.4}, world.truth(person(1, 0, 30)).means(), 1e-12);
    assertArrayEquals(new double[] {0.3, 0.7}, world.truth(person(1, 0, 60)).means(), 1e-12);
  }

  @Test
  void jointEffectsCountWhereTheSpecAsksForThem() {
    String text = "{base-rate: 0.3, effects: [{gender: m, race: [b, c], effect: 0.4}]}";
    assertArrayEquals(new double[] {0.4, 0.4}, shop(text).truth(person(0, 0, 30)).effects(), 1e-12);
    SegmentSpec single = SpecParser.parse(SHOP.text().replace(", intersections: true", ""));
    World world = World.of(single, WorldFile.parse("world", text), null);
    assertArrayEquals(new double[] {0, 0}, world.truth(person(0, 0, 30)).effects(), 1e-12);
  }

  @Test
  void withoutAFairArmTheLeastUnfairOneIsTheReference() {
    Truth truth = new Truth(new double[] {0.9, 0.4}, new double[] {0.5, 0.3});
    assertEquals(0.4, truth.bestFair(0.2), 0);
    assertEquals(0.9, truth.best(), 0);
    Truth fair = new Truth(new double[] {0.9, 0.6, 0.5}, new double[] {0.21, 0.2, 0.1});
    assertEquals(0.6, fair.bestFair(0.2), 0);
  }

  @Test
  void peopleFollowTheTablesAndTheStatedShares() {
    World world = shop("levels: {race: {a: 0.2, b: 0.2, c: 0.5, undisclosed: 0.1}}");
    World.People people = world.people(1);
    Map<Object, Integer> counts = new HashMap<>();
    double ages = 0;
    int hidden = 0;
    for (int i = 0; i < DRAWS; i++) {
      Person person = people.next();
      person.attributes().values().forEach(value -> counts.merge(value, 1, Integer::sum));
      hidden += person.attributes().containsKey("race") ? 0 : 1;
      ages += person.numbers()[0];
      assertEquals(person.numbers()[0] < 40 ? 0 : 1, person.levels()[2]);
    }
    assertEquals(0.7, counts.get("f") / (double) DRAWS, 0.02);
    assertEquals(0.5, counts.get("c") / (double) DRAWS, 0.02);
    assertEquals(0.1, hidden / (double) DRAWS, 0.01);
    assertEquals(40, ages / DRAWS, 0.5);
  }

  @Test
  void rewardsHaveTheirMeanAndTheScaleOfTheSpec() {
    World world = shop("{base-rate: 0.3, effects: [{seen: yes, effect: 0.4}]}");
    World.People people = world.people(1);
    Person person = person(1, 0, 30);
    double sum = 0;
    double squares = 0;
    int seen = 0;
    for (int i = 0; i < DRAWS; i++) {
      Consequence consequence = people.consequence(person, 1);
      boolean isSeen = "yes".equals(consequence.mediators().get("seen"));
      seen += isSeen ? 1 : 0;
      double noise = consequence.reward() - (isSeen ? 0.7 : 0.3);
      sum += noise;
      squares += noise * noise;
    }
    assertEquals(0.1, seen / (double) DRAWS, 0.01);
    assertEquals(0, sum / DRAWS, 0.003);
    assertEquals(0.1, Math.sqrt(squares / DRAWS), 0.003);
  }

  @Test
  void aBoundedRewardIsOneOfBothEnds() {
    World.People people = World.of(OFFERS, WorldFile.NONE, null).people(1);
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
      double reward = people.consequence(people.next(), 0).reward();
      assertTrue(reward == 0 || reward == 1);
      sum += reward;
    }
    assertEquals(0.5, sum / DRAWS, 0.02);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bas-rate: 1 | w, line 1: bas-rate given; did you mean base-rate? one of base-rate, noise, levels,"
            + " effects",
        "a: [ | w, line 1: a missing value or bracket given; the text must be YAML",
        "[] | w, line 1: [] given; a mapping such as {name: value}",
        "base-rate: x | w, line 1: base-rate: x given; a finite number",
        "noise: 1 | w, line 1: noise: 1.0 given; only with reward.bounded: false."
            + " Bounded rewards are one of both ends",
        "noise: 1e308 | w, line 1: noise: 1e308 given; a number from -1e12 to 1e12",
        "noise: -1 | w, line 1: noise: -1 given; at least 0",
        "effects: 1 | w, line 1: effects: 1 given; a list such as [{offer: large, effect: -0.2}]",
        "effects: [{offer: large}] | w, line 1: effects[0]: no effect; add effect: NUMBER",
        "effects: [{offer: , effect: 1}] | w, line 1: effects[0].offer: no value; give one",
        "effects: [{ofer: large, effect: 1}] | w, line 1: effects[0].ofer: ofer given;"
            + " did you mean offer? one of gender, income, offer, arm (spec offers)",
        "effects: [{offer: big, effect: 1}] | w, line 1: effects[0].offer: big given;"
            + " one of small, standard, large",
        "effects: [{arm: small, effect: 1}] | w, line 1: effects[0].arm: small given;"
            + " one of offer=small, offer=standard, offer=large",
        "effects: [{times: income, effect: 1}] | w, line 1: effects[0].times: income given;"
            + " a variable with a range of numbers",
        "base-rate: 0.5\\nlevels:\\n  gender: {f: 0.5}\\n | w, line 3: levels.gender: the shares sum to"
            + " 0.5; they must sum to 1",
        "base-rate: 0.5\\neffects:\\n  - {offer: big, effect: 1}\\n | w, line 3: effects[0].offer: big"
            + " given; one of small, standard, large",
        "base-rate: 0.5\\n\\tnoise: 1 | w, line 2: a tab; indent with blanks given; the text must be YAML",
        "noise: 0\\nnoise: 0 | w, line 2: noise: given twice; remove one",
        "levels: {offer: {small: 1}} | w, line 1: levels.offer: no feature or mediator;"
            + " one of gender, income",
        "levels: {gender: {f: 0.5}} | w, line 1: levels.gender: the shares sum to 0.5; they must sum to 1",
        "levels: {gender: {x: 1}} | w, line 1: levels.gender: x given; one of f, m",
        "levels: {income: {low: 0.5, undisclosed: 0.5}} | w, line 1: levels.income.undisclosed: 0.5 given;"
            + " 0, because variables.income has no missing: level or marginalize",
        "levels: {gender: {f: 0, m: 0, undisclosed: 1}} | w, line 1: levels.gender.undisclosed: 1.0 given;"
            + " less than 1",
      })
  void errorsNameThePlaceTheValueAndTheFix(String text, String message) {
    WorldException e =
        assertThrows(
            WorldException.class,
            () ->
                World.of(
                    OFFERS,
                    WorldFile.parse("w", text.replace("\\n", "\n").replace("\\t", "\t")),
                    null));
    assertEquals(message, e.getMessage());
  }

  @Test
  void aMeanOutsideOfTheRangeIsRefused() {
    World world =
        World.of(
            OFFERS,
            WorldFile.parse("w", "effects: [{income: high, gender: m, effect: 0.6}]"),
            null);
    Person person = new Person(new int[] {1, 1}, new double[0], Map.of());
    WorldException e = assertThrows(WorldException.class, () -> world.truth(person));
    assertEquals(
        "the mean reward of arm offer=small for gender=m, income=high is 1.1, outside of"
            + " reward.range [0, 1] of spec offers; change base-rate or an effect",
        e.getMessage());
  }

  @Test
  void aTextOfFiftyThousandBracketsIsOneLine() {
    WorldException e =
        assertThrows(WorldException.class, () -> WorldFile.parse("w", "[".repeat(50_000)));
    assertEquals(
        "w, line 1: nesting deeper than 16 given; a world is one plain YAML document",
        e.getMessage());
  }

  @Test
  void aTableOfPeopleIsDrawnAndHidesEmptyCells(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("people.csv");
    Files.writeString(file, "income,gender,other\nlow,m,1\nhigh,,2\nhigh,m,3\nlow,m,4\n");
    PeopleFile people = PeopleFile.read(file, OFFERS);
    World.People drawn = World.of(OFFERS, WorldFile.NONE, people).people(1);
    int hidden = 0;
    for (int i = 0; i < DRAWS; i++) {
      Person person = drawn.next();
      boolean isHidden = !person.attributes().containsKey("gender");
      hidden += isHidden ? 1 : 0;
      assertEquals(1, person.levels()[0]);
      assertEquals("high".equals(person.attributes().get("income")) ? 1 : 0, person.levels()[1]);
    }
    assertEquals(0.25, hidden / (double) DRAWS, 0.02);
    WorldFile shares = WorldFile.parse("w", "levels: {income: {low: 1}}");
    WorldException e = assertThrows(WorldException.class, () -> World.of(OFFERS, shares, people));
    assertTrue(
        e.getMessage().startsWith("w, line 1: levels.income: people come from "), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "income\\nlow | , line 1: columns [income] given; also required: [gender]",
        "income,gender,income\\nlow,f,low | , line 1: duplicate column \"income\"",
        "income,gender\\nlow,f,1 | , line 2: 3 values, but the heading has 2",
        "income,gender\\nlow | , line 2: 1 values, but the heading has 2",
        "income,gender\\nna,f | , line 2: income: na given; one of [low, high], or nothing for a value that is not disclosed",
        "income,gender\\nlow,f\\nlow,x | , line 3: gender: x given; one of f, m, undisclosed",
        "income,gender | : has no row; add at least one person",
        "income,gender\\n,f | , line 2: income: nothing given; it is needed",
      })
  void tablesWithErrorsAreRefused(String text, String message, @TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("people.csv");
    Files.writeString(file, text.replace("\\n", "\n"));
    WorldException e = assertThrows(WorldException.class, () -> PeopleFile.read(file, OFFERS));
    assertEquals(file + message, e.getMessage());
  }

  @Test
  void spreadsCountRunsWithoutTheEventAsLate() {
    assertEquals(new Spread(3, 4, 5, 7, null), Spread.of(List.of(9, 0, 5, 7)));
    assertEquals("7 (5 to never)", Spread.of(List.of(9, 0, 5, 7)).shown());
    assertEquals("never", Spread.of(List.of(0, 0)).shown());
  }
}
