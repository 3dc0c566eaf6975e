package io.equipoise.evidence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.evidence.OffPolicySums.PolicyValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares with numbers that a reference in another language computed; see resources/watch. */
class GoldenEvidenceTest {
  /** Of evidence, scores and sums, as a part of their size, at least of 1. */
  private static final double TOLERANCE = 1e-12;

  private static final double TOLERANCE_OF_ENDS = 1e-9;

  private static JsonNode read(String name) throws IOException {
    try (InputStream in = GoldenEvidenceTest.class.getResourceAsStream("/watch/" + name)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in));
    }
  }

  private static void near(JsonNode expected, double actual) {
    double size = Math.max(1, Math.abs(expected.asDouble()));
    assertEquals(expected.asDouble(), actual, TOLERANCE * size);
  }

  private static void near(JsonNode expected, Ends actual) {
    assertEquals(expected.get(0).asDouble(), actual.low(), TOLERANCE_OF_ENDS);
    assertEquals(expected.get(1).asDouble(), actual.high(), TOLERANCE_OF_ENDS);
  }

  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = array.get(i).asDouble();
    }
    return numbers;
  }

  private static double reward(JsonNode reward) {
    return reward.isNull() ? Double.NaN : reward.asDouble();
  }

  private static RowScores row(JsonNode row) {
    return new RowScores(
        numbers(row.get("p")),
        numbers(row.get("pi")),
        numbers(row.get("q")),
        row.get("arm").asInt(),
        reward(row.get("reward")));
  }

  @Test
  void scoresEqualThoseOfTheReference() throws IOException {
    JsonNode golden = read("scores.json");
    for (int i = 0; i < golden.get("firstScores").size(); i++) {
      RowScores scores = row(golden.get("rows").get(i));
      JsonNode expected = golden.get("firstScores").get(i);
      assertArrayEquals(numbers(expected.get("differenceLow")), scores.scores(1, false), TOLERANCE);
      assertArrayEquals(numbers(expected.get("differenceHigh")), scores.scores(1, true), TOLERANCE);
      assertArrayEquals(numbers(expected.get("valueLow")), scores.scores(0, false), TOLERANCE);
      assertArrayEquals(numbers(expected.get("valueHigh")), scores.scores(0, true), TOLERANCE);
    }
  }

  @Test
  void estimatesAndEndsEqualThoseOfTheReference() throws IOException {
    JsonNode golden = read("scores.json");
    OffPolicySums sums = new OffPolicySums();
    int rows = 0;
    for (JsonNode at : golden.get("checkpoints")) {
      for (; rows < at.get("rows").asInt(); rows++) {
        sums.add(row(golden.get("rows").get(rows)), 0);
      }
      assertEquals(at.get("missing").asLong(), sums.missing());
      near(at.get("difference"), sums.difference(.025));
      near(at.get("value"), sums.value().ends(.025));
      near(at.get("estimates").get("difference"), sums.difference());
      near(at.get("estimates").get("value"), sums.value().mean());
      near(at.get("evidenceAtZero"), sums.evidence(0));
      near(at.get("ips"), Objects.requireNonNull(sums.ips()));
      near(at.get("snips"), Objects.requireNonNull(sums.snips()));
      near(at.get("meanWeight"), sums.meanWeight());
      near(at.get("maxWeight"), sums.maxWeight());
      near(at.get("effective"), sums.effectiveRows());
      near(at.get("unsupported"), sums.unsupported());
    }
    JsonNode low = golden.get("checkpoints").get(4).get("state").get("valueLow");
    double[] bets = sums.value().above(0);
    for (int j = 0; j < bets.length; j++) {
      double center = .2 / (1 << j) * low.get("center").asDouble();
      assertEquals(low.get("log").get(j).asDouble() + center, bets[j], TOLERANCE * 10);
    }
  }

  @Test
  void aGatePassesAtTheLookOfTheReference() throws IOException {
    JsonNode golden = read("gate-better.json");
    int arms = golden.get("arms").asInt();
    double floor = golden.get("floor").asDouble() / arms;
    OffPolicySums sums = new OffPolicySums();
    double sum = 0;
    Map<String, Integer> first = new HashMap<>();
    Map<Integer, JsonNode> every2000 = new HashMap<>();
    golden.get("every2000").forEach(at -> every2000.put(at.get(0).asInt(), at));
    int rows = 0;
    for (JsonNode row : golden.get("rows")) {
      double[] q = new double[arms];
      double[] p = new double[arms];
      double[] pi = new double[arms];
      for (int arm = 0; arm < arms; arm++) {
        q[arm] = rows == 0 ? .5 : sum / rows;
        p[arm] = floor + (arm == row.get(0).asInt() ? 1 - golden.get("floor").asDouble() : 0);
        pi[arm] = floor + (arm == row.get(1).asInt() ? 1 - golden.get("floor").asDouble() : 0);
      }
      int shown = row.get(2).asInt();
      sums.add(new RowScores(p, pi, q, shown, row.get(3).asDouble()), 0);
      sum += row.get(3).asDouble();
      rows++;
      if (rows % golden.get("look").asInt() == 0) {
        int look = rows;
        golden
            .get("firstPass")
            .fieldNames()
            .forEachRemaining(
                share -> {
                  if (sums.evidence(0) >= StrictMath.log(1 / Double.parseDouble(share))) {
                    first.putIfAbsent(share, look);
                  }
                });
      }
      JsonNode at = every2000.get(rows);
      if (at != null) {
        near(at.get(1), sums.difference());
        assertEquals(at.get(2).asDouble(), sums.difference(.025).low(), TOLERANCE_OF_ENDS);
        near(at.get(3), sums.evidence(0));
      }
    }
    golden
        .get("firstPass")
        .properties()
        .forEach(
            pass ->
                assertEquals(
                    pass.getValue().isNull() ? null : (Integer) pass.getValue().asInt(),
                    first.get(pass.getKey()),
                    pass.getKey()));
  }

  @Test
  void sharesEqualThoseOfTheReference() throws IOException {
    for (JsonNode history : read("shares.json")) {
      int number = 1;
      for (int i = 0; i < history.get("batches").size(); i++) {
        int batch = history.get("batches").get(i).asInt();
        double share = AlphaShares.share(history.get("alpha").asDouble(), number, batch);
        assertEquals(history.get("shares").get(i).get(0).asDouble(), share, 1e-17);
        number += batch;
      }
    }
  }

  @Test
  void gapsOfCountsEqualThoseOfTheReference() throws IOException {
    for (JsonNode one : read("gaps.json").get("cases")) {
      GroupCounts a = counts(one.get("a"));
      GroupCounts b = counts(one.get("b"));
      double tolerance = one.get("tolerance").asDouble();
      near(one.get("up"), GapEvidence.of(a, b, tolerance));
      near(one.get("down"), GapEvidence.of(b, a, tolerance));
      Ends tolerated = new Ends(-tolerance, tolerance);
      near(one.get("logE"), GapEvidence.twoSided(a, b, tolerated));
      near(
          one.get("ends"), new Ends(GapEvidence.lower(a, b, .025), -GapEvidence.lower(b, a, .025)));
      assertTrue(
          GapEvidence.twoSidedAtMost(a, b, tolerated) >= one.get("logE").asDouble() - TOLERANCE);
    }
  }

  private static GroupCounts counts(JsonNode counts) {
    return new GroupCounts(
        counts.get(0).asLong(), counts.get(1).asDouble(), counts.get(2).asLong());
  }

  @Test
  void gapsOfValuesEqualThoseOfTheReference() throws IOException {
    JsonNode golden = read("value-gap.json");
    Map<String, PolicyValue> groups = new HashMap<>();
    for (JsonNode row : golden.get("rows")) {
      groups.computeIfAbsent(row.get("group").asText(), any -> new PolicyValue()).add(row(row));
    }
    MeanEvidence a = Objects.requireNonNull(groups.get("a"));
    MeanEvidence b = Objects.requireNonNull(groups.get("b"));
    for (JsonNode one : golden.get("cases")) {
      near(one.get("aAboveB"), GapEvidence.of(a, b, one.get("tolerance").asDouble()));
      near(one.get("bAboveA"), GapEvidence.of(b, a, one.get("tolerance").asDouble()));
    }
  }

  @Test
  void looksAlarmsAndChangesEqualThoseOfTheReference() throws IOException {
    JsonNode golden = read("groups.json");
    GroupMonitor monitor =
        new GroupMonitor(
            golden.get("groups").asInt(),
            golden.get("tolerance").asDouble(),
            golden.get("alpha").asDouble(),
            golden.get("rowsBetweenFalseAlarms").asDouble());
    long alarms = 0;
    int rows = 0;
    for (JsonNode look : golden.get("looks")) {
      for (; rows < look.get("rows").asInt(); rows++) {
        JsonNode row = golden.get("rows").get(rows);
        monitor.add(row.get(0).asInt(), reward(row.get(1)), rows);
      }
      near(look.get("change"), StrictMath.exp(monitor.logChange()));
      monitor.look();
      List<Integer> alarmed = new ArrayList<>();
      List<Integer> flagged = new ArrayList<>();
      for (int test = 0; test < monitor.tests(); test++) {
        near(look.get("logE").get(test), monitor.logEvalue(test));
        near(look.get("ends").get(test), monitor.gap(test));
        if (monitor.isAlarmed(test)) {
          alarmed.add(test);
        }
        if (monitor.flagged()[test]) {
          flagged.add(test);
        }
      }
      assertEquals(ints(look.get("alarms")), alarmed);
      assertEquals(ints(look.get("eBH")), flagged);
      boolean isChange = look.get("changeAlarm").asBoolean();
      alarms += isChange ? 1 : 0;
      assertEquals(alarms, monitor.changeAlarms());
      if (isChange) {
        assertEquals(look.get("since").asLong(), monitor.changeSince());
      }
    }
    assertEquals(2, alarms);
  }

  private static List<Integer> ints(JsonNode array) {
    List<Integer> ints = new ArrayList<>();
    array.forEach(one -> ints.add(one.asInt()));
    return ints;
  }

  @Test
  void flaggedGroupsEqualThoseOfTheReference() throws IOException {
    for (JsonNode one : read("ebh.json")) {
      boolean[] flagged =
          GroupMonitor.flagged(numbers(one.get("logE")), one.get("alpha").asDouble());
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < flagged.length; i++) {
        if (flagged[i]) {
          found.add(i);
        }
      }
      assertEquals(ints(one.get("rejected")), found);
    }
  }
}
