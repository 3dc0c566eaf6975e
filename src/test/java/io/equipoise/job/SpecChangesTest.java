package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of change of a spec in one running job, each in a segment of its own. In each a
 * decision is in flight from before the change until after a savepoint, which goes on on the other
 * backend with another parallelism; then its reward comes.
 */
class SpecChangesTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");

  /** Longer than this test takes on any machine. */
  private static final String JOIN =
      "{reward-window: 3600s, early-reward-timeout: 30s, dedup-window: 60s}";

  private static final String ONE = "{id: one, A: left}";
  private static final String TWO = "{id: two, A: right}";
  private static final String SEARCH = "csr-v2, samples: 100, control: \"A=left\"";
  private static final String APPLIED = "REWARD_APPLIED";
  private static final List<String> NOTHING = List.of();
  private static final List<String> MEMORY = List.of("policy-state");
  private static final List<String> ALL = List.of("model", "audit");

  private static final List<Change> CHANGES =
      List.of(
          change(
              "another-tau-of-a-price",
              APPLIED,
              MEMORY,
              tau("dual-upper", 0.2),
              tau("dual-upper", 0.3)),
          change(
              "another-tau-of-a-screen", APPLIED, MEMORY, tau("screen", 0.2), tau("screen", 0.3)),
          change(
              "another-tau-of-a-ridge",
              APPLIED,
              MEMORY,
              tau("linucb, constraint: dual", 0.2),
              tau("linucb, constraint: dual", 0.3)),
          change(
              "another-schedule",
              APPLIED,
              NOTHING,
              tau("dual-upper", 0.2),
              tau("dual-upper, dual: {schedule: anytime}", 0.2)),
          change(
              "another-rule-over-the-same-regressions",
              APPLIED,
              MEMORY,
              SpecVariant.of("linucb, constraint: dual"),
              SpecVariant.of("fair-linucb, groups: {attribute: S, privileged: a, protected: b}")),
          change(
              "another-rule-over-the-same-cells",
              APPLIED,
              NOTHING,
              SpecVariant.of("d-ucb"),
              SpecVariant.of("f-ucb")),
          change("other-cells", APPLIED, null, SpecVariant.of("ucb"), SpecVariant.of("d-ucb")),
          change(
              "an-arm-more",
              APPLIED,
              NOTHING,
              SpecVariant.of("ucb").arms(ONE),
              SpecVariant.of("ucb").arms(ONE, TWO)),
          change(
              "an-offer-more-of-a-ridge",
              APPLIED,
              NOTHING,
              SpecVariant.of("linucb, constraint: hard"),
              SpecVariant.of("linucb, constraint: hard").levels("A", "up", "right", "left")),
          change(
              "an-offer-more-of-log-odds",
              APPLIED,
              NOTHING,
              SpecVariant.of("screen"),
              SpecVariant.of("screen").levels("A", "up", "right", "left")),
          change(
              "an-arm-retired-and-back",
              APPLIED,
              NOTHING,
              SpecVariant.of("linucb").arms(ONE, TWO),
              SpecVariant.of("linucb").arms(TWO),
              SpecVariant.of("linucb").arms(ONE, TWO)),
          new Change(
              "another-search",
              "MODEL_CHANGED",
              ALL,
              search("another-search", SEARCH, SEARCH.replace("100", "120"), "reset")),
          new Change(
              "a-search-aborted",
              "MODEL_CHANGED",
              NOTHING,
              search("a-search-aborted", SEARCH, SEARCH + ", abort: too slow", "reject")));

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private static Path directory = Path.of("");
  private static TestDeployment deployment;
  private static int probes;

  /**
   * One change of a spec, or several one after the other.
   *
   * @param segment and the name of the specs
   * @param fate the kind of segment event, or the dead letter, that the late reward becomes
   * @param reset what every change starts anew; null where it is refused
   * @param specs in their order
   */
  record Change(String segment, String fate, @Nullable List<String> reset, List<String> specs) {
    @Override
    public String toString() {
      return segment;
    }

    boolean isAt(int step) {
      return step < specs.size();
    }
  }

  private static Change change(
      String segment, String fate, @Nullable List<String> reset, SpecVariant... specs) {
    List<String> texts = new ArrayList<>();
    for (SpecVariant spec : specs) {
      texts.add(named(segment, spec.version(texts.size() + 1).join(JOIN).text()));
    }
    return new Change(segment, fate, reset, texts);
  }

  private static SpecVariant tau(String policy, double tau) {
    return SpecVariant.of(policy).fairness("tau: " + tau + ", delta: 0.05");
  }

  private static List<String> search(String segment, String first, String second, String onChange) {
    String reward = "{range: [0, 1]}";
    return Stream.of(
            TestSpecs.experiment(first, 1, JOIN, reward, "reject"),
            TestSpecs.experiment(second, 2, JOIN, reward, onChange))
        .map(text -> named(segment, text))
        .toList();
  }

  private static String named(String segment, String text) {
    return text.replace("name: test", "name: " + segment)
        .replace("segments: default", "segments: {exact: [" + segment + "]}");
  }

  static List<Change> changes() {
    return CHANGES;
  }

  @BeforeAll
  static void play() throws Exception {
    deployment = CLUSTER.deployment("spec-changes").publish(specs(0));
    LocalJob job = deployment.start(2, null);
    long begun = now();
    CHANGES.forEach(change -> deployment.context(change.segment(), "d1", begun, PERSON));
    deployment.awaitDecisions(CHANGES.size());
    adopt(1);
    String savepoint = job.stopWithSavepoint(directory);
    job = deployment.with("state.backend.type", "rocksdb").start(1, savepoint);
    adopt(2);
    for (Change change : CHANGES) {
      deployment.reward(change.segment(), "d1", begun + 1, 1.0, Map.of("M", "1"));
    }
    TestDeployment.await(SpecChangesTest::fates, found -> found.size() == CHANGES.size());
    probe();
    job.cancel();
  }

  @AfterAll
  static void close() {
    deployment.close();
  }

  private static String[] specs(int step) {
    return CHANGES.stream()
        .filter(change -> change.isAt(step))
        .map(change -> change.specs().get(step))
        .toArray(String[]::new);
  }

  /** Publishes every segment's next spec, and asks for arms until each has met its own. */
  private static void adopt(int step) throws InterruptedException {
    deployment.republish(specs(step));
    TestDeployment.await(
        SpecChangesTest::probe,
        met ->
            CHANGES.stream()
                .filter(change -> change.isAt(step))
                .allMatch(change -> met.contains(change.specs().get(step))));
  }

  /** Asks every segment for an arm; returns the specs that answered or were refused. */
  private static Set<String> probe() {
    String id = "probe" + probes++;
    CHANGES.forEach(change -> deployment.context(change.segment(), id, now(), PERSON));
    List<Decision> answers =
        TestDeployment.await(
            () -> deployment.decisions().stream().filter(it -> it.decisionId().equals(id)).toList(),
            found -> found.size() == CHANGES.size());
    Set<String> hashes = answers.stream().map(Decision::specHash).collect(Collectors.toSet());
    Set<String> met = refused();
    CHANGES.stream()
        .flatMap(change -> change.specs().stream())
        .filter(text -> hashes.contains(hash(text)))
        .forEach(met::add);
    return met;
  }

  private static Set<String> refused() {
    List<String> refusals =
        deployment.deadLetters().stream()
            .filter(letter -> letter.code().equals("SPEC_REJECTED"))
            .map(DeadLetter::message)
            .toList();
    return CHANGES.stream()
        .flatMap(change -> change.specs().stream())
        .filter(text -> refusals.stream().anyMatch(it -> it.contains(hash(text) + " does not")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns what became of the late rewards. */
  private static List<String> fates() {
    List<String> fates = new ArrayList<>();
    for (SegmentEvent segmentEvent : deployment.segmentEvents()) {
      if (segmentEvent.type() == SegmentEventType.REWARD_APPLIED) {
        fates.add(segmentEvent.segment() + " " + segmentEvent.type());
      }
    }
    for (DeadLetter letter : deployment.deadLetters()) {
      if ("d1".equals(letter.input().decisionId())) {
        fates.add(letter.segment() + " " + letter.code());
      }
    }
    return fates;
  }

  private static List<SegmentEvent> segmentEvents(Change change, SegmentEventType kind) {
    return deployment.segmentEvents().stream()
        .filter(it -> it.segment().equals(change.segment()) && it.type() == kind)
        .toList();
  }

  private static List<Decision> decisions(Change change) {
    return deployment.decisions().stream()
        .filter(it -> it.segment().equals(change.segment()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void theSegmentTakesUpWhatMayTakeOverAndSaysWhatStartsAnew(Change change) {
    List<List<String>> expected = new ArrayList<>(List.of(NOTHING));
    List<String> reset = change.reset();
    for (int step = 1; step < change.specs().size() && reset != null; step++) {
      expected.add(reset);
    }
    assertEquals(
        expected,
        segmentEvents(change, SegmentEventType.SPEC_ADOPTED).stream()
            .map(SegmentEvent::stateReset)
            .toList());
    String refused = change.specs().get(change.specs().size() - 1);
    assertEquals(reset == null, refused().contains(refused));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void theDecisionInFlightIsSettledAsItsModelAllows(Change change) {
    String first = hash(change.specs().get(0));
    Decision inFlight = decisions(change).get(0);
    assertEquals(first, inFlight.specHash());
    assertEquals(
        List.of(change.segment() + " " + change.fate()),
        fates().stream().filter(it -> it.startsWith(change.segment() + " ")).toList());
    for (SegmentEvent applied : segmentEvents(change, SegmentEventType.REWARD_APPLIED)) {
      assertEquals(inFlight.arm(), applied.arm());
    }
  }

  @Test
  void aSearchThatIsReplacedOrAbortedSaysSo() {
    Set<String> ended =
        deployment.experiments().stream()
            .filter(record -> record.terminal() != null)
            .map(record -> record.segment())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of("another-search", "a-search-aborted"), ended);
  }

  @Test
  void armsAreGivenWhileTheSpecHasThem() {
    for (Change change : CHANGES) {
      for (Decision decision : decisions(change)) {
        String text =
            change.specs().stream()
                .filter(it -> hash(it).equals(decision.specHash()))
                .findFirst()
                .orElseThrow();
        boolean hasNamed = text.contains("{id: ");
        assertEquals(
            hasNamed, text.contains("{id: " + decision.arm() + ","), "arm " + decision.arm());
      }
    }
    assertEquals(Set.of("one", "two"), arms("an-arm-more"));
    assertEquals(Set.of("one", "two"), arms("an-arm-retired-and-back"));
  }

  private static Set<String> arms(String segment) {
    return deployment.decisions().stream()
        .filter(it -> it.segment().equals(segment))
        .map(Decision::arm)
        .collect(Collectors.toSet());
  }

  @Test
  void theLogReplaysBitForBit() {
    StreamingJobTest.check(
        deployment,
        CHANGES.stream().flatMap(change -> change.specs().stream()).toArray(String[]::new));
  }

  private static String hash(String text) {
    return SpecParser.parse(text).hash();
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
