package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every policy family promises. A family's test extends this class and names its specs.
 *
 * <p>The specs must have levels only, no numeric variables, and rewards from 0 to 1.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class PolicyContract {
  private static final int ROUNDS = 120;

  /** Returns the family under test. */
  protected abstract PolicyFamily family();

  /** Returns a sound spec for each policy of the family. */
  protected abstract Map<String, String> specs();

  /**
   * A change of a spec's text.
   *
   * @param policy whose spec is changed
   * @param from a piece of the text
   * @param to what replaces it
   */
  public record Change(String policy, String from, String to) {}

  /** Returns changes, at least one for each parameter that gives statistics another meaning. */
  protected abstract List<Change> changesOfMeaning();

  /** Returns changes after which the same statistics go on. */
  protected abstract List<Change> changesOfRule();

  Stream<String> policies() {
    return new TreeSet<>(specs().keySet()).stream();
  }

  private Policy compiled(String text) {
    SegmentSpec spec = SpecParser.parse(text, new PolicyFamilies(List.of(family())));
    return family().compile(spec);
  }

  private Policy policy(String name) {
    return compiled(specs().get(name));
  }

  private Policy changed(Change change) {
    String text = specs().get(change.policy());
    String other = text.replace(change.from(), change.to());
    assertNotEquals(text, other, "the spec lacks " + change.from());
    return compiled(other);
  }

  private String fingerprint(Policy policy) {
    return new PolicyFamilies(List.of(family())).fingerprint(policy);
  }

  /** One segment that people visit; a function of the policy alone. */
  private final class Visits {
    private final Policy policy;
    private ModelState state;
    private int t;
    private final List<String> known = new ArrayList<>();

    Visits(Policy policy, ModelState state) {
      this.policy = policy;
      this.state = state;
    }

    Visits(Policy policy) {
      this(policy, new MemoryModelState());
    }

    Visits fork() {
      Visits fork = new Visits(policy, copied(state));
      fork.t = t;
      fork.known.addAll(known);
      return fork;
    }

    Request request() {
      return PolicyContract.request(policy, t, known);
    }

    private SeededRandom draw() {
      return new SeededRandom(policy.spec().seed(), "contract", "d" + t);
    }

    AuditedChoice decide() {
      return policy.decide(state, request(), t + 1, draw(), ClippedIndex.NONE);
    }

    AuditedChoice reapply(AuditedChoice shown) {
      PublishedChoice published = new PublishedChoice(shown.choice(), shown.sample());
      return policy.decide(state, request(), t + 1, draw(), ClippedIndex.NONE, published);
    }

    /** Serves one person and learns from the reward at once. */
    AuditedChoice visit() {
      Request request = request();
      AuditedChoice audited = decide();
      learn(request, audited, uniform("reward", t) < 0.5 ? 0 : 1);
      return audited;
    }

    void learn(Request request, AuditedChoice audited, double reward) {
      int arm = audited.choice().arm();
      String id = request.candidates().get(arm).id();
      if (!known.contains(id)) {
        known.add(id);
      }
      t++;
      if (audited.choice().reason().isLearned()) {
        policy.learn(state, experience(request, audited, known.indexOf(id), reward), t);
      }
      if (policy instanceof PhasedPolicy phased) {
        while (phased.closePhase(state, 0, 0) != null) {
          // the next one may be done too
        }
      }
    }

    private Experience experience(
        Request request, AuditedChoice audited, int position, double reward) {
      int arm = audited.choice().arm();
      int[] mediators =
          policy.spec().variables().mediators().stream()
              .mapToInt(it -> (int) (uniform(it.name(), t) * it.levels().size()))
              .toArray();
      return new Experience(
          request.person().levels(),
          policy.inputs(request, audited),
          arm,
          request.candidates().get(arm).arm().levels(),
          position,
          mediators,
          reward);
    }

    List<AuditedChoice> visits(int count) {
      List<AuditedChoice> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(visit());
      }
      return all;
    }
  }

  private static double uniform(String what, int t) {
    return new SeededRandom(1, what, "d" + t).uniform(SeededRandom.Purpose.TIE);
  }

  private static Request request(Policy policy, int t, List<String> known) {
    SegmentSpec spec = policy.spec();
    int[] person =
        spec.variables().features().stream()
            .mapToInt(it -> (int) (uniform(it.name(), t) * it.disclosedLevels()))
            .toArray();
    List<Request.Candidate> arms =
        spec.arms().list().stream()
            .map(
                arm -> new Request.Candidate(arm.id(), known.indexOf(arm.id()), Profile.ofArm(arm)))
            .toList();
    return new Request(Profile.of(person), arms, true, known.size());
  }

  private static byte[] bytes(StateBlock block) {
    return block.toBytes();
  }

  private static ModelState copied(ModelState state) {
    ModelState copy = new MemoryModelState();
    state.entries().forEach(entry -> copy.put(entry.getKey(), entry.getValue().copy()));
    return copy;
  }

  private static List<String> content(ModelState state) {
    List<String> content = new ArrayList<>();
    state
        .entries()
        .forEach(entry -> content.add(entry.getKey() + Arrays.toString(bytes(entry.getValue()))));
    return content;
  }

  /** Reads a block of the family, or one which it shares with another family. */
  private StateBlock read(ByteBuffer in) {
    int format = Byte.toUnsignedInt(in.get(0));
    var own = family().formats().get(format);
    var empty =
        Objects.requireNonNull(
            own == null ? PolicyFamilies.installed().format(format) : own, "no block " + format);
    return StoredBytes.read(empty.get(), in);
  }

  private ModelState restored(ModelState state) {
    ModelState restored = new MemoryModelState();
    state
        .entries()
        .forEach(
            entry -> {
              ByteBuffer in = ByteBuffer.wrap(bytes(entry.getValue()));
              restored.put(entry.getKey(), read(in));
              assertEquals(0, in.remaining(), "a reader reads a block to its end");
            });
    return restored;
  }

  @Test
  void everyPolicyOfTheFamilyIsTested() {
    assertEquals(
        new TreeSet<>(family().policies().stream().map(PolicyName::wire).toList()),
        new TreeSet<>(specs().keySet()));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aReplayIsEqualBitForBit(String name) {
    Visits live = new Visits(policy(name));
    Visits replay = new Visits(policy(name));
    assertEquals(
        live.visits(ROUNDS).toString(), replay.visits(ROUNDS).toString(), "decisions and audits");
    assertEquals(content(live.state), content(replay.state));
    assertTrue(content(live.state).size() > 0, "something was learned");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aStateReadFromItsBytesGoesOnAlike(String name) {
    Visits live = new Visits(policy(name));
    for (int round = 0; round < ROUNDS; round += 10) {
      live.visits(10);
      Visits read = live.fork();
      read.state = restored(live.state);
      assertEquals(content(live.state), content(read.state), "after " + (round + 10));
      Visits same = live.fork();
      assertEquals(same.visits(5).toString(), read.visits(5).toString());
      assertEquals(content(same.state), content(read.state));
    }
  }

  /** A reader of the audit topic counts with it, so that it knows when it has all records. */
  @ParameterizedTest
  @MethodSource("policies")
  void everyComparisonHasOneFinding(String name) {
    Visits live = new Visits(policy(name));
    SensitivePairs pairs = new SensitivePairs(live.policy.spec());
    for (int round = 0; round < ROUNDS; round++) {
      int comparisons = pairs.of(live.request().person().levels()).size();
      assertEquals(
          live.policy instanceof PhasedPolicy ? 0 : comparisons,
          live.visit().findings().size(),
          "round " + round);
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aCopyIsDeep(String name) {
    Visits live = new Visits(policy(name));
    live.visits(ROUNDS / 2);
    List<String> before = content(live.state);
    Visits copy = live.fork();
    live.visits(20);
    assertEquals(before, content(copy.state), "the copy keeps its bytes");
    List<String> after = content(live.state);
    copy.visits(20);
    assertEquals(after, content(live.state), "and the original its own");
    assertEquals(after, content(copy.state));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aPublishedChoiceIsAppliedAgainAsItWasShown(String name) {
    Visits live = new Visits(policy(name));
    for (int round = 0; round < ROUNDS; round += 4) {
      live.visits(4);
      Visits lost = live.fork();
      Visits decided = live.fork();
      AuditedChoice shown = decided.decide();
      AuditedChoice again = lost.reapply(shown);
      assertEquals(shown.choice().arm(), again.choice().arm());
      assertEquals(
          Arrays.toString(shown.choice().propensities()),
          Arrays.toString(again.choice().propensities()));
      assertEquals(shown.findings(), again.findings());
      assertEquals(content(decided.state), content(lost.state), "round " + live.t);
    }
  }

  /** After a lost state contexts may come in another order: what people saw does not change. */
  @ParameterizedTest
  @MethodSource("policies")
  void choicesOfALostStateAreAppliedInAnotherOrder(String name) {
    Visits live = new Visits(policy(name));
    live.visits(ROUNDS / 2);
    Visits restarted = live.fork();
    List<AuditedChoice> shown = live.visits(6);
    for (int i = shown.size() - 1; i >= 0; i--) {
      Request request = restarted.request();
      AuditedChoice again = restarted.reapply(shown.get(i));
      assertEquals(shown.get(i).choice().arm(), again.choice().arm());
      restarted.learn(request, again, 1);
    }
    restarted.visits(20);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aRefusedRewardChangesNothing(String name) {
    Visits live = new Visits(policy(name));
    live.visits(ROUNDS / 4);
    for (double reward : new double[] {1e300, -1e300, Double.MAX_VALUE, 0.5}) {
      Visits fork = live.fork();
      Request request = fork.request();
      AuditedChoice audited = fork.decide();
      List<String> before = content(fork.state);
      if (fork.policy.refusalOf(reward) == null) {
        try {
          fork.learn(request, audited, reward);
        } catch (UnusableRequestException e) {
          assertEquals(before, content(fork.state), "reward " + reward);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void bytesThatAreNoBlockAreRefused(String name) {
    Visits live = new Visits(policy(name));
    live.visits(8);
    live.state
        .entries()
        .forEach(
            entry -> {
              byte[] bytes = bytes(entry.getValue());
              byte[] half = Arrays.copyOf(bytes, 1 + (bytes.length - 1) / 2);
              assertThrows(
                  IllegalArgumentException.class,
                  () -> restoredFromHalf(live, entry.getKey(), read(ByteBuffer.wrap(half))));
            });
  }

  /** A block may keep its bytes until it is asked for its value. */
  private void restoredFromHalf(Visits live, long key, StateBlock block) {
    Visits fork = live.fork();
    fork.state.put(key, block);
    fork.visits(20);
  }

  @Test
  void theFingerprintCoversEveryParameterOfTheStatistics() {
    for (Change change : changesOfMeaning()) {
      assertNotEquals(
          fingerprint(policy(change.policy())), fingerprint(changed(change)), change.toString());
    }
    for (String name : specs().keySet()) {
      assertEquals(fingerprint(policy(name)), fingerprint(policy(name)), name);
    }
  }

  @Test
  void otherRulesGoOnWithTheSameStatistics() {
    for (Change change : changesOfRule()) {
      Policy before = policy(change.policy());
      Policy after = changed(change);
      assertEquals(fingerprint(before), fingerprint(after), change.toString());
      Visits live = new Visits(before);
      live.visits(ROUNDS / 4);
      Visits one = live.fork();
      List<String> anew = after.succeed(before, one.state);
      Visits next = new Visits(after, one.state);
      next.t = live.t;
      next.known.addAll(live.known);
      next.visits(20);
      Visits two = live.fork();
      assertEquals(anew, after.succeed(before, two.state), "what starts anew is a function");
    }
  }

  @Test
  void checkReportsSomething() {
    for (String name : specs().keySet()) {
      CheckFindings findings = new CheckFindings(10_000);
      family().check(policy(name), findings);
      assertTrue(findings.lines().size() > 0, name);
      assertTrue(findings.json().size() > 0, name);
      assertTrue(policy(name).modelBytes() > 0, name);
    }
  }
}
