package io.equipoise.policy.logistic;

import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.features.Entries;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.SeenAttributes;
import io.equipoise.policy.features.SensitivePairs;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.policy.features.UndisclosedWorlds.Worlds;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of a segment into those of a logistic policy: every vector has length 1, each
 * by its own norm, but for a zero vector, which stays one. One constraint a sensitive attribute, in
 * the order of the features, then one a set of attributes that are changed together.
 *
 * <p>A function of its arguments. It keeps answers for people who come again, up to a bound, and is
 * safe for use by many threads.
 */
final class RequestEncoder {
  /** The features that kept answers have, about: 8 MB of them. */
  private static final long KEPT_FEATURES = 1 << 20;

  private static final int MOST_KEPT = 256;

  /**
   * Slots in which an answer may be: people whose hashes meet do not displace each other at once.
   */
  private static final int WAYS = 8;

  /** Makes near hashes far. */
  private static final int SPREAD = 0x9E3779B9;

  private final FeatureEncoder encoder;
  private final SensitivePairs pairs;
  private final SeenAttributes seen;
  private final UndisclosedWorlds undisclosed;
  private final @Nullable EncodedRequest[] kept;

  RequestEncoder(
      FeatureEncoder encoder,
      SeenAttributes seen,
      UndisclosedWorlds undisclosed,
      SegmentSpec spec) {
    this.encoder = encoder;
    this.seen = seen;
    this.undisclosed = undisclosed;
    pairs = new SensitivePairs(spec);
    long vectors = (1 + 2L * pairs.ofAnyone().size()) * Math.max(1, spec.arms().size());
    long fitting = KEPT_FEATURES / (vectors * Math.max(1, encoder.dimension()));
    kept =
        new EncodedRequest[Integer.highestOneBit((int) Math.max(1, Math.min(MOST_KEPT, fitting)))];
  }

  private record EncodedRequest(Request request, LogisticRequest encoded) {
    boolean isOf(Request asked) {
      List<Candidate> candidates = request.candidates();
      boolean isSame =
          Arrays.equals(request.person().levels(), asked.person().levels())
              && Arrays.equals(request.person().numbers(), asked.person().numbers())
              && candidates.size() == asked.candidates().size();
      for (int place = 0; isSame && place < candidates.size(); place++) {
        isSame = isSameArm(candidates.get(place).arm(), asked.candidates().get(place).arm());
      }
      return isSame;
    }

    @SuppressWarnings("ReferenceEquality") // the arms of one spec are the same objects
    private static boolean isSameArm(Profile one, Profile other) {
      return one == other;
    }
  }

  /**
   * Encodes a request.
   *
   * @throws UnusableRequestException if an arm has features that are not finite
   */
  LogisticRequest encode(Request request) {
    if (!request.isSpecArms()) {
      return encoded(request); // its candidates do not come again
    }
    Profile person = request.person();
    int hash = (31 * Arrays.hashCode(person.levels()) + Arrays.hashCode(person.numbers())) * SPREAD;
    int slot = (hash >>> (Integer.SIZE / 2)) & (kept.length - 1);
    int ways = Math.min(WAYS, kept.length);
    int free = slot;
    for (int way = ways - 1; way >= 0; way--) {
      EncodedRequest known = kept[slot ^ way];
      if (known == null) {
        free = slot ^ way;
      } else if (known.isOf(request)) {
        return known.encoded();
      }
    }
    Profile own = new Profile(person.levels().clone(), person.numbers().clone());
    Request copy = new Request(own, request.candidates(), request.isSpecArms(), request.known());
    EncodedRequest answer = new EncodedRequest(copy, encoded(copy));
    kept[free] = answer;
    return answer.encoded();
  }

  private LogisticRequest encoded(Request request) {
    Profile person = request.person();
    List<Pair> all = pairs.of(person.levels());
    List<List<EncodedComparison>> comparisons = new ArrayList<>();
    for (int attribute : pairs.attributes()) {
      List<EncodedComparison> ofAttribute = new ArrayList<>();
      for (Pair pair : all) {
        if (pair.attribute() == attribute) {
          addComparisons(person, pair, ofAttribute);
        }
      }
      comparisons.add(ofAttribute);
    }
    Entries entries = new Entries();
    List<EncodedCandidate> candidates = new ArrayList<>();
    for (Candidate candidate : request.candidates()) {
      candidates.add(candidate(person, candidate, comparisons, entries));
    }
    return new LogisticRequest(
        candidates,
        comparisons.stream().map(this::alternatives).toList(),
        comparisons.stream().map(compared -> worlds(compared, person)).toList());
  }

