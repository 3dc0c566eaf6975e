package io.equipoise.job.check;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.segment.OfferTraffic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CheckCommandTest extends CheckedSpecs {
  @Test
  void theSchemaForEditorsNeedsNoSpec() throws Exception {
    assertEquals(
        0, new CommandLine(new CheckCommand()).setOut(new PrintWriter(out)).execute("--schema"));
    JsonNode schema = new ObjectMapper().readTree(out.toString());
    assertEquals(
        new ObjectMapper()
            .readTree(Path.of("docs", "reference", "segment-spec.schema.json").toFile()),
        schema);
  }

  @Test
  void theShippedSpecsAreSoundAndTheirEffectsIdentified() throws Exception {
    JsonNode specs = json(SHIPPED.toString()).get("specs");
    assertEquals(5, specs.size());
    for (JsonNode spec : specs) {
      if (spec.get("policy").asText().equals("screen")) {
        assertEquals(52, spec.get("features").asInt());
        continue;
      }
      assertEquals(48, spec.get("cells.cheapest").asInt());
      assertEquals(192, spec.get("cells.parents").asInt());
      assertEquals(3 * 3 * 3 * 36, spec.get("cells.all").asInt()); // gender may be undisclosed
      assertTrue(spec.get("separates.parents").asBoolean());
      assertTrue(spec.get("identified.X1").asBoolean());
      assertEquals("[]", spec.get("followers.X1").toString());
    }
  }

  @Test
  void everySpecHasTheCellsOfItsPolicy() throws Exception {
    assertEquals(972, json(file("ucb")).get("specs").get(0).get("cells").asInt());
    assertEquals(192, json(file("c-ucb")).get("specs").get(0).get("cells").asInt());
    assertEquals(48, json(file("f-ucb")).get("specs").get(0).get("cells").asInt());
  }

  @Test
  void regretIsBoundedForTheCellsThatThePolicyHas() throws Exception {
    double few = bound("d-ucb");
    double many = bound("c-ucb");
    assertEquals(2 * few, many, 1e-6 * many); // 48 and 192 cells
  }

  /** A regression limits the direct effect alone, and a mediator after the decision follows. */
  private Path regression(String policy) throws IOException {
    return Files.writeString(
        directory.resolve("regression.yaml"),
        """
        name: med
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m], missing: reject}
          offer: {role: action, levels: [small, large]}
          autopay: {role: mediator, levels: [no, yes]}
          repaid: {role: reward}
        graph: "dag { gender -> autopay -> repaid; gender -> repaid; offer -> repaid }"
        reward: {range: [0, 1]}
        policy: {name: %s}
        fairness: {tau: {direct: 0.15}}
        join: {reward-window: 30d}
        """
            .formatted(policy));
  }

  @Test
  void aRegressionHasItsLimitsByKindAsCellsDo() throws Exception {
    for (String policy : List.of("linucb", "glm-ucb")) {
      String path = regression(policy).toString();
      JsonNode spec = json(path).get("specs").get(0);
      assertEquals(0.15, spec.get("kinds.gender.DIRECT").asDouble(), spec.toString());
      out.getBuffer().setLength(0);
      assertEquals(0, run(path), err.toString());
      assertTrue(
          out.toString().contains("    direct: at most 0.15, with [autopay]"), out.toString());
    }
  }

  @Test
  void settingsBelowOneAreRefused() throws Exception {
    for (String option : new String[] {"segments", "rounds", "interval", "max-record-bytes"}) {
      for (String value : new String[] {"0", "-1"}) {
        err.getBuffer().setLength(0);
        assertEquals(2, run(file("f-ucb"), "--" + option, value), out.toString());
        assertTrue(err.toString().contains("--interval and --max-record-bytes must be at least 1"));
      }
    }
  }

  private double bound(String policy) throws Exception {
    JsonNode spec = json(file(policy), "--rounds", "5000").get("specs").get(0);
    assertEquals(5_000, spec.get("regretRounds").asInt());
    return spec.get("regretBound").asDouble();
  }

  /** 48 cells of 24 bytes behind 6 of the block and 8 of its key, and the evidence. */
  @Test
  void aModelWeighsWhatItsBlocksDo() throws Exception {
    JsonNode spec = json(file("f-ucb"), "--rate", "1e-9", "--segments", "3").get("specs").get(0);
    int evidence = spec.get("evidenceBytes").asInt();
    assertTrue(evidence > 0 && evidence < 70_000, "evidence of " + evidence + " bytes");
    int model = 48 * 24 + 13 + DeltaShares.KEYED_BYTES + evidence;
    assertEquals(model, spec.get("modelBytes").asInt());
    assertEquals(3 * model, spec.get("checkpointBytes").asInt());
  }

  @Test
  void whatRewardsCanRefuteIsSaidAndWhatTheyCannot() throws Exception {
    JsonNode spec = json(file("f-ucb")).get("specs").get(0);
    assertTrue(spec.get("assumptionsTested").toString().contains("constant over time"));
    assertEquals(0, run(file("f-ucb")));
    assertTrue(out.toString().contains("assumptions that rewards can refute, at 0.01 together"));
    assertEquals(
        "[]",
        json(SHIPPED.resolve("email-screen.yaml").toString())
            .get("specs")
            .get(0)
            .get("assumptionsTested")
            .toString());
  }

  @Test
  void theRuleOfIdleSegmentsIsSaidWithWhatIsLeftOfThem() throws Exception {
    String text =
        Files.readString(Path.of(file("ucb")))
            .replace("distributions:\n  bif-file: email-campaign.bif\n", "");
    assertTrue(json(file("ucb")).get("specs").get(0).get("idleRetain").isNull());
    Path spec =
        Files.writeString(
            directory.resolve("idle.yaml"), text + "\nidle-state: {after: 30d, retain: none}\n");
    JsonNode found = json(spec.toString()).get("specs").get(0);
    assertEquals("none", found.get("idleRetain").asText());
    assertEquals(30L * 86_400_000, found.get("idleAfterMillis").asLong());
    assertTrue(found.get("passivatedBytes").asInt() < 100, found.get("passivatedBytes")::toString);
  }

  @Test
  void itIsSaidOfWhichDecisionsSilenceIsAReward() throws Exception {
    for (String shown : List.of("confirmed", "assumed")) {
      String spec =
          withJoin("shown: " + shown)
              .replace("range: [0, 1]", "range: [0, 1], default: {value: 0}");
      Path file = Files.writeString(directory.resolve(shown + ".yaml"), spec);
      assertEquals(0, run(file.toString()), err.toString());
      String said =
          shown.equals("assumed")
              ? "silence is the reward 0.0 of every decision\n"
              : "silence is the reward 0.0 of an arm that was confirmed to be shown";
      assertTrue(out.toString().contains(said), out.toString());
      assertTrue(
          out.toString().contains("window of 1800 s closes, because silence is a reward\n"),
          out.toString());
    }
  }

  @Test
  void noMaxPendingIsAdvisedThatIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("long.yaml"), withJoin("dedup-window: 400d"));
    JsonNode spec = json(file.toString(), "--rate", "100").get("specs").get(0);
    String warnings = spec.get("warnings").toString();
    assertTrue(warnings.contains("; shorten join.dedup-window"), warnings);
  }

  @Test
  void aTauThatIsNotBelowTheRangeIsWarnedOf() throws Exception {
    String spec = withJoin("dedup-window: 1h").replace("tau: 0.2", "tau: 20");
    Path file = Files.writeString(directory.resolve("tau.yaml"), spec);
    JsonNode found = json(file.toString()).get("specs").get(0);
    assertTrue(found.get("warnings").toString().contains("no effect can be larger"));
    assertEquals(1, found.get("decisionsToCertificate").asInt());
  }

  @Test
  void aWindowThatEventTimeCannotResolveIsWarnedOf() throws Exception {
    String spec = withJoin("dedup-window: 1h").replace("reward-window: 30m", "reward-window: 1s");
    Path file = Files.writeString(directory.resolve("short.yaml"), spec);
    JsonNode found = json(file.toString()).get("specs").get(0);
    assertTrue(found.get("warnings").toString().contains("close by steps of 1 s"));
  }

  @Test
  void aRuleThatCannotCertifyAtTheRateIsWarnedOf() throws Exception {
    String hard =
        "name: linucb, constraint: hard, theta-norm: 1, explore: {share: 0.2, over: fair-set}";
    String spec = withJoin("dedup-window: 1h").replace("name: epsilon-greedy, model: shared", hard);
    Path file = Files.writeString(directory.resolve("slow.yaml"), spec);
    String busy =
        json(file.toString(), "--rate", "1").get("specs").get(0).get("warnings").toString();
    assertFalse(busy.contains("has none to play"), busy);
    String slow =
        json(file.toString(), "--rate", "1e-6").get("specs").get(0).get("warnings").toString();
    assertTrue(slow.contains("at 0.000001 decisions a second a segment has 32 a year, and"), slow);
    assertTrue(slow.contains("for the first certificate of gender f and m: a rule that"), slow);
    Files.writeString(
        file, spec.replace("share: 0.2, over: fair-set", "over: balanced, budget: 3"));
    String spent =
        json(file.toString(), "--rate", "1").get("specs").get(0).get("warnings").toString();
    assertTrue(spent.contains("policy.explore.budget is 3, and a further arm needs"), spent);
  }

  @Test
  void armsThatWaitVeryLongForACertificateAreWarnedOf() throws Exception {
    String hard =
        "name: linucb, model: shared, constraint: hard, explore: {share: 0.01, over: all}";
    String spec = withJoin("dedup-window: 1h").replace("name: epsilon-greedy, model: shared", hard);
    Path file = Files.writeString(directory.resolve("many.yaml"), spec.replace("0.2", "0.05"));
    String warned = warnings(file.toString());
    assertTrue(warned.contains("each arm after the first needs about "), warned);
    assertTrue(warned.contains("days at 100 decisions a second (the default of --rate)"), warned);
    String rare = spec.replace("0.2", "0.05").replace("share: 0.01", "share: 0.000000001");
    Files.writeString(file, rare);
    String never = warnings(file.toString());
    assertTrue(never.contains("no arm after the first is to be expected to get its"), never);
    Files.writeString(file, spec);
    assertFalse(warnings(file.toString()).contains("each arm after the first"));
  }

  @Test
  void anAssumedBaseRateIsNamedWhereNoCertificateIsToBeExpected() throws Exception {
    String spec = withJoin("dedup-window: 1h").replace("epsilon-greedy,", "linucb,");
    Path file = Files.writeString(directory.resolve("fine.yaml"), spec.replace("0.2", "0.004"));
    String assumed = warnings(file.toString());
    assertTrue(assumed.contains("no certificate is to be expected within 100000"), assumed);
    assertTrue(
        assumed.contains(
            "; that assumes a base rate of 0.5, equipoise check --base-rate REWARD takes yours"),
        assumed);
    String stated = warnings(file.toString(), "--base-rate", "0.4");
    assertTrue(stated.contains("no certificate is to be expected within 100000"), stated);
    assertFalse(stated.contains("--base-rate"), stated);
  }

  @Test
  void aTauThatIsNoSmallerThanAStatedBaseRateIsWarnedOf() throws Exception {
    Path file = Files.writeString(directory.resolve("wide.yaml"), withJoin("dedup-window: 1h"));
    String wide = "fairness.tau is 0.2 and the base rate 0.06: an effect as large as the mean";
    String warned = warnings(file.toString(), "--base-rate", "0.06");
    assertTrue(warned.contains(wide) && warned.contains("is a tau of 0.012"), warned);
    assertFalse(warnings(file.toString(), "--base-rate", "0.3").contains("fairness.tau is"));
    assertFalse(warnings(file.toString()).contains("fairness.tau is"));
  }

  @Test
  void aSpecWithoutASensitiveVariableAuditsNothingAndIsWarnedOf() throws Exception {
    String spec = withJoin("dedup-window: 1h");
    String nothing = "no variable has role: sensitive, so nothing is audited and fairness.tau";
    Path file = Files.writeString(directory.resolve("tiny.yaml"), spec);
    assertFalse(warnings(file.toString()).contains(nothing));
    Files.writeString(file, spec.replace("role: sensitive", "role: context"));
    String warned = warnings(file.toString());
    assertTrue(warned.contains(nothing), warned);
  }

  private String warnings(String... arguments) throws IOException {
    return json(arguments).get("specs").get(0).get("warnings").toString();
  }

  private static String withJoin(String more) {
    return """
        name: tiny
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m], missing: reject}
          article: {role: action, levels: [a, b]}
          click: {role: reward}
        graph: "dag { gender -> click; article -> click }"
        reward: {range: [0, 1]}
        policy: {name: epsilon-greedy, model: shared,
          features: [intercept, {one-hot: gender}, {one-hot: article}]}
        fairness: {tau: 0.2}
        join: {reward-window: 30m, %s}
        """
        .formatted(more);
  }

  @Test
  void defaultFeaturesBeyondALimitAreSaidToBeTheDefaults() throws Exception {
    String arms = IntStream.range(0, 700).mapToObj(i -> "o" + i).collect(joining(", "));
    String many = withJoin("dedup-window: 1h").replace("levels: [a, b]", "levels: [" + arms + "]");
    String features = "features: [intercept, {one-hot: gender}, {one-hot: article}]";
    String spec = many.replace(",\n  " + features, "");
    Path file = Files.writeString(directory.resolve("many.yaml"), spec);
    assertEquals(1, run(file.toString()));
    String shared =
        "policy.features, line 10: 2103 features, those of a spec without the key given; at most 2048,"
            + " fewer terms or levels: a model keeps d^2 numbers\n";
    assertTrue(err.toString().contains(shared), err.toString());
  }

  @Test
  void aBoundOfCoefficientsThatIsMissingIsAskedForInASentence() throws Exception {
    String text =
        """
        name: price
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m], missing: reject}
          price: {role: action, range: [0, 100]}
          y: {role: reward}
        graph: "dag { {gender price} -> y }"
        arms:
        - {id: p1, price: 10}
        - {id: p2, price: 20}
        reward: {range: [0, 1]}
        policy: {name: linucb, model: shared, constraint: hard}
        fairness: {tau: 0.2}
        join: {reward-window: 30m}
        """;
    Path file = Files.writeString(directory.resolve("price.yaml"), text);
    assertEquals(1, run(file.toString()));
    String missing =
        "policy.theta-norm, line 13: no bound for constraint: hard given; variables.price.usual-range, like"
            + " usual-range: [0, 100]: the interval that values fill bounds the coefficient of"
            + " price; or a stated policy.theta-norm";
    assertTrue(err.toString().contains(missing), err.toString());
  }

  @Test
  void aRateThatTheIntervalCannotBearIsWarnedOf() throws Exception {
    String warnings = json(file("f-ucb"), "--rate", "10000").get("specs").get(0).toString();
    assertTrue(warnings.contains("more than half of an interval of 500 ms"), warnings);
  }

  /** Thirty minutes at 1,000 a second are 1,800,000 decisions; the spec keeps a million. */
  @Test
  void howManyDecisionsARateWouldEvictIsSaid() throws Exception {
    JsonNode spec = json(file("f-ucb"), "--rate", "1000").get("specs").get(0);
    assertEquals(800_000, spec.get("evictedDecisions").asInt());
    assertEquals(1_000_000, spec.get("maxPending").asInt());
    String warnings = spec.get("warnings").toString();
    assertTrue(warnings.contains("800000 of them are evicted, 1000 s after"), warnings);
    assertTrue(warnings.contains("set it to 3600000 or more"), warnings);
    warnings = json(file("f-ucb"), "--rate", "500").get("specs").get(0).toString();
    assertTrue(warnings.contains("\"evictedDecisions\":0.0"), warnings);
    assertTrue(warnings.contains("1800000 are remembered at once"), warnings);
  }

  /** The longest outage is nine minutes unless the job is told another. */
  @Test
  void aWindowThatAnOutageFillsIsWarnedOfWhereSilenceIsLearned() throws Exception {
    Path copied = copy("short.yaml", "reward-window: 30m", "reward-window: 20m");
    String plain = Files.readString(copied);
    assertFalse(json(copied.toString()).toString().contains("max-outage"));
    String reward = "  default: {value: 0, mediators: {I1: \"0\", I2: \"0\", I3: \"0\"}}\n";
    Files.writeString(copied, plain.replace("reward:\n", "reward:\n" + reward));
    String warned = json(copied.toString()).toString();
    assertTrue(warned.contains("join.reward-window is 1200 s, less than 3 times"), warned);
  }

  /** A decision takes 115 B while it waits and 87 B while it is remembered. */
  @Test
  void aProxyIsProposedWhereTheDecisionsOfALongWindowAreTooMany() throws Exception {
    Path copied = copy("loan.yaml", "max-pending: 1000000", "# no max-pending");
    Path spec = Files.writeString(copied, Files.readString(copied).replace("30m", "400d"));
    JsonNode found = json(spec.toString(), "--rate", "1").get("specs").get(0);
    assertEquals(400 * 86_400, found.get("pendingDecisions").asDouble());
    assertEquals(0, found.get("evictedDecisions").asDouble());
    double bytes = 400 * 86_400. * (115 + 87);
    assertEquals(bytes, found.get("decisionBytes").asDouble(), 1);
    assertEquals(bytes, found.get("checkpointBytes").asDouble(), 1e6, "and a model");
    assertTrue(found.get("proxyWindowSeconds").isNull());
    found = json(spec.toString(), "--rate", "1000").get("specs").get(0);
    int days = (int) (50e9 / (1000 * 86_400. * (115 + 87)));
    assertEquals(days * 86_400, found.get("proxyWindowSeconds").asInt());
    String warnings = found.get("warnings").toString();
    assertTrue(warnings.contains("6981 GB, more than 50 GB; learn from a proxy reward"), warnings);
    assertTrue(warnings.contains("known within 2 days"), warnings);
  }

  @Test
  void aProxyWindowThatIsProposedFits() throws Exception {
    for (String dedup : new String[] {"1h", "20d"}) {
      Path spec = copy(dedup + ".yaml", "dedup-window: 30m", "dedup-window: " + dedup);
      String first = Files.readString(spec).replace("reward-window: 30m", "reward-window: 300d");
      Files.writeString(spec, first);
      JsonNode found = json(spec.toString(), "--rate", "100").get("specs").get(0);
      long seconds = found.get("proxyWindowSeconds").asLong();
      assertTrue(seconds > 0 && seconds < 300 * 86_400, found.toString());
      Files.writeString(spec, first.replace("300d", seconds + "s"));
      assertTrue(
          json(spec.toString(), "--rate", "100")
              .get("specs")
              .get(0)
              .get("proxyWindowSeconds")
              .isNull());
      Files.writeString(spec, first.replace("300d", seconds + 2 * 86_400 + "s"));
      assertFalse(
          json(spec.toString(), "--rate", "100")
              .get("specs")
              .get(0)
              .get("proxyWindowSeconds")
              .isNull());
    }
  }

  @Test
  void theDefaultEvictsNothingOfALongWindow() throws Exception {
    for (String window : new String[] {"30m", "14d"}) {
      Path copied = copy(window + ".yaml", "max-pending: 1000000", "# no max-pending");
      Path spec = Files.writeString(copied, Files.readString(copied).replace("30m", window));
      String found = json(spec.toString()).get("specs").get(0).toString();
      assertTrue(found.contains("\"evictedDecisions\":0.0"), found);
      assertFalse(found.contains("max-pending is"), found);
    }
  }

  @Test
  void theDescendantsOfAnAttributeAreNamedWhereItsEffectIsOnlyBounded() throws Exception {
    String text =
        Files.readString(Path.of(file("ucb")))
            .replace("X2 -> X3", "X1 -> X2 -> X3")
            .replace("missing: level", "missing: reject")
            .replace("distributions:\n  bif-file: email-campaign.bif\n", "");
    Path spec = Files.writeString(directory.resolve("changed.yaml"), text);
    JsonNode found = json(spec.toString()).get("specs").get(0);
    assertFalse(found.get("identified.X1").asBoolean());
    assertEquals("[\"X2\",\"X3\"]", found.get("followers.X1").toString());
  }

  @Test
  void whatCausalBoundsASpecAsksForAndForWhichGraphIsSaid() throws Exception {
    JsonNode plain = json(file("ucb")).get("specs").get(0);
    assertTrue(plain.get("causalBounds").isNull());
    assertEquals(32, plain.get("graphHash").asText().length());
    Path spec = copy("pcb.yaml", "name: f-ucb", "name: f-ucb\n  causal-bounds: {name: shop}");
    JsonNode clipped = json(spec.toString()).get("specs").get(0);
    assertEquals("shop", clipped.get("causalBounds").asText());
    assertEquals(plain.get("graphHash"), clipped.get("graphHash"));
    assertEquals(0, run(spec.toString()));
    assertTrue(out.toString().contains("causal bounds: shop, for graph "), out.toString());
  }

  @Test
  void evidenceThatAPolicyStartsFromIsCountedAndWarnedOf() throws Exception {
    String policy =
        """
policy:
  name: linucb-cp
  features: [intercept, one-hot: X2]
  warm-start:
    - {arm: "A1=product-A,A2=promotional,A3=morning", context: {X2: 50+}, n: 40, mean: 0.25}
    - {arm: "A1=product-C,A2=promotional,A3=morning", context: {X2: 50+}, n: 2, mean: 1}
""";
    Path sound = copy("sound.yaml", "name: email-f-ucb", "name: email-warm");
    String text = Files.readString(sound).replaceFirst("(?s)policy:.*?\n\n", policy + "\n");
    Path spec = Files.writeString(directory.resolve("warm.yaml"), text);
    JsonNode warm = json(spec.toString()).get("specs").get(0);
    assertEquals(42, warm.get("warmStartRows").asInt());
    assertEquals(2, warm.get("evidenceCells").asInt());
    assertTrue(warm.get("warnings").toString().contains("linucb-cp is a baseline"));
    assertEquals(0, run(spec.toString()));
    assertTrue(out.toString().contains("starts from 42 logged rows in 2 cells"), out.toString());
  }

  @Test
  void whatAllocationMatchingTellsApartIsSaid() throws Exception {
    Path sound = copy("sound.yaml", "name: email-f-ucb", "name: email-oam");
    String text =
        Files.readString(sound)
            .replaceFirst("(?s)policy:.*?\n\n", "policy: {name: oam, horizon: 10000}\n\n")
            .replaceFirst("arms: all", "arms: [{A1: product-C, A2: nurture, A3: morning}]")
            .replaceFirst(
                "fallback: \"[^\"]*\"", "fallback: \"A1=product-C,A2=nurture,A3=morning\"");
    Path spec = Files.writeString(directory.resolve("oam.yaml"), text);
    JsonNode found = json(spec.toString()).get("specs").get(0);
    assertEquals(3 * 3 * 3, found.get("contexts").asInt());
    assertEquals(1 + 9 + 10 + 30, found.get("features").asInt(), "with products of gender");
    assertEquals(1 + 2 + 2 + 2, found.get("dimension").asInt(), "of one arm, less what is linear");
    assertTrue(found.get("warnings").toString().contains("plans for 10000 decisions"));
    assertEquals(0, run(spec.toString()));
    assertTrue(out.toString().contains("27 contexts x 1 arms"), out.toString());
  }

  @Test
  void theLogOfADeterministicPolicyIsWarnedOfAndWhatExploringCostsIsCounted() throws Exception {
    JsonNode plain = json(file("f-ucb")).get("specs").get(0);
    String warnings = plain.get("warnings").toString();
    assertTrue(warnings.contains("cannot evaluate other policies"), warnings);
    assertTrue(warnings.contains("policy.explore: {share: 0.1, over: all}"), warnings);
    Path spec =
        copy("explore.yaml", "name: f-ucb", "name: f-ucb\n  explore: {share: 0.1, over: all}");
    JsonNode exploring = json(spec.toString()).get("specs").get(0);
    String others = exploring.get("warnings").toString();
    assertFalse(others.contains("cannot evaluate other policies"), others);
    double atStake = plain.get("regretAtStake").asDouble();
    double more = exploring.get("regretBound").asDouble() - plain.get("regretBound").asDouble();
    assertEquals(.1 * atStake, more, 1e-6 * atStake);
  }

  @Test
  void aBoundedRangeIsThatOfTheSumToo() throws Exception {
    Path spec = copy("sum.yaml", "aggregate:", "aggregate: sum #");
    String unbounded = json(spec.toString()).get("specs").get(0).get("warnings").toString();
    assertFalse(unbounded.contains("rewards sum"), unbounded);
    Files.writeString(spec, Files.readString(spec).replace("bounded: false", "bounded: true"));
    String bounded = json(spec.toString()).get("specs").get(0).get("warnings").toString();
    assertTrue(bounded.contains("sum to less than 0.08333333333333333 or more than 1"), bounded);
  }

  @Test
  void anEstimatedTableIsWarnedOfWithItsPoorestRow() throws Exception {
    String text =
        Files.readString(Path.of(file("ucb")))
            .replace(
                "distributions:\n  bif-file: email-campaign.bif\n",
                "distributions: {cpts: {X1: {counts: [[3, 5]]}}}\n");
    Path spec = Files.writeString(directory.resolve("counted.yaml"), text);
    String warnings = json(spec.toString()).get("specs").get(0).get("warnings").toString();
    assertTrue(warnings.contains("P(X1) is estimated, and its smallest row has 8 obs"), warnings);
  }

  /** Of four women three are young, of four men one is: r = (3 * 3 - 1 * 1) / 16 = 0.5. */
  private static final String PEOPLE =
      """
      id,X1,X2,X3
      1,female,18-29,technical
      2,female,18-29,management
      3,female,18-29,technical
      4,female,50+,management
      5,male,18-29,technical
      6,male,50+,management
      7,male,50+,technical
      8,male,50+,management
      """;

  @Test
  void whatNaiveDropsForACorrelationCanBePastedIntoItsSpec() throws Exception {
    Path table = Files.writeString(directory.resolve("people.csv"), PEOPLE);
    Path file = linear("linucb-unaware");
    JsonNode seen = json(file.toString()).get("specs").get(0);
    assertEquals("[\"X1\"]", seen.get("dropped").toString());
    String[] asked = {file.toString(), "--correlations", table.toString(), "--at", "0.4"};
    JsonNode spec = json(asked).get("specs").get(0);
    assertEquals("{\"X2\":0.5,\"X3\":0.0}", spec.get("correlations").toString());
    assertEquals(8, spec.get("correlatedRows").asInt());
    String drop = spec.get("drop").asText();
    assertEquals("{correlated: 0.4, correlations: {X2: 0.5, X3: 0.0}}", drop);
    JsonNode pasted = json(linear("linucb-unaware, drop: " + drop).toString()).get("specs").get(0);
    assertEquals("[\"X1\",\"X2\"]", pasted.get("dropped").toString());
    assertTrue(pasted.get("features").asInt() < seen.get("features").asInt());
    assertEquals(0, run(asked));
    assertTrue(out.toString().contains("in 8 rows: {X2: 0.5, X3: 0.0}"), out.toString());
    assertTrue(out.toString().contains("with drop: " + drop), out.toString());
  }

  /** Who does not tell their gender says nothing of what goes with it. */
  @Test
  void correlationsAreThoseAmongPeopleWhoTell() throws Exception {
    String silent = "9,undisclosed,30-49,technical\n10,,30-49,technical\n";
    Path table = Files.writeString(directory.resolve("people.csv"), PEOPLE + silent);
    JsonNode spec = json(linear("linucb-unaware").toString(), "--correlations", table.toString());
    JsonNode found = spec.get("specs").get(0);
    assertEquals(10, found.get("correlatedRows").asInt());
    assertEquals("{\"X2\":0.5,\"X3\":0.0}", found.get("correlations").toString());
  }

  @Test
  void aTableThatCannotBeReadUnderTheSpecIsUnusable() throws Exception {
    Path file = linear("linucb-unaware");
    Path table = directory.resolve("people.csv");
    Files.writeString(table, PEOPLE.replace("8,male", "8,mail"));
    assertEquals(2, run(file.toString(), "--correlations", table.toString()));
    assertTrue(err.toString().contains("people.csv, line 9: X1: "), err.toString());
    Files.writeString(table, PEOPLE.replace("X3", "X4"));
    assertEquals(2, run(file.toString(), "--correlations", table.toString()));
    assertTrue(
        err.toString().contains("columns [id, X1, X2, X4] given; also required: "), err.toString());
  }

  @Test
  void confirmationsWithoutADefaultRewardAreWarnedOf() throws Exception {
    Path file = copy("a.yaml", "shown: assumed", "shown: confirmed");
    assertEquals(0, run(file.toString()), err::toString);
    assertTrue(
        out.toString().contains("WARNING join.shown is confirmed and there is no reward.default"));
  }

  @Test
  void allFaultsOfAllFilesAreListed() throws Exception {
    copy("one.yaml", "tau: 0.3", "tau: -1");
    copy("two.yaml", "delta: 0.05", "delta: 2");
    copy("three.yaml", "separating-set: cheapest", "separating-set: [A3]");
    assertEquals(1, run(directory.toString()));
    assertTrue(err.toString().contains("one.yaml: fairness.tau"), err.toString());
    assertTrue(err.toString().contains("two.yaml: fairness.delta"), err.toString());
    assertTrue(err.toString().contains("policy.separating-set"), err.toString());
  }

  @Test
  void theFaultsOfTheTextOfCompilingAndOfTheLimitAreToldAtOnce() throws IOException {
    Path bad = copy("bad.yaml", "version: 1 ", "version: 0 ");
    String text = Files.readString(bad);
    Files.writeString(bad, text.replace("separating-set: cheapest", "separating-set: [I1]"));
    assertEquals(1, run(bad.toString(), "--max-record-bytes", "1024"));
    String[] faults = err.toString().split("\n", -1);
    assertEquals(4, faults.length, err.toString());
    assertTrue(faults[0].startsWith("FAULT bad.yaml: version, line 11: "), faults[0]);
    assertTrue(faults[1].startsWith("FAULT bad.yaml: policy.separating-set, line 76: "), faults[1]);
    assertTrue(faults[2].startsWith("FAULT bad.yaml: arms, line 57: 36 arms "), faults[2]);
  }

  @Test
  void armsThatFitIntoNoDecisionAreAFault() {
    assertEquals(0, run(file("f-ucb"), "--max-record-bytes", "4096"));
    assertEquals(1, run(file("f-ucb"), "--max-record-bytes", "1024"));
    assertTrue(err.toString().contains("FAULT email-f-ucb.yaml: arms, line 57: "), err.toString());
    assertTrue(err.toString().contains("7/8 of equipoise.max-record-bytes (1024)"), err.toString());
  }

  @Test
  void aSearchHasItsPhasesItsDivisionItsBudgetAndWhatItCanCertify() throws Exception {
    Path file = Files.writeString(directory.resolve("best-offer.yaml"), OfferTraffic.spec());
    JsonNode spec = json(file.toString()).get("specs").get(0);
    assertEquals(10, spec.get("phases").size());
    assertEquals(1024, spec.get("phases").get(0).get("samples").asInt());
    assertEquals(6, spec.get("firstFindingPhase").asInt()); // 3/2^6 = 0.047 < 0.08
    assertEquals("ANYTIME", spec.get("guarantee").asText());
    assertEquals(0.05, spec.get("delta").asDouble());
    double smallest = spec.get("smallestTau").asDouble();
    assertTrue(smallest > 0.01 && smallest < 0.08, "not the band's 3/2^10, but " + smallest);
    assertEquals(4, spec.get("expectedReach").size());
    assertEquals(0.5, spec.get("budget").asDouble());
    double sum = 0;
    double cost = 0;
    for (var share : spec.get("allocation").get("joint").properties()) {
      sum += share.getValue().asDouble();
      cost += share.getValue().asDouble() * spec.get("costs").get(share.getKey()).asDouble();
    }
    assertEquals(1, sum, 1e-9);
    assertTrue(cost <= 0.5 + 1e-9, "costs " + cost);
    assertTrue(spec.get("modelBytes").asInt() < 10_000, spec.get("modelBytes")::toString);
  }

  @Test
  void aSearchThatWaitsForAShareOfItsWindowsSaysSo() throws Exception {
    String text =
        OfferTraffic.spec()
            .replace("mode: natural", "min-closed-fraction: 0.98 #")
            .replace("reward-window: 60s", "reward-window: 60s, learn: on-window-close");
    Path file = Files.writeString(directory.resolve("early.yaml"), text);
    assertEquals(
        0.98, json(file.toString()).get("specs").get(0).get("minClosedFraction").asDouble());
    out.getBuffer().setLength(0);
    assertEquals(0, run(file.toString()));
    assertTrue(out.toString().contains("each ends when 0.9800 of its windows"), out::toString);
  }

  private static String loans() throws IOException {
    String page = Files.readString(Path.of("docs/plan.md"));
    return page.substring(page.indexOf("name: loans"), page.indexOf("```\n\n```sh"));
  }

  @Test
  void aForecastCountsTheWindowAtWhoseEndRewardsAreLearned() throws Exception {
    String atOnce = loans().replace("reward-window: 14d", "reward-window: 1h");
    String atEnd = atOnce.replace("reward-window: 1h", "reward-window: 1h, aggregate: max");
    Path first = Files.writeString(directory.resolve("first.yaml"), atOnce);
    Path last = Files.writeString(directory.resolve("last.yaml"), atEnd);
    for (int rate : new int[] {1, 50}) {
      JsonNode now = json(first.toString(), "--rate", "" + rate).get("specs").get(0);
      JsonNode later = json(last.toString(), "--rate", "" + rate).get("specs").get(0);
      double decisions = now.get("decisionsToCertificate").asDouble();
      assertEquals(decisions + 3_600 * rate, later.get("decisionsToCertificate").asDouble(), 1e-6);
      assertFalse(later.get("warnings").toString().contains("no certificate"), later::toString);
    }
  }

  @Test
  void aForecastNamesTheBaseRateThatItAssumes() throws Exception {
    String spec = Files.writeString(directory.resolve("loans.yaml"), loans()).toString();
    JsonNode middle = json(spec).get("specs").get(0);
    assertEquals(0.5, middle.get("assumedBaseRate").asDouble());
    JsonNode rare = json(spec, "--base-rate", "0.04").get("specs").get(0);
    assertEquals(0.04, rare.get("assumedBaseRate").asDouble());
    assertTrue(
        rare.get("decisionsToCertificate").asDouble()
            < middle.get("decisionsToCertificate").asDouble() / 2);
    out.getBuffer().setLength(0);
    assertEquals(0, run(spec, "--base-rate", "0.04"));
    assertTrue(out.toString().contains("; assumes a base rate of 0.04"), out::toString);
    assertEquals(2, run(spec, "--base-rate", "1e-320"));
    assertEquals(2, run(spec, "--base-rate", "1"));
    assertTrue(
        err.toString().contains("--base-rate 1 must be above 0 and below 1, the reward range"));
  }

  @Test
  void aSearchThatWillHardlyCertifyAnArmIsWarnedOf() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("direct.yaml"),
            OfferTraffic.spec().replace("mode: natural", "estimate: direct"));
    assertEquals(0, run(file.toString()));
    String text = out.toString();
    assertTrue(text.contains("its band 3/2^l is not a confidence width"), text);
    assertTrue(text.contains("is unlikely to certify any arm for tau 0.08 at delta 0.05"), text);
  }

  @Test
  void aSearchThatCouldCertifyNothingIsRefusedWithTheRemedy() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("small.yaml"),
            OfferTraffic.spec().replace("samples: 3000", "samples: 3").replace("0.08", "0.05"));
    assertEquals(1, run(file.toString()));
    assertTrue(err.toString().contains("no arm can be certified: T = 3 has n = 5"), err::toString);
    assertTrue(err.toString().contains("or T of at least 11"), err::toString);
  }
}
