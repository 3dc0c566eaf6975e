package io.equipoise.tools.bench;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.CampaignTraffic;
import io.equipoise.tools.TestRecord;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The inputs of both jobs: contexts of the Email Campaign, assigned to segments in turn, and one
 * reward for each. Rewards follow all contexts in event time and are within every time limit of the
 * join, so no timer fires before the end.
 */
final class Workload {
  /** Event time from the first context to the last reward. */
  static final Duration SPAN = Duration.ofMinutes(4);

  private static final long SEED = 11;
  private static final String ID_PREFIX = "request-";
  private static final long FIRST_ID = 1_000_000_000_000L;
  private static final String EXACT_SEGMENTS = "(?m)^segments:.*$";
  private static final String ALL_SEGMENTS = "segments: {pattern: \"email-.*\"}";

  private final SegmentSpec spec;
  private final int segments;
  private final CampaignTraffic campaignTraffic;

  private Workload(SegmentSpec spec, int contexts, int segments) {
    this.spec = spec;
    this.segments = segments;
    this.campaignTraffic = new CampaignTraffic(spec, contexts, SEED);
  }

  /** Creates contexts under a spec file, extended to all segments of the workload. */
  static Workload of(Path specFile, int contexts, int segments) {
    String text = SpecFiles.selfContained(specFile).replaceFirst(EXACT_SEGMENTS, ALL_SEGMENTS);
    return new Workload(SpecParser.parse(text), contexts, Math.min(contexts, segments));
  }

  SegmentSpec spec() {
    return spec;
  }

  int contexts() {
    return campaignTraffic.rounds();
  }

  int segments() {
    return segments;
  }

  /** Returns contexts and rewards together. */
  int inputs() {
    return 2 * campaignTraffic.rounds();
  }

  String segment(int context) {
    return "email-" + context % segments;
  }

  /** Returns the index of the context with this decision id. */
  static int numberOf(String decisionId) {
    return (int)
        (Long.parseLong(decisionId, ID_PREFIX.length(), decisionId.length(), 10) - FIRST_ID);
  }

  /** Encodes a context; the first has event time {@code start}, ms. */
  byte[] context(int number, long start) {
    return TestRecord.contextBytes(
        id(number), segment(number), start + offset(number), campaignTraffic.attributes(number));
  }

  /** Encodes the reward of a context: the result of some arm. */
  byte[] reward(int number, long start) {
    CampaignTraffic.Answer answer =
        campaignTraffic.answer(number, spec.arms().get(number % spec.arms().size()).id());
    return TestRecord.rewardBytes(
        id(number),
        segment(number),
        start + offset(campaignTraffic.rounds() + number),
        answer.reward(),
        answer.mediators());
  }

  private long offset(int input) {
    return SPAN.toMillis() * input / inputs();
  }

  private static String id(int number) {
    return ID_PREFIX + (FIRST_ID + number);
  }
}
