package io.equipoise.policy.split;

import io.equipoise.event.GapSplit;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The splits of all sensitive attributes of a spec; none without {@code fairness.split}. */
public final class LiveSplits {
  private static final int MOST_PAIRS = 32;
  private static final long MANY_STRATA = 2_000;

  private final List<GapSums> splits = new ArrayList<>();
  private final double delta;

  private LiveSplits(SegmentSpec spec, List<SplitLevels> levels, int pairs) {
    delta = spec.fairness().delta();
    for (SplitLevels one : levels) {
      splits.add(new GapSums(spec, one, splits.size(), pairs));
    }
  }

  /**
   * Reads a spec.
   *
   * @throws SpecException if the graph does not identify the parts, or there are too many strata or
   *     pairs
   */
  public static LiveSplits of(SegmentSpec spec) {
    List<String> variables = spec.fairness().split();
    List<SplitLevels> levels = new ArrayList<>();
    List<SpecFault> faults = new ArrayList<>();
    int pairs = 0;
    if (variables != null) {
      for (int place : spec.variables().sensitive()) {
        levels.add(new SplitLevels(spec, variables, place, faults));
        pairs += spec.variables().features().get(place).disclosedLevels() - 1;
      }
      if (pairs > MOST_PAIRS) {
        faults.add(
            new SpecFault(
                "fairness.split",
                pairs + " pairs of levels",
                "at most " + MOST_PAIRS + ": fewer sensitive attributes or levels"));
      }
    }
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return new LiveSplits(spec, levels, pairs);
  }

  /** Counts a learned reward; {@code seq} is that of the segment's last record. */
  public void observe(ModelState state, Experience experience, long seq) {
    for (GapSums split : splits) {
      split.observe(state, experience, seq);
    }
  }

  /** Returns the splits of all pairs whose groups both have a reward. */
  public List<GapSplit> report(ModelState state) {
    List<GapSplit> all = new ArrayList<>();
    splits.forEach(split -> all.addAll(split.report(state)));
    return all;
  }

  public boolean isAny() {
    return !splits.isEmpty();
  }

  /** Drops what was counted of splits with another meaning. */
  public void succeed(ModelState state) {
    List<Long> others = new ArrayList<>();
    for (Map.Entry<Long, StateBlock> entry : state.entries()) {
      if (entry.getValue() instanceof SplitBlock block
          && splits.stream().noneMatch(it -> it.isOf(block))) {
        others.add(entry.getKey());
      }
    }
    others.forEach(state::remove);
  }

  /** Describes the splits for people, one line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (GapSums split : splits) {
      SplitLevels levels = split.levels();
      List<String> parts =
          levels.levels().stream().map(it -> it.name() + " " + it.strata()).toList();
      lines.add(
          "split %s: %s strata; delta %s once more over %d sums%s"
              .formatted(
                  levels.attribute().name(),
                  String.join(", +", parts),
                  delta,
                  split.sums() * (levels.attribute().disclosedLevels() - 1),
                  levels.strata() > MANY_STRATA
                      ? "; with so many strata many people may have no counterpart"
                      : ""));
    }
    return lines;
  }
}
