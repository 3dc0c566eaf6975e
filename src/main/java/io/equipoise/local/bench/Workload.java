package io.equipoise.local.bench;

import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.lab.EmailCampaign;
import io.equipoise.lab.Environment;
import io.equipoise.lab.Round;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecFiles;
import io.equipoise.spec.SpecParser;
import io.equipoise.spec.SpecVariable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What both jobs read: contexts of the Email Campaign, dealt out to segments in turn, and one
 * reward for each. Rewards lie behind all contexts in event time and within every horizon of the
 * join, so no timer falls due before the end.
 */
final class Workload {
  /** Event time from the first context to the last reward. */
  static final Duration SPAN = Duration.ofMinutes(4);

  private static final long SEED = 11;
  private static final String ID_PREFIX = "request-";
  private static final long FIRST_ID = 1_000_000_000_000L;
  private static final List<String> MEDIATORS = List.of("I1", "I2", "I3", "I4");
  private static final String EXACT_SEGMENTS = "(?m)^segments:.*$";
  private static final String ALL_SEGMENTS = "segments: {pattern: \"email-.*\"}";

  private final SegmentSpec spec;
  private final int segments;
  private final Environment people = new EmailCampaign().environment();
  private final List<Round> rounds;

  private Workload(SegmentSpec spec, int contexts, int segments) {
    this.spec = spec;
    this.segments = segments;
    this.rounds = people.rounds(contexts, SEED);
  }

  /** Makes contexts under a spec file, which is opened to all segments of the workload. */
  static Workload of(Path specFile, int contexts, int segments) {
    String text = SpecFiles.selfContained(specFile).replaceFirst(EXACT_SEGMENTS, ALL_SEGMENTS);
    return new Workload(SpecParser.parse(text), contexts, Math.min(contexts, segments));
  }

  SegmentSpec spec() {
    return spec;
  }

  int contexts() {
    return rounds.size();
  }

  int segments() {
    return segments;
  }

  /** Returns contexts and rewards together. */
  int inputs() {
    return 2 * rounds.size();
  }

  String segment(int context) {
    return "email-" + context % segments;
  }

  /** Returns the number that a context of this decision id has. */
  static int numberOf(String decisionId) {
    return (int)
        (Long.parseLong(decisionId, ID_PREFIX.length(), decisionId.length(), 10) - FIRST_ID);
  }

  /** Encodes a context; the first lies at {@code start}, ms. */
  byte[] context(int number, long start) {
    int[] levels = rounds.get(number).context();
    List<SpecVariable> features = spec.variables().features();
    Map<String, Object> attributes = new HashMap<>();
    for (int i = 0; i < levels.length; i++) {
      attributes.put(features.get(i).name(), features.get(i).levels().get(levels[i]));
    }
    return Wire.CONTEXT.encode(
        new WireContext(
            id(number), segment(number), start + offset(number), attributes, null, null));
  }

  /** Encodes the reward of a context: what some arm would have brought. */
  byte[] reward(int number, long start) {
    Environment.Answer answer = people.answer(rounds.get(number), number % spec.arms().size());
    Map<String, Object> mediators = new HashMap<>();
    for (int i = 0; i < MEDIATORS.size(); i++) {
      SpecVariable mediator = spec.variables().named(MEDIATORS.get(i));
      mediators.put(mediator.name(), mediator.levels().get(answer.mediators()[i]));
    }
    return Wire.REWARD.encode(
        new WireReward(
            id(number),
            null,
            segment(number),
            start + offset(rounds.size() + number),
            answer.reward(),
            mediators,
            null));
  }

  private long offset(int input) {
    return SPAN.toMillis() * input / inputs();
  }

  private static String id(int number) {
    return ID_PREFIX + (FIRST_ID + number);
  }
}
