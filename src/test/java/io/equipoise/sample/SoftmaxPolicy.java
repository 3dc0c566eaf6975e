package io.equipoise.sample;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.Sha256;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.sample.SoftmaxFamily.SoftmaxSpec;
import io.equipoise.segmentspec.Arm;
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
      ModelState modelState, Request request, long t, SeededRandom random, ClippedIndex clip) {
    int[] person = request.person().levels();
    MeansBlock means = means(modelState, person);
    double[] shares = softmax(means);
    double left = random.uniform(SeededRandom.Purpose.EXPLORE);
    int arm = 0;
    while (arm < shares.length - 1 && left >= shares[arm]) {
      left -= shares[arm++];
    }
    double mean = means.mean(arm);
    boolean isBest = IntStream.range(0, arms()).allMatch(other -> means.mean(other) <= mean);
    Choice choice =
        new Choice(
            arm,
            isBest ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE,
            mean,
            mean,
            0,
            PropensityKind.EXACT,
            shares,
            false,
            -1,
            null,
            false);
    return audited(choice, person);
  }

  /** The choice changes no state, so it is applied again by auditing it. */
  @Override
  public AuditedChoice reapply(
      ModelState modelState,
      Request request,
      PublishedChoice published,
      long t,
      SeededRandom random,
      ClippedIndex clip) {
    return audited(published.choice(), request.person().levels());
  }

  /** Softmax knows no effects: it reports every one as not identified. */
  private AuditedChoice audited(Choice choice, int[] person) {
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
    return new AuditedChoice(choice.certifiedBy(findings), findings);
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
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    return List.of();
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
