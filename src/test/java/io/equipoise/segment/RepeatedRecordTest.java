package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.ArmEstimate;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AssumptionKind;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Propensities;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.SpecAdoption;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a record says, the replay writes it too, or it is known why it cannot. */
@Tag("slow")
class RepeatedRecordTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s";
  private static final String RANGE = "{range: [0, 1]}";

  private static final AssumptionAudit ANOTHER =
      new AssumptionAudit(AssumptionKind.TABLE, "P(M)", Map.of(), 1.0, 1, 1L, "none", 0);

  /** Nested records that are another as a whole. */
  private static final Set<Class<?>> WHOLE =
      Set.of(AssumptionAudit.class, RefutedBounds.class, Redaction.class);

  /** What a replay lets pass, by the record that says it; see {@link ReplayInputs}. */
  /** A log with more records is tampered with in its refutations of bounds only. */
  private static final int MOST_RECORDS = 300;

  private static final Map<String, String> TOLD =
      Map.ofEntries(
          Map.entry(
              "chosen",
              "decisionId eventTime keyGroup place.writerEpoch recovered"
                  + " source.offset source.partition source.topic"),
          Map.entry(
              "refused",
              "decisionId eventTime keyGroup place.writerEpoch reason recovered"
                  + " source.offset source.partition source.topic"),
          Map.entry(
              "REWARD_APPLIED",
              "decision.mediators eventTime place.writerEpoch redaction reward.id"
                  + " reward.source.offset reward.source.partition reward.source.topic"),
          Map.entry(
              "REWARD_BUFFERED",
              "decision.mediators eventTime place.writerEpoch redaction reward.id"
                  + " reward.source.offset reward.source.partition reward.source.topic"
                  + " reward.value"),
          Map.entry("REWARD_TIMEOUT", "place.writerEpoch redaction"),
          Map.entry("WINDOW_CLOSED", "place.writerEpoch redaction"),
          Map.entry("DECISION_EVICTED", "place.writerEpoch redaction"),
          Map.entry("DEDUP_ENTRY_EVICTED", "eventTime place.writerEpoch redaction"),
          Map.entry("SEGMENT_PASSIVATED", "eventTime place.writerEpoch redaction"),
          Map.entry("SPEC_ADOPTED", "adoption.specTextLost eventTime place.writerEpoch redaction"),
          Map.entry("BOUNDS_ADOPTED", "eventTime place.writerEpoch redaction"),
          Map.entry("PHASE_CLOSED", "eventTime place.writerEpoch redaction"),
          Map.entry("SEGMENT_ACTIVATED", "eventTime place.writerEpoch redaction"),
          Map.entry("ASSUMPTION_REFUTED", "eventTime place.writerEpoch redaction"),
          Map.entry("BOUNDS_REFUTED", "eventTime place.writerEpoch redaction"));

  private static String aggregating(int number, String how, String reward) {
    String join = JOIN + ", fallback: \"A=right\", aggregate: " + how + "}";
    return TestSpecs.text(TestBounds.policy("d-ucb", "ignore"), number, join, reward, "reset");
  }

  private static Scenario shown(Scenario scenario, String id, double seconds, String arm) {
    return scenario.reward(
        new RewardEvent(
            id,
            "r of " + id,
            Scenario.SEGMENT,
            Scenario.millis(seconds),
            1,
            Map.of("M", "0"),
            arm,
            scenario.origin("rewards", seconds),
            new byte[0]));
  }

  /** Priors come and go, rewards are collected, of another arm too, and a context is refused. */
  private static Scenario aggregated() {
    Scenario scenario =
        Scenario.under(
            aggregating(
                1, "sum", "{range: [0, 1], default: {value: 0.25, mediators: {M: \"1\"}}}"));
    CausalBoundSet bounds = TestBounds.set(1, new double[] {0, 0.5}, new double[] {0.25, 1});
    scenario.causalBounds.publish(bounds);
    scenario
        .context("d1", 0)
        .context("d2", 1, Map.of("S", "b", "X", "high"))
        .context("silent", 2)
        .context("bad", 3, Map.of("S", "a", "X", "sideways"))
        .reward("d1", "r1", 4, 0.25, Map.of("M", "1"))
        .reward("d1", "r2", 5, 0.5, Map.of());
    shown(scenario, "d2", 6, "A=right");
    scenario.causalBounds.lose();
    scenario.context("d3", 7).passTo(70);
    scenario.book.publish(aggregating(2, "mean", RANGE));
    scenario.context("d4", 71).passTo(1_000);
    scenario.causalBounds.publish(bounds);
    return scenario;
  }

  /** A linear model, candidates of a request's own, an arm shown that was not chosen. */
  private static Scenario linear() {
    String arms = "[{id: cheap, topic: news, price: 2}, {id: dear, topic: news, price: 8.5}]";
    String policy =
        "linucb, model: shared, features: [intercept, one-hot: S, one-hot: topic,"
            + " number: price]";
    Scenario scenario = Scenario.under(NumericArmTest.spec(policy, 1, arms)).context("d1", 0);
    scenario.context(
        new ContextEvent(
            "d2",
            Scenario.SEGMENT,
            Scenario.millis(1),
            Map.of("S", "b", "X", "low"),
            List.of(
                new CandidateArm("one", Map.of("topic", "sport", "price", 3.0)),
                new CandidateArm("other", Map.of("topic", "news", "price", 4.5))),
            null,
            scenario.origin("contexts", 1),
            new byte[0]));
    shown(scenario, "d1", 2, "dear");
    return scenario.reward("d2", 3, 0.5).context("d3", 4).passTo(1_000);
  }

  /** Two decisions at a time, no more, then rest and return. */
  private static Scenario crowded() {
    String spec = TestSpecs.ucb(JOIN + ", max-pending: 2}", RANGE) + "idle-state: {after: 240s}\n";
    Scenario scenario = Scenario.under(spec).context("d1", 0).reward("d1", 1, 1);
    for (int i = 2; i < 8; i++) {
      scenario.context("d" + i, i);
    }
    scenario.reward("d7", 8, 0.5).reward("d6", 8, 1).context("d8", 9).reward("d8", 10, 0);
    return scenario.passTo(2_000).context("d9", 2_001);
  }

  /** A phase of an experiment, and its abort. */
  private static Scenario experiment() {
    String policy = "csr-v2, samples: 8, control: \"A=left\"";
    Scenario scenario =
        Scenario.under(TestSpecs.experiment(policy, 1, JOIN + "}", RANGE, "reject"));
    for (int i = 0; i < 12; i++) {
      scenario
          .context("d" + i, i, Map.of("S", i % 2 == 0 ? "a" : "b", "X", "low"))
          .reward("d" + i, null, i + 0.5, i % 3 / 2.0, Map.of("M", "1"));
    }
    scenario.passTo(100);
    scenario.book.publish(
        TestSpecs.experiment(policy + ", abort: enough", 2, JOIN + "}", RANGE, "reject"));
    return scenario.context("last", 101).passTo(1_000);
  }

  /** A table that rules out what is observed. */
  private static Scenario refuted() {
    String spec =
        MisspecifiedWorld.TABLE
            .spec("f-ucb", "")
            .replaceAll("(v0, a\\d), [0-9.]+, [0-9.]+", "$1, 0.9999, 0.0001");
    Scenario scenario = Scenario.under(spec);
    for (int i = 0; i < 3; i++) {
      scenario
          .context("d" + i, i, Map.of("S", "v0"))
          .reward("d" + i, null, i + 0.5, 1, Map.of("M", "m1"));
    }
    return scenario;
  }

  private static Scenario refutedBounds() {
    Scenario scenario = Scenario.under(TestBounds.spec("ignore"));
    SegmentBoundsTest.refute(scenario);
    return scenario;
  }

  private static List<Scenario> scenarios() {
    return List.of(aggregated(), linear(), crowded(), experiment(), refuted(), refutedBounds());
  }

  @Test
  void everyFieldOfEveryRecordIsComputedAnewUnlessItIsTold() {
    Set<SegmentEventType> kinds = new TreeSet<>();
    Map<String, String> told = new TreeMap<>();
    for (Scenario scenario : scenarios()) {
      scenario.log.replay(new ReplayOracle(scenario.book, scenario.causalBounds));
      for (Record record : List.copyOf(scenario.log.all)) {
        if (record instanceof SegmentEvent segmentEvent) {
          kinds.add(segmentEvent.type());
        }
        if (scenario.log.all.size() > MOST_RECORDS && !isRefutedBound(record)) {
          continue;
        }
        if (record instanceof Decision || record instanceof SegmentEvent) {
          fields(
              record,
              "",
              (path, other) -> {
                if (!isNoticed(scenario, record, path, other)) {
                  told.merge(name(record), path, RepeatedRecordTest::joined);
                }
              });
        }
      }
    }
    assertEquals(new TreeMap<>(TOLD), told);
    assertEquals(Set.of(SegmentEventType.values()), kinds);
  }

  @Test
  void aSegmentEventWhoseFeaturesStayHiddenIsComparedInAllElse() {
    Scenario scenario = linear();
    RecordedLog hidden = new RecordedLog();
    for (Record record : scenario.log.all) {
      boolean isSettled =
          record instanceof SegmentEvent segmentEvent && segmentEvent.features() != null;
      hidden.all.add(isSettled ? hidden((SegmentEvent) record) : record);
    }
    hidden.replay(new ReplayOracle(scenario.book));
    SegmentEvent applied =
        scenario.log.segmentEvents.stream().filter(it -> it.shownArm() != null).findFirst().get();
    int at = scenario.log.all.indexOf(applied);
    hidden.all.set(at, Tamper.with((SegmentEvent) hidden.all.get(at), "arm", "cheap"));
    ReplayMismatchException thrown =
        assertThrows(
            ReplayMismatchException.class, () -> hidden.replay(new ReplayOracle(scenario.book)));
    assertTrue(
        String.valueOf(thrown.getMessage()).startsWith("decision.arm at seq "),
        thrown.getMessage());
  }

  private static SegmentEvent hidden(SegmentEvent segmentEvent) {
    return segmentEvent.with(List.of(-1.0, -1.0), new Redaction(RedactionMode.REDACT, null, null));
  }

  /** The job knew nothing any more of the arm that was given, the replay has the text. */
  @Test
  void anAdoptionAfterATextWasLostSaysSo() {
    String reward = "{range: [0, 1], default: {value: 0.25}}";
    String two = "{id: two, A: right}";
    String before = SpecVariant.of("ucb").arms("{id: one, A: left}", two).reward(reward).text();
    String after = SpecVariant.of("ucb").version(2).arms(two).reward(reward).text();
    Scenario scenario = Scenario.under(before).context("d1", 0);
    assertEquals("one", scenario.log.decisions.get(0).arm());
    scenario.book.retire().publish(after);
    scenario.context("d2", 1).passTo(500);
    SegmentEvent adopted = scenario.log.segmentEvents.get(1);
    assertEquals(scenario.log.decisions.get(0).specHash(), adopted.adoption().previousSpecHash());
    assertTrue(adopted.adoption().specTextLost());
    assertEquals("UNKNOWN_ARM", scenario.log.segmentEvents.get(2).reason());
    scenario.log.replay(new ReplayOracle(new TestBook().publish(before).publish(after)));
  }

  private static String joined(String names, String name) {
    Set<String> all = new TreeSet<>(Arrays.asList(names.split(" ")));
    all.add(name);
    return String.join(" ", all);
  }

  private static String name(Record record) {
    return record instanceof SegmentEvent segmentEvent
        ? segmentEvent.type().name()
        : ((Decision) record).isChosen() ? "chosen" : "refused";
  }

  private static boolean isRefutedBound(Record record) {
    return record instanceof SegmentEvent event && event.type() == SegmentEventType.BOUNDS_REFUTED;
  }

  /** Passes each field, with another value; those of nested records by path. */
  private static void fields(Record record, String prefix, BiConsumer<String, Object> into) {
    for (RecordComponent field : record.getClass().getRecordComponents()) {
      Object value = value(record, field);
      String path = prefix + field.getName();
      if (value instanceof Record nested && !WHOLE.contains(nested.getClass())) {
        fields(nested, path + ".", into);
      } else {
        into.accept(path, another(value, field));
      }
    }
  }

  private static boolean isNoticed(Scenario scenario, Record record, String path, Object value) {
    RecordedLog wrong = new RecordedLog();
    wrong.all.addAll(scenario.log.all);
    wrong.all.set(scenario.log.all.indexOf(record), Tamper.with(record, path, value));
    try {
      wrong.replay(new ReplayOracle(scenario.book, scenario.causalBounds));
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static @Nullable Object value(Record record, RecordComponent field) {
    try {
      return field.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no " + field, e);
    }
  }

  private static Object another(@Nullable Object value, RecordComponent field) {
    Class<?> type = field.getType();
    if (type == String.class) {
      return value + "x";
    } else if (type == Double.class || type == double.class) {
      return value == null ? 0.5 : Math.nextUp((Double) value);
    } else if (type == Long.class || type == long.class) {
      return value == null ? 1 : (Long) value + 1;
    } else if (type == Integer.class || type == int.class) {
      return value == null ? 1 : (Integer) value + 1;
    } else if (type == boolean.class || type == Boolean.class) {
      return !Boolean.TRUE.equals(value);
    } else if (type == AssumptionAudit.class) {
      return value == null ? ANOTHER : ((AssumptionAudit) value).with(Map.of(), 0.5, 1L);
    } else if (type == RefutedBounds.class) {
      return value == null
          ? new RefutedBounds("A=left", Map.of(), 0.5, 0.5, 0.5, 0.5, 0.5)
          : new RefutedBounds("A=left", Map.of("M", "0"), 0.25, 0.5, 0.5, 0.5, 0.5);
    } else if (type == JoinedDecision.class) {
      return new JoinedDecision("x", null, null, null, null, null, null, Map.of(), null, null);
    } else if (type == JoinedReward.class) {
      return new JoinedReward(null, 0.5, null, new Source("x", 0, 0));
    } else if (type == SpecAdoption.class) {
      return new SpecAdoption(List.of(), null, false, List.of(), List.of());
    } else if (type == ArmEstimate.class) {
      return new ArmEstimate(0.5, 0.5, 0.5);
    } else if (type == ExperimentSample.class) {
      return new ExperimentSample(0, 0);
    } else if (type == Propensities.class) {
      return Propensities.SURE;
    } else if (type == Redaction.class) {
      return new Redaction(RedactionMode.REDACT, null, null);
    } else if (type == Map.class) {
      return Map.of("M", Map.of("M", "0").equals(value) ? "1" : "0");
    } else if (type.isEnum()) {
      List<?> all = Arrays.asList(type.getEnumConstants());
      return all.get((all.indexOf(value) + 1) % all.size());
    } else if (field.getName().equals("candidateFeatures")) {
      return value == null ? List.of(List.of(0.0)) : List.of();
    } else if (field.getGenericType().getTypeName().contains("Integer")) {
      return List.of().equals(value) ? List.of(1) : List.of();
    } else if (field.getGenericType().getTypeName().contains("Double")) {
      return value == null || List.of().equals(value) ? List.of(0.0) : List.of();
    }
    return List.of("x");
  }
}
