package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Visitors of the shop of {@code best-offer.yaml}: some tell no age, some outcomes never come or
 * come late or twice, and contexts come twice.
 */
public final class OfferTraffic {
  private static final double[][] OFFERS = {
    {0.6, 0.25, 0.15}, {0.2, 0.7, 0.1}, {0.2, 0.2, 0.6}, {0.85, 0.1, 0.05}, {0.1, 0.1, 0.8}
  };
  private static final double[] BOUGHT_APP = {0.1, 0.35, 0.5};
  private static final double[] BOUGHT_WEB = {0.05, 0.3, 0.75};
  private static final List<String> LEVELS = List.of("none", "small", "big");
  private static final long WINDOW = 60_000;

  /** Something that is sent to the job. */
  public sealed interface Sent {
    long time();
  }

  /** A visitor. */
  public record Visit(long time, ContextEvent event) implements Sent {}

  /** What a visitor did. */
  public record Outcome(long time, RewardEvent event) implements Sent {}

  private final SplittableRandom random;
  private final String segment;
  private final Map<String, Boolean> isApp = new TreeMap<>();
  private final PriorityQueue<Sent> queue =
      new PriorityQueue<>(Comparator.comparingLong(Sent::time));
  private long offset;
  private int visitors;

  public OfferTraffic(long seed, String segment) {
    random = new SplittableRandom(seed);
    this.segment = segment;
  }

  /** Returns the text of the spec. */
  public static String spec() {
    try (InputStream in = OfferTraffic.class.getResourceAsStream("best-offer.yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets a visitor come, and returns all that is sent until then. */
  public List<Sent> visit(long time) {
    boolean isYoung = random.nextDouble() < 0.55;
    boolean app = random.nextDouble() < (isYoung ? 0.7 : 0.4);
    String id = segment + "-" + visitors++;
    Map<String, Object> person = new TreeMap<>();
    person.put("channel", app ? "app" : "web");
    if (random.nextInt(40) > 0) {
      person.put("age", isYoung ? "young" : "old");
    }
    isApp.put(id, app);
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    Origin origin = new Origin("contexts", 0, offset++, time);
    ContextEvent event = new ContextEvent(id, segment, time, person, null, null, origin, bytes);
    queue.add(new Visit(time, event));
    if (random.nextInt(20) == 0) {
      queue.add(new Visit(time + random.nextInt(5_000), event));
    }
    return until(time);
  }

  /** Returns all that is sent up to a time. */
  public List<Sent> until(long time) {
    List<Sent> sent = new ArrayList<>();
    while (!queue.isEmpty() && queue.element().time() <= time) {
      sent.add(queue.remove());
    }
    return sent;
  }

  /** Shows a visitor an offer as the arm says; what follows is sent in time. */
  public void show(Decision decision) {
    boolean app = Boolean.TRUE.equals(isApp.get(decision.decisionId()));
    int row =
        switch (String.valueOf(decision.arm())) {
          case "as-is" -> 0;
          case "small-offers" -> 1;
          case "big-offers" -> 2;
          default -> app ? 3 : 4;
        };
    double u = random.nextDouble();
    int offer = u < OFFERS[row][0] ? 0 : u < OFFERS[row][0] + OFFERS[row][1] ? 1 : 2;
    boolean isBought = random.nextDouble() < (app ? BOUGHT_APP : BOUGHT_WEB)[offer];
    int fate = random.nextInt(20);
    if (!isBought && fate < 12) {
      return; // most of those who buy nothing say nothing
    }
    long delay = fate == 13 ? WINDOW + 1_000 + random.nextInt(20_000) : random.nextInt(50_000);
    long time = decision.eventTime() + delay;
    RewardEvent event = reward(decision.decisionId(), time, isBought ? 1 : 0, LEVELS.get(offer));
    queue.add(new Outcome(time, event));
    if (fate == 14) {
      queue.add(new Outcome(time + random.nextInt(20_000), event));
    }
  }

  private RewardEvent reward(String id, long time, double value, String offer) {
    return new RewardEvent(
        id,
        null,
        segment,
        time,
        value,
        Map.of("offer", offer),
        null,
        new Origin("rewards", 0, offset++, time),
        id.getBytes(StandardCharsets.UTF_8));
  }
}