  /** Two worlds; the factual one is null where it is the person's own. */
  private record EncodedComparison(
      Pair pair, @Nullable Profile factual, Profile counterfactual, boolean isIdentified) {}

  /** Adds one comparison for each value of what is undisclosed; one where there is no bound. */
  private void addComparisons(Profile person, Pair pair, List<EncodedComparison> comparisons) {
    List<Worlds> worlds = undisclosed.of(person, pair);
    if (worlds.isEmpty()) {
      comparisons.add(new EncodedComparison(pair, null, person, false));
    }
    for (Worlds of : worlds) {
      boolean isOwn = Arrays.equals(of.factual().levels(), person.levels());
      comparisons.add(new EncodedComparison(pair, isOwn ? null : of.factual(), of.other(), true));
    }
  }

  private List<Alternative> alternatives(List<EncodedComparison> comparisons) {
    return comparisons.stream()
        .map(
            compared ->
                new Alternative(
                    compared.pair().attribute(),
                    compared.pair().factual(),
                    compared.pair().counterfactual(),
                    isIdentified(compared)))
        .toList();
  }

  private boolean isIdentified(EncodedComparison compared) {
    return compared.isIdentified() && !seen.isHidden(compared.pair());
  }

  private static List<int[]> worlds(List<EncodedComparison> comparisons, Profile person) {
    return comparisons.stream()
        .map(EncodedComparison::factual)
        .map(factual -> factual == null ? person.levels() : factual.levels())
        .toList();
  }

  private EncodedCandidate candidate(
      Profile person,
      Candidate candidate,
      List<List<EncodedComparison>> comparisons,
      Entries entries) {
    double[] x = features(person, candidate, entries);
    double[][][] factuals = new double[comparisons.size()][][];
    double[][][] counterfactuals = new double[comparisons.size()][][];
    boolean[][] isHidden = new boolean[comparisons.size()][];
    for (int constraint = 0; constraint < factuals.length; constraint++) {
      List<EncodedComparison> compared = comparisons.get(constraint);
      factuals[constraint] = new double[compared.size()][];
      counterfactuals[constraint] = new double[compared.size()][];
      isHidden[constraint] = new boolean[compared.size()];
      for (int i = 0; i < compared.size(); i++) {
        EncodedComparison worlds = compared.get(i);
        Profile factual = worlds.factual();
        double[] here = factual == null ? x : features(factual, candidate, entries);
        double[] there = features(worlds.counterfactual(), candidate, entries);
        factuals[constraint][i] = here;
        counterfactuals[constraint][i] = there;
        isHidden[constraint][i] = !isIdentified(worlds);
      }
    }
    return new EncodedCandidate(x, factuals, counterfactuals, isHidden);
  }

  private double[] features(Profile person, Candidate candidate, Entries entries) {
    try {
      return features(person, candidate.arm(), entries);
    } catch (UnusableRequestException e) {
      throw new UnusableRequestException("arm " + candidate.id() + ": " + e.getMessage());
    }
  }

  /**
   * Returns the features of a person and an arm, of length 1 or 0.
   *
   * @throws UnusableRequestException if they are not finite
   */
  double[] features(Profile person, Profile arm) {
    return features(person, arm, new Entries());
  }

  private double[] features(Profile person, Profile arm, Entries entries) {
    encoder.encode(person, arm, entries);
    double largest = 0;
    for (int k = 0; k < entries.count(); k++) {
      double value = entries.value(k);
      if (!Double.isFinite(value)) {
        throw new UnusableRequestException("a feature is not finite");
      }
      largest = Math.max(largest, Math.abs(value));
    }
    double squares = 0;
    for (int k = 0; k < entries.count(); k++) {
      double value = entries.value(k) / largest; // so that no square overflows
      squares += value * value;
    }
    double norm = Math.sqrt(squares);
    double[] x = new double[encoder.dimension()];
    for (int k = 0; k < entries.count(); k++) {
      x[entries.place(k)] = entries.value(k) / largest / norm;
    }
    return x;
  }
}
