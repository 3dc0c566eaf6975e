package io.equipoise.sample;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Sha256;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.sample.SoftmaxFamily.SoftmaxSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Softmax over the mean rewards of cells. A cell is one combination of the person's levels. */
final class SoftmaxPolicy implements Policy {
  private final SegmentSpec spec;
  private final double temperature;
  private final List<SpecVariable> features;

  SoftmaxPolicy(SegmentSpec spec, SoftmaxSpec settings) {
    this.spec = spec;
    this.temperature = settings.temperature();
    this.features = spec.variables().features();
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }

  int arms() {
    return spec.arms().size();
  }

  private static int levels(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }

  long cells() {
    return features.stream().mapToLong(SoftmaxPolicy::levels).reduce(1, (a, b) -> a * b);
  }

  private long cell(int[] person) {
    long cell = 0;
    for (int place = 0; place < person.length; place++) {
      cell = cell * levels(features.get(place)) + person[place];
    }
    return cell;
  }

  private MeansBlock means(ModelState modelState, int[] person) {
    return modelState.get(cell(person)) instanceof MeansBlock means
        ? means
        : new MeansBlock(arms());
  }

  /** Returns the probability of each arm. */
  private double[] softmax(MeansBlock means) {
    double greatest = IntStream.range(0, arms()).mapToDouble(means::mean).max().orElseThrow();
    double[] shares = new double[arms()];
    double sum = 0;
    for (int arm = 0; arm < shares.length; arm++) {
      shares[arm] = StrictMath.exp((means.mean(arm) - greatest) / temperature);
      sum += shares[arm];
    }
    for (int arm = 0; arm < shares.length; arm++) {
      shares[arm] /= sum;
    }
    return shares;
  }

  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom random,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    return new SoftmaxRound(modelState, request.person().levels())
        .decide(ExploreSpec.NEVER, random, given);
  }

  /** One decision. It changes no state, so a published choice is only audited again. */
  private final class SoftmaxRound extends DecisionRound<Void> {
    private final int[] person;
    private final MeansBlock means;

    SoftmaxRound(ModelState modelState, int[] person) {
      this.person = person;
      means = means(modelState, person);
      begin(arms());
      kind = PropensityKind.EXACT;
    }

    @Override
    protected void score() {
      for (int arm = 0; arm < size; arm++) {
        mean[arm] = means.mean(arm);
        score[arm] = mean[arm];
      }
    }

    @Override
    protected void pick(SeededRandom random) {
      propensity = softmax(means);
      double left = random.uniform(SeededRandom.Purpose.EXPLORE);
      chosen = 0;
      while (chosen < size - 1 && left >= propensity[chosen]) {
        left -= propensity[chosen++];
      }
      explain();
    }

    @Override
    protected List<AuditFinding> audit(int arm) {
      return findings(person);
    }
  }

  /** Softmax knows no effects: it reports every one as not identified. */
  private List<AuditFinding> findings(int[] person) {
    List<AuditFinding> findings = new ArrayList<>();
    double span = spec.reward().range().high() - spec.reward().range().low();
    for (int place : spec.variables().sensitive()) {
      int disclosed = features.get(place).disclosedLevels();
      for (int factual = 0; factual < disclosed; factual++) {
        for (int other = 0; other < disclosed; other++) {
          boolean isPossible = person[place] == factual || person[place] >= disclosed;
          if (isPossible && other != factual) {
            EffectFinding effect =
                EffectFinding.notIdentified(place, factual, other, AuditEffectKind.TOTAL, span);
            findings.add(AuditFinding.of(effect, spec.fairness().tau(), AuditGuarantee.NONE));
          }
        }
      }
    }
    return findings;
  }

  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    MeansBlock means = means(modelState, experience.person());
    means.add(experience.arm(), experience.reward());
    modelState.put(cell(experience.person()), means);
  }

  @Override
  public List<Refutation> refuted(
      ModelState modelState, Request request, long t, CausalBoundTable bounds, BitSet known) {
    return List.of();
  }

  /** Cells and arms give the statistics their meaning; the temperature does not. */
  @Override
  public String fingerprint() {
    StringBuilder meaning = new StringBuilder(spec.rewardMeaning());
    for (SpecVariable feature : features) {
      meaning.append('\n').append(feature.name()).append(' ').append(feature.levels());
    }
    for (Arm arm : spec.arms().list()) {
      meaning.append('\n').append(arm.id());
    }
    return Sha256.hex(meaning.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public double modelBytes() {
    return (double) cells() * (Long.BYTES + new MeansBlock(arms()).byteLength());
  }

  @Override
  public List<String> warnings() {
    return List.of(SoftmaxFamily.SOFTMAX.wire() + " is a sample and certifies nothing");
  }
}
