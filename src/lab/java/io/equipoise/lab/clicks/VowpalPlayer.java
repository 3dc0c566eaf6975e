package io.equipoise.lab.clicks;

import io.equipoise.policy.features.Entries;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.LinearSpec;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.simulation.SplitMix;
import io.equipoise.tools.simulate.Person;
import java.util.List;

/**
 * Plays Vowpal Wabbit on the features of a spec: the numbers that a policy of this project sees of
 * a person and an arm. Draws an arm by its probabilities and learns the cost of a click. The text
 * lines are written before the clock starts.
 */
public final class VowpalPlayer implements ClickPlayer<VowpalPlayer.Remembered>, AutoCloseable {
  private final Vowpal vowpal;
  private final double missCost;
  private final SplitMix draws;
  private final ContextEncoder people;
  private final FeatureEncoder features;
  private final List<Profile> arms;
  private final Entries entries = new Entries();
  private String[] lines = {};

  /**
   * Starts without observations; equal seeds give equal choices.
   *
   * @param arguments of Vowpal Wabbit
   * @param missCost cost of a decision without a click; a click costs 1 less. Unseen arms cost 0,
   *     so 1 is optimistic
   * @param spec of a linear policy
   */
  public VowpalPlayer(
      ClassLoader loader, String arguments, double missCost, SegmentSpec spec, long seed) {
    vowpal = new Vowpal(loader, arguments + " --random_seed " + seed);
    this.missCost = missCost;
    draws = new SplitMix(seed);
    people = new ContextEncoder(spec);
    features =
        new FeatureEncoder(
            LinearSpec.of(spec).features(),
            spec.variables().features(),
            spec.variables().actions());
    arms = spec.arms().list().stream().map(Profile::ofArm).toList();
  }

  /**
   * Keeps a decision that waits for its reward.
   *
   * @param lines of the request
   * @param place of the chosen arm among them
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Remembered(String[] lines, int place, float probability) {}

  @Override
  public void prepare(Person person, int[] offered) {
    Encoded encoded = people.encode(person.attributes());
    Profile profile = new Profile(encoded.levels(), encoded.numbers());
    lines = new String[offered.length];
    for (int place = 0; place < offered.length; place++) {
      features.encode(profile, arms.get(offered[place]), entries);
      StringBuilder line = new StringBuilder("|x");
      for (int k = 0; k < entries.count(); k++) {
        line.append(" f").append(entries.place(k));
        if (entries.value(k) != 1) {
          line.append(':').append((float) entries.value(k));
        }
      }
      lines[place] = line.toString();
    }
  }

  @Override
  public Played<Remembered> choose(int round, Person person, int[] offered) {
    float[] probabilities = vowpal.probabilities(lines, offered.length);
    double rest = draws.nextDouble();
    int chosen = 0;
    while (chosen < probabilities.length - 1 && rest >= probabilities[chosen]) {
      rest -= probabilities[chosen++];
    }
    return new Played<>(
        offered[chosen], false, new Remembered(lines, chosen, probabilities[chosen]));
  }

  @Override
  public void learn(Remembered decision, double reward) {
    String[] labelled = decision.lines().clone();
    int place = decision.place();
    labelled[place] =
        "0:" + (missCost - reward) + ":" + decision.probability() + " " + labelled[place];
    vowpal.learn(labelled);
  }

  @Override
  public void close() {
    vowpal.close();
  }
}
