package io.equipoise.lab.bench;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.CampaignTraffic;
import io.equipoise.tools.TestRecord;
import java.time.Duration;

/**
 * Generates the inputs of a measured job: contexts of the Email Campaign, assigned to segments in
 * turn, and one reward of some arm for each.
 */
final class Workload {
  private static final long SEED = 11;

  /** The people of the campaign repeat after so many contexts. */
  private static final int PEOPLE = 100_000;

  private static final int PEOPLE_OF_A_LOAD = 10_000;

  private static final String ID_PREFIX = "request-";
  private static final long FIRST_ID = 1_000_000_000_000L;
  private static final String SEGMENT_PREFIX = "email-";
  private static final String EXACT_SEGMENTS = "(?m)^segments:.*$";
  private static final String ALL_SEGMENTS = "segments: {pattern: \"" + SEGMENT_PREFIX + ".*\"}";

  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration IDLE_AFTER = Duration.ofSeconds(60);

  private final SegmentSpec spec;
  private final int contexts;
  private final int segments;
  private final Duration contextSpan;
  private final Duration rewardDelay;
  private final CampaignTraffic campaignTraffic;

  private Workload(
      String specText, int contexts, int segments, Duration contextSpan, Duration rewardDelay) {
    this.spec = SpecParser.parse(specText.replaceFirst(EXACT_SEGMENTS, ALL_SEGMENTS));
    this.contexts = contexts;
    this.segments = Math.min(contexts, segments);
    this.contextSpan = contextSpan;
    this.rewardDelay = rewardDelay;
    this.campaignTraffic = new CampaignTraffic(spec, Math.min(contexts, PEOPLE), SEED);
  }

  /**
   * Creates inputs under a spec, extended to all segments of the workload. Rewards follow all
   * contexts in event time and are within every time limit of the join, so no timer fires before
   * the end.
   */
  static Workload of(String specText, int contexts, int segments) {
    Duration half = Duration.ofMinutes(2);
    return new Workload(specText, contexts, segments, half, half);
  }

  /** Creates inputs of a load without an end: people repeat after 10,000 contexts. */
  static Workload endless(String specText, int segments) {
    return of(specText, Math.max(PEOPLE_OF_A_LOAD, segments), segments);
  }

  /**
   * Creates inputs of {@code 4 min} of event time under a spec with windows of 10 s and {@code
   * idle-state: {after: 60s, retain: model}}. Each reward follows its context after one second. A
   * segment without an input for 60 s is passivated.
   */
  static Workload idling(String specText, int contexts, int segments) {
    return new Workload(
        withIdleState(specText), contexts, segments, Duration.ofMinutes(4), Duration.ofSeconds(1));
  }

  /** Shortens the windows of a shipped spec, so that segments become idle within minutes. */
  private static String withIdleState(String text) {
    String window = WINDOW.toSeconds() + "s";
    return text.replaceFirst("(?m)^  reward-window: .*$", "  reward-window: " + window)
            .replaceFirst("(?m)^  early-reward-timeout: .*$", "  early-reward-timeout: " + window)
            .replaceFirst("(?m)^  dedup-window: .*$", "  dedup-window: " + window)
        + "\nidle-state: {after: %ds, retain: %s}\n"
            .formatted(IDLE_AFTER.toSeconds(), Retain.MODEL.wire());
  }

  SegmentSpec spec() {
    return spec;
  }

  int contexts() {
    return contexts;
  }

  int segments() {
    return segments;
  }

  /** Returns contexts and rewards together. */
  int inputs() {
    return 2 * contexts;
  }

  /** Returns the event time from the first context to the last reward. */
  Duration span() {
    return contextSpan.plus(rewardDelay);
  }

  String segment(int context) {
    return SEGMENT_PREFIX + context % segments;
  }

  /** Returns the index of a segment by its name, which is that of its first context. */
  static int indexOf(String segment) {
    return Integer.parseInt(segment, SEGMENT_PREFIX.length(), segment.length(), 10);
  }

  /** Returns the index of the context with this decision id. */
  static int numberOf(String decisionId) {
    return (int)
        (Long.parseLong(decisionId, ID_PREFIX.length(), decisionId.length(), 10) - FIRST_ID);
  }

  /** Returns the event time of a context, ms after the first. */
  long contextOffset(int number) {
    return contextSpan.toMillis() * number / contexts;
  }

  /** Returns the event time of a reward, ms after the first context. */
  long rewardOffset(int number) {
    return contextOffset(number) + rewardDelay.toMillis();
  }

  /** Creates a context with an event time, epoch ms. */
  TestRecord context(int number, long time) {
    String id = id(number);
    String segment = segment(number);
    byte[] value = TestRecord.contextBytes(id, segment, time, campaignTraffic.attributes(number));
    return TestRecord.context(segment, id, value, null);
  }

  /** Creates the reward of a context with an event time, epoch ms. */
  TestRecord reward(int number, long time) {
    String arm = spec.arms().get(number % spec.arms().size()).id();
    CampaignTraffic.CampaignOutcome answer =
        CampaignTraffic.countsClicks(spec)
            ? campaignTraffic.click(number, arm, number % 2 == 0 ? .25 : .75)
            : campaignTraffic.answer(number, arm);
    String segment = segment(number);
    byte[] value =
        TestRecord.rewardBytes(id(number), segment, time, answer.reward(), answer.mediators());
    return TestRecord.reward(segment, value, null);
  }

  private static String id(int number) {
    return ID_PREFIX + (FIRST_ID + number);
  }
}
