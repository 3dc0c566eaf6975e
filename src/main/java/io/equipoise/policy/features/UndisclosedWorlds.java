package io.equipoise.policy.features;

import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Lists the pairs of worlds that a comparison runs over where a person does not disclose something:
 * one pair for each joint value of what is undisclosed and bears on the effect, the same value in
 * both worlds. The person's effect is an average of theirs. Immutable.
 *
 * <p>A number that is undisclosed has no finite list of values. Where one bears on an effect the
 * list is empty, as it is where it would be longer than {@value #MAX_WORLDS}: nothing is known of
 * the effect then.
 */
public final class UndisclosedWorlds {
  private static final int MAX_WORLDS = 64;
  private static final int MOST_OF_ANYONE = 4096;

  private final List<SpecVariable> people;
  private final BitSet shown = new BitSet();
  private final BitSet numbers = new BitSet();
  private final BitSet[] partners;

  private UndisclosedWorlds(SegmentSpec spec, FeatureMap features, boolean isAdditive) {
    people = spec.variables().features();
    partners = new BitSet[people.size()];
    for (int place = 0; place < partners.length; place++) {
      partners[place] = new BitSet();
    }
    for (FeatureTerm term : features.terms()) {
      FeatureMap one = new FeatureMap(List.of(term));
      BitSet together = new BitSet();
      for (int place = 0; place < partners.length; place++) {
        together.set(place, one.variables().contains(people.get(place).name()));
      }
      together.stream().forEach(place -> partners[place].or(together));
      shown.or(together);
      numbers(term);
    }
    if (!isAdditive) {
      for (BitSet partner : partners) {
        partner.or(shown);
      }
    }
  }

  /** Returns the worlds of a linear model, whose effects depend on what is multiplied alone. */
  public static UndisclosedWorlds ofLinear(SegmentSpec spec, FeatureMap features) {
    return new UndisclosedWorlds(spec, features, true);
  }

  /** Returns the worlds of a model whose effects depend on all features. */
  public static UndisclosedWorlds ofNonlinear(SegmentSpec spec, FeatureMap features) {
    return new UndisclosedWorlds(spec, features, false);
  }

  private void numbers(FeatureTerm term) {
    if (term instanceof FeatureTerm.Numeric number) {
      for (int place = 0; place < partners.length; place++) {
        if (people.get(place).name().equals(number.variable())) {
          numbers.set(place);
        }
      }
    } else if (term instanceof FeatureTerm.Product product) {
      numbers(product.left());
      numbers(product.right());
    }
  }

  /** Pairs a person in the world that is compared with the same in the other one. */
  public record Worlds(Profile factual, Profile other) {}

  /** Returns whether some people may leave out something that the features show. */
  public boolean mayBeIncomplete() {
    return shown.stream().anyMatch(place -> people.get(place).undisclosed() >= 0);
  }

  /** Returns whether a person discloses all that the features show. */
  public boolean isComplete(int[] levels) {
    for (int place = shown.nextSetBit(0); place >= 0; place = shown.nextSetBit(place + 1)) {
      if (isUndisclosed(levels, place)) {
        return false;
      }
    }
    return true;
  }

  private boolean isUndisclosed(int[] levels, int place) {
    return levels[place] == people.get(place).undisclosed();
  }

  /** Returns what bears on an effect and does not change. */
  private BitSet open(Pair pair) {
    BitSet open = new BitSet();
    pair.changed().forEach(place -> open.or(partners[place]));
    pair.changed().forEach(open::clear);
    open.and(shown);
    return open;
  }

  /** Returns the pairs of worlds; none where the effect cannot be bounded. */
  public List<Worlds> of(Profile person, Pair pair) {
    Worlds known = new Worlds(pair.factualOf(person), pair.counterfactualOf(person));
    BitSet open = open(pair);
    for (int place = open.nextSetBit(0); place >= 0; place = open.nextSetBit(place + 1)) {
      open.set(place, isUndisclosed(person.levels(), place));
    }
    List<Worlds> worlds = List.of(known);
    for (int place = open.nextSetBit(0); place >= 0; place = open.nextSetBit(place + 1)) {
      int levels = people.get(place).disclosedLevels();
      if (numbers.get(place) || (long) worlds.size() * levels > MAX_WORLDS) {
        return List.of();
      }
      worlds = completed(worlds, place, levels);
    }
    return worlds;
  }

  /**
   * Returns the pairs of worlds of all people that an effect may differ for, each at the first
   * level of what does not bear on it; none where a number does, or where there are more than
   * {@value #MOST_OF_ANYONE}.
   */
  public List<Worlds> ofAnyone(Pair pair) {
    int count = (int) people.stream().filter(SpecVariable::isNumeric).count();
    Profile person = new Profile(new int[people.size()], new double[count]);
    List<Worlds> worlds =
        List.of(new Worlds(pair.factualOf(person), pair.counterfactualOf(person)));
    BitSet open = open(pair);
    for (int place = open.nextSetBit(0); place >= 0; place = open.nextSetBit(place + 1)) {
      int levels = people.get(place).disclosedLevels();
      if (numbers.get(place) || (long) worlds.size() * levels > MOST_OF_ANYONE) {
        return List.of();
      }
      worlds = completed(worlds, place, levels);
    }
    return worlds;
  }

  private static List<Worlds> completed(List<Worlds> worlds, int place, int levels) {
    List<Worlds> more = new ArrayList<>();
    for (Worlds of : worlds) {
      for (int level = 0; level < levels; level++) {
        more.add(new Worlds(of.factual().with(place, level), of.other().with(place, level)));
      }
    }
    return more;
  }
}
