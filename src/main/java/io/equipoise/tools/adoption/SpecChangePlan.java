package io.equipoise.tools.adoption;

import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecSelection;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import io.equipoise.watch.WatchRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the effect of a change of the specs topic on the active segments.
 *
 * @param moves one for each pair of specs that segments leave and enter
 */
public record SpecChangePlan(List<Move> moves) {
  private static final int MOST_NAMED = 10;

  /** Copies the list. */
  public SpecChangePlan {
    moves = List.copyOf(moves);
  }

  /**
   * Segments that go from one spec to another.
   *
   * @param from the running spec, null if its text is not on the topic or no segment runs it
   * @param to the spec that takes over, null if none does
   * @param segments active segments, sorted; empty for what future segments meet
   */
  public record Move(
      @Nullable SegmentSpec from,
      @Nullable SegmentSpec to,
      SpecEffect effect,
      List<String> segments) {
    /** Copies the list. */
    public Move {
      segments = List.copyOf(segments);
    }

    /** Returns one line for people. */
    public String line() {
      String change =
          to == null ? named(from) : from == null ? named(to) : named(from) + " -> " + named(to);
      String who = segments.isEmpty() ? "no active segment" : names(segments);
      return "%s: %s [%s]".formatted(change, effect.line(), who);
    }

    public Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("from", from == null ? null : from.key());
      json.put("to", to == null ? null : to.key());
      json.putAll(effect.json());
      json.put("segments", segments);
      return json;
    }
  }

  /**
   * Compares the specs that segments run with those that would cover them.
   *
   * @param history the topic before the change
   * @param added specs to publish
   * @param retired specs to retire
   * @param running hash of the spec of each active segment
   */
  public static SpecChangePlan of(
      SpecHistory history,
      List<CompiledSpec> added,
      Set<SegmentSpec> retired,
      Map<String, String> running) {
    Map<String, CompiledSpec> byHash = new HashMap<>();
    history.all().forEach(it -> byHash.put(it.spec().hash(), it.compiled()));
    added.forEach(it -> byHash.put(it.spec().hash(), it));
    List<SegmentSpec> active = new ArrayList<>(added.stream().map(CompiledSpec::spec).toList());
    history.all().stream()
        .filter(it -> !it.isRetired() && !retired.contains(it.spec()))
        .forEach(it -> active.add(it.spec()));
    List<SegmentSpec> after = SpecSelection.newest(active);
    Map<List<@Nullable String>, List<String>> segments = new LinkedHashMap<>();
    running.forEach(
        (segment, hash) -> {
          CompiledSpec runs = byHash.get(hash);
          SegmentSpec now = runs == null ? null : runs.spec();
          SegmentSpec next = SpecSelection.select(after, segment).orElse(null);
          boolean isReplaced = now != null && (retired.contains(now) || isNamed(added, now));
          if (next == null ? isReplaced : isReplaced || isAdded(added, next)) {
            List<@Nullable String> pair = new ArrayList<>();
            pair.add(hash);
            pair.add(next == null ? null : next.hash());
            segments.computeIfAbsent(pair, any -> new ArrayList<>()).add(segment);
          }
        });
    List<Move> moves = new ArrayList<>();
    segments.forEach(
        (pair, names) -> moves.add(move(byHash.get(pair.get(0)), byHash.get(pair.get(1)), names)));
    for (CompiledSpec next : added) {
      if (moves.stream().noneMatch(it -> next.spec().equals(it.to()))) {
        CompiledSpec before = history.inForce(next.spec().name()).orElse(null);
        moves.add(
            before == null
                ? new Move(null, next.spec(), SpecEffect.first(), List.of())
                : move(before, next, List.of()));
      }
    }
    return new SpecChangePlan(moves);
  }

  private static boolean isNamed(List<CompiledSpec> added, SegmentSpec spec) {
    return added.stream().anyMatch(it -> it.spec().name().equals(spec.name()));
  }

  private static boolean isAdded(List<CompiledSpec> added, SegmentSpec spec) {
    return added.stream().anyMatch(it -> it.spec().equals(spec));
  }

  private static Move move(
      @Nullable CompiledSpec from, @Nullable CompiledSpec to, List<String> segments) {
    SpecEffect effect =
        to == null
            ? SpecEffect.of(EffectOfChange.UNCOVERED)
            : from == null ? SpecEffect.of(EffectOfChange.UNKNOWN) : UpgradePreview.of(from, to);
    return new Move(
        from == null ? null : from.spec(), to == null ? null : to.spec(), effect, segments);
  }

  /** Returns the hash of the spec that each active segment is to adopt. */
  public Map<String, String> expected() {
    Map<String, String> expected = new LinkedHashMap<>();
    for (Move move : moves) {
      SegmentSpec to = move.to();
      if (to != null) {
        move.segments().forEach(segment -> expected.put(segment, to.hash()));
      }
    }
    return expected;
  }

  /** Returns the moves that active segments reject. */
  public List<Move> rejected() {
    return moves.stream()
        .filter(move -> move.effect().kind() == EffectOfChange.REJECTED)
        .filter(move -> !move.segments().isEmpty())
        .toList();
  }

  /** Returns the effect on an active segment, null if it keeps its spec. */
  public @Nullable SpecEffect effect(String segment) {
    return moves.stream()
        .filter(move -> move.segments().contains(segment))
        .map(Move::effect)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the effect on an active segment that is to adopt a text.
   *
   * @param wanted the segment that the text is for
   * @throws io.equipoise.watch.WatchRefusedException if the segment would adopt another spec, or
   *     reject the text
   */
  public SpecEffect adoption(String segment, SegmentSpec text, String wanted) {
    SpecEffect effect = effect(segment);
    if (effect == null || !text.hash().equals(expected().get(segment))) {
      throw WatchRefusal.NOT_SELECTED.because(
          "segment %s would adopt another spec than %s; give it `segments: {exact: [%s]}` and a name of its own that comes before that spec's in the alphabet"
              .formatted(segment, text.name(), wanted));
    }
    WatchRefusal.WOULD_BE_REJECTED.refuseIf(
        effect.kind() == EffectOfChange.REJECTED,
        "segment %s, spec %s: %s".formatted(segment, text.name(), effect.line()));
    return effect;
  }

  /** Returns name and version. */
  public static String named(@Nullable SegmentSpec spec) {
    return spec == null ? "unknown spec" : spec.name() + " version " + spec.version();
  }

  /** Returns names for people, at most ten. */
  public static String names(List<String> segments) {
    String names = String.join(", ", segments.subList(0, Math.min(MOST_NAMED, segments.size())));
    return segments.size() <= MOST_NAMED
        ? names
        : names + " and " + (segments.size() - MOST_NAMED) + " more";
  }
}
