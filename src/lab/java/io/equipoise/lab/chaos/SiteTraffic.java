package io.equipoise.lab.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.IdHash;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Simulates the visitors of {@link SiteSpec}: each asks the gateway for an article, sees the one
 * that it answers, and clicks with probability 0.04. A 25th allows it a few milliseconds only.
 * Every second visitor who does not click confirms what it saw; for the others the gateway does.
 *
 * <p>Invariants: nothing is learned twice or of an article that the visitor did not see, a click is
 * learned as 1, and silence that the visitor confirmed is learned as 0. A gateway that is killed
 * loses the confirmations that it has not sent, which are counted.
 *
 * <p>State: the visits, which the caller's thread adds and the HTTP client's threads update. The
 * summary is that of the last verification.
 */
final class SiteTraffic implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double CLICKS = 0.04;
  private static final int HURRIED = 25;
  private static final int HURRIED_MILLIS = 3;
  private static final int DEADLINE_MILLIS = 5_000;

  /** Contexts and confirmations may be appended so much later than they were asked, ms. */
  private static final long MARGIN_MILLIS = 15_000;

  private static final long WINDOW_MILLIS = SiteSpec.WINDOW_SECONDS * 1_000;

  private final JobConfig config;
  private final PersistentCaller caller;
  private final int perSecond;
  private final SplittableRandom random;
  private final Clock clock;
  private final String prefix;
  private final Map<String, Visit> visits = new ConcurrentHashMap<>();
  private final AtomicLong number = new AtomicLong();
  private String summary = "site: not verified yet";

  /**
   * Tracks a visit: the article that it saw, and when the brokers had its click or confirmation.
   */
  static final class Visit {
    private final long askedAt;
    private final boolean clicks;
    volatile String arm = "nothing";
    volatile long toldAt = Long.MAX_VALUE;

    /**
     * Set if the visit was answered at its deadline: the job makes no decision for it after that.
     */
    volatile boolean isLate;

    Visit(long askedAt, boolean clicks) {
      this.askedAt = askedAt;
      this.clicks = clicks;
    }

    /** Returns whether the brokers had the click or the confirmation well within the window. */
    boolean isToldInTime() {
      return toldAt < askedAt + WINDOW_MILLIS - MARGIN_MILLIS;
    }
  }

  SiteTraffic(JobConfig config, PersistentCaller caller, int perSecond, long seed, Clock clock) {
    this.config = config;
    this.caller = caller;
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed);
    this.clock = clock;
    this.prefix = "site-" + clock.millis() + "-";
  }

  void start() {
    if (perSecond > 0) {
      caller.start(this::next, perSecond);
    }
  }

  /** Stops the visits, and waits until no request is open. */
  void drain() {
    caller.drain();
  }

  void resume() {
    caller.resume();
  }

  private void next() {
    long round = number.getAndIncrement();
    String id = prefix + round;
    Visit visit = new Visit(clock.millis(), random.nextDouble() < CLICKS);
    visits.put(id, visit);
    ObjectNode request = inSegment();
    request
        .put("decisionId", id)
        .put("eventTime", visit.askedAt)
        .put("deadlineMs", round % HURRIED == 0 ? HURRIED_MILLIS : DEADLINE_MILLIS)
        .putObject("attributes")
        .put("device", any(SiteSpec.DEVICES))
        .put("hour", any(SiteSpec.HOURS))
        .put("gender", any(SiteSpec.GENDERS));
    caller.ask("/v1/decisions", request, answer -> see(id, visit, round % 2 == 0, answer));
  }

  private void see(String id, Visit visit, boolean confirms, JsonNode answer) {
    String arm = answer.path("arm").textValue();
    if (arm == null) {
      caller.violate("visit " + id + " got no article: " + answer);
      return;
    }
    visit.arm = arm;
    visit.isLate = answer.path("reason").asText().equals("DEADLINE_EXCEEDED");
    if (visit.clicks) {
      ObjectNode click = inSegment().put("decisionId", id).put("value", 1).put("shownArm", arm);
      caller.ask("/v1/rewards", click, taken -> visit.toldAt = clock.millis());
    } else if (confirms) {
      caller.ask(
          "/v1/decisions/" + id + "/shown",
          inSegment().put("shownArm", arm),
          taken -> visit.toldAt = clock.millis());
    }
  }

  private static ObjectNode inSegment() {
    return JSON.createObjectNode().put("segment", SiteSpec.SEGMENT);
  }

  private String any(List<String> levels) {
    return levels.get(random.nextInt(levels.size()));
  }

  /** Compares with the topic of segment events, after {@link #drain}; returns all violations. */
  List<String> verify() {
    List<String> all = caller.violations();
    if (perSecond > 0) {
      Judgment judgment = Judgment.of(visits, events().values());
      all.addAll(judgment.violations());
      summary = "site: %d visits; %s".formatted(visits.size(), judgment.counts());
    }
    return all;
  }

  /** Compares the segment's log with the visits. */
  record Judgment(List<String> violations, String counts) {
    static Judgment of(Map<String, Visit> visits, Collection<SegmentEvent> events) {
      List<String> violations = new ArrayList<>();
      Map<String, SegmentEvent> learned = new HashMap<>();
      long closedUpTo = Long.MIN_VALUE;
      Map<String, String> ids = new HashMap<>();
      visits.keySet().forEach(id -> ids.put(IdHash.of(id).hex(), id));
      for (SegmentEvent event : events) {
        String id = ids.get(event.hashOfDecision());
        if (id == null) {
          continue;
        }
        Visit visit = visits.get(id);
        if (event.type() == SegmentEventType.REWARD_TIMEOUT) {
          closedUpTo = Math.max(closedUpTo, visit.askedAt - MARGIN_MILLIS);
        }
        if (event.learned() && learned.put(id, event) != null) {
          violations.add("visit " + id + " is learned twice");
        }
      }
      int clicked = 0;
      int silent = 0;
      int lateClicks = 0;
      int unconfirmed = 0;
      int open = 0;
      for (Map.Entry<String, Visit> entry : new TreeMap<>(visits).entrySet()) {
        Visit visit = entry.getValue();
        SegmentEvent event = learned.get(entry.getKey());
        double reward = visit.clicks ? 1 : 0;
        if (event != null) {
          boolean isLateClick = visit.clicks && !visit.isToldInTime() && event.learnedReward() == 0;
          lateClicks += isLateClick ? 1 : 0;
          if (!visit.arm.equals(event.arm()) || (event.learnedReward() != reward && !isLateClick)) {
            violations.add(
                "visit %s: %s, %s is learned instead of %s, %s"
                    .formatted(
                        entry.getKey(), event.arm(), event.learnedReward(), visit.arm, reward));
          }
          clicked += event.learnedReward() == 1 ? 1 : 0;
          silent += event.learnedReward() == 0 ? 1 : 0;
        } else if (visit.askedAt >= closedUpTo) {
          open++;
        } else if (visit.isToldInTime() && !visit.isLate) {
          violations.add(
              "visit %s: nothing is learned instead of %s, %s"
                  .formatted(entry.getKey(), visit.arm, reward));
        } else {
          unconfirmed++;
        }
      }
      return new Judgment(
          violations,
          "learned are %d clicks and %d silences, %d of them before a late click, %d are unconfirmed, %d open"
              .formatted(clicked, silent, lateClicks, unconfirmed, open));
    }
  }

  /** Returns the valid events of the segment: those of a former writer after it are void. */
  private NavigableMap<Long, SegmentEvent> events() {
    NavigableMap<Long, SegmentEvent> events = new TreeMap<>();
    GatewayTraffic.read(
        config,
        config.topics().segmentEvents(),
        record -> {
          SegmentEvent event = Wire.SEGMENT_EVENT.decode(record.value());
          if (event.segment().equals(SiteSpec.SEGMENT)) {
            events.tailMap(event.place().seq(), true).clear();
            events.put(event.place().seq(), event);
          }
        });
    return events;
  }

  /** Describes the last verification in one line. */
  String summary() {
    return summary;
  }

  @Override
  public void close() {
    caller.close();
  }
}
