package io.equipoise.state;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.RewardEvent;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.RewardAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes random events and entries; equal seeds, equal values. */
final class RandomValues {
  private static final double[] CORNERS = {
    0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -Double.MAX_VALUE
  };
  private static final String[] TEXTS = {"", "a", "de-mobile", "na\u00efve", "\uD83D\uDE00", "\0"};

  private final SplittableRandom random;

  RandomValues(SplittableRandom random) {
    this.random = random;
  }

  Entry entry() {
    return switch (random.nextInt(3)) {
      case 0 -> early();
      case 1 -> awaiting();
      default ->
          new Entry.DedupEntry(
              number(),
              number(),
              pick(Entry.Resolution.values()),
              number(),
              random.nextInt(100) - 1,
              seen());
    };
  }

  private Entry early() {
    List<RewardEvent> held = new ArrayList<>();
    while (random.nextInt(3) > 0) {
      held.add(reward());
    }
    return new Entry.EarlyRewards(number(), number(), held);
  }

  private Entry awaiting() {
    RewardAggregate rewardAggregate =
        random.nextBoolean()
            ? null
            : new RewardAggregate(
                random.nextInt(1, 100), real(), real(), real(), number(), real(), levels());
    int arm = random.nextInt(100);
    return new Entry.PendingDecision(
        number(),
        number(),
        number(),
        number(),
        number(),
        arm,
        rewardAggregate == null ? arm : random.nextInt(100),
        random.nextInt(100),
        real(),
        propensities(),
        levels(),
        random.nextBoolean() ? new double[0] : new double[] {real(), real(), real()},
        seen(),
        rewardAggregate);
  }

  private PendingPropensities propensities() {
    PropensityKind kind = pick(PropensityKind.values());
    return switch (random.nextInt(3)) {
      case 0 -> PendingPropensities.SURE;
      case 1 ->
          new PendingPropensities(
              kind, random.nextInt(100), new double[] {real(), real()}, runs(0));
      default ->
          new PendingPropensities(
              kind, random.nextInt(100), new double[] {real(), real()}, runs(2));
    };
  }

  private int[] runs(int count) {
    return random.ints(count, 1, 1000).toArray();
  }

  private List<Entry.RewardFingerprint> seen() {
    List<Entry.RewardFingerprint> seen = new ArrayList<>();
    while (random.nextInt(3) > 0) {
      seen.add(new Entry.RewardFingerprint(number(), number()));
    }
    return seen;
  }

  Input input() {
    return random.nextBoolean() ? reward() : context();
  }

  RewardEvent reward() {
    return new RewardEvent(
        text(),
        nullable(text()),
        text(),
        number(),
        real(),
        attributes(),
        nullable(text()),
        origin(),
        bytes(),
        fault(),
        nullable(bytes()));
  }

  ContextEvent context() {
    List<CandidateArm> candidates = new ArrayList<>();
    while (random.nextInt(3) > 0) {
      candidates.add(new CandidateArm(text(), attributes()));
    }
    return new ContextEvent(
        text(),
        text(),
        number(),
        attributes(),
        nullable(candidates),
        nullable(number()),
        origin(),
        bytes(),
        fault(),
        nullable(bytes()));
  }

  private @Nullable InputFault fault() {
    return nullable(
        new InputFault(
            pick(ErrorCode.values()),
            text(),
            List.of(text(), text()),
            nullable(random.nextInt(1 << 20))));
  }

  private Origin origin() {
    return new Origin(text(), random.nextInt(64), number(), number());
  }

  private Map<String, Object> attributes() {
    Map<String, Object> attributes = new TreeMap<>();
    while (random.nextInt(3) > 0) {
      attributes.put(
          text(),
          switch (random.nextInt(4)) {
            case 0 -> text();
            case 1 -> number();
            case 2 -> real();
            default -> random.nextBoolean();
          });
    }
    return attributes;
  }

  private <T> @Nullable T nullable(T value) {
    return random.nextInt(3) == 0 ? null : value;
  }

  <E> E pick(E[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  int[] levels() {
    return random.ints(random.nextInt(6), -1, 10).toArray();
  }

  byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  String text() {
    StringBuilder text = new StringBuilder(TEXTS[random.nextInt(TEXTS.length)]);
    while (random.nextInt(3) > 0) {
      text.append(TEXTS[random.nextInt(TEXTS.length)]);
    }
    return text.toString();
  }

  long number() {
    return random.nextLong() >> random.nextInt(Long.SIZE);
  }

  double real() {
    return random.nextInt(8) == 0
        ? CORNERS[random.nextInt(CORNERS.length)]
        : random.nextDouble() * 200 - 100;
  }
}
