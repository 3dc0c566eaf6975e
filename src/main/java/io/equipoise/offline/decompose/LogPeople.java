package io.equipoise.offline.decompose;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.offline.count.CountLayout;
import io.equipoise.offline.count.CountedVariable;
import io.equipoise.offline.count.Counts;
import io.equipoise.policy.split.SplitLevels;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the variables by which a spec's log is counted: those that the live split would match
 * (docs/math/effect-split.md#live), the attribute, and the reward. Immutable.
 */
final class LogPeople {
  private final SegmentSpec spec;
  private final SpecVariable attribute;
  private final List<Level> levels;
  private final List<CountedVariable> counted = new ArrayList<>();
  private final List<Integer> disclosed = new ArrayList<>();

  private LogPeople(SegmentSpec spec, SpecVariable attribute) {
    this.spec = spec;
    this.attribute = attribute;
    levels = SplitLevels.of(spec, spec.variables().features().indexOf(attribute)).matched();
    levels.forEach(it -> it.variables().forEach(name -> count(spec.variables().named(name))));
    count(attribute);
  }

  private void count(SpecVariable variable) {
    counted.add(CountedVariable.of(variable).orMissing());
    disclosed.add(variable.disclosedLevels());
  }

  /**
   * Reads a spec.
   *
   * @param name the attribute; null for the only one
   * @throws io.equipoise.segmentspec.SpecException if the graph does not identify the parts
   * @throws DistributionException if the attribute or the reward does not suit
   */
  static LogPeople of(SegmentSpec spec, @Nullable String name) {
    List<SpecVariable> sensitive =
        spec.variables().sensitive().stream().map(spec.variables().features()::get).toList();
    List<SpecVariable> asked =
        sensitive.stream().filter(it -> name == null || it.name().equals(name)).toList();
    if (asked.size() != 1) {
      throw new DistributionException(
          "name one sensitive variable of the spec in --attribute: "
              + sensitive.stream().map(SpecVariable::name).toList());
    }
    if (!spec.reward().bounded()) {
      throw new DistributionException(
          "the spec's reward.range does not limit single rewards (bounded: false), so their gap has"
              + " no interval");
    }
    return new LogPeople(spec, asked.get(0));
  }

  String attribute() {
    return attribute.name();
  }

  List<Level> levels() {
    return levels;
  }

  CountLayout layout() {
    NumberRange range = spec.reward().range();
    String reward = spec.variables().reward().name();
    List<CountedVariable> all = new ArrayList<>(counted);
    all.add(CountedVariable.binary(reward, range.low(), range.high()));
    return CountLayout.of(all, List.of(all.stream().map(CountedVariable::name).toList()), null)
        .withMean(reward);
  }

  PeopleTable table(Counts counts) {
    return PeopleTable.of(counts, disclosed, spec.reward().range());
  }
}
