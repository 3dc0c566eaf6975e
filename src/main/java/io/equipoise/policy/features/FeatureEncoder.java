package io.equipoise.policy.features;

import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.FeatureTerm.Intercept;
import io.equipoise.segmentspec.FeatureTerm.Level;
import io.equipoise.segmentspec.FeatureTerm.Match;
import io.equipoise.segmentspec.FeatureTerm.Numeric;
import io.equipoise.segmentspec.FeatureTerm.OneHot;
import io.equipoise.segmentspec.FeatureTerm.Product;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.WorkBudget;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Computes the features of a person and an arm. Immutable; safe for use by many threads. */
public final class FeatureEncoder {
  private static final int MAX_FEATURES = 1 << 20;

  private final List<SpecVariable> people;
  private final List<SpecVariable> arms;
  private final Part[] parts;

  /** Where the features of each part begin. */
  private final int[] starts;

  private final int dimension;
  private final boolean readsArms;

  /**
   * Compiles a map.
   *
   * @param people the variables of a {@link Profile} of a person, in order
   * @param arms those of an arm
   * @throws IllegalArgumentException if the map names another variable or has more than 2^20
   *     features
   */
  public FeatureEncoder(FeatureMap map, List<SpecVariable> people, List<SpecVariable> arms) {
    this.people = List.copyOf(people);
    this.arms = List.copyOf(arms);
    long features = 0;
    for (FeatureTerm term : map.terms()) {
      features = WorkBudget.sum(features, sizeOf(term));
    }
    if (features > MAX_FEATURES) {
      throw new IllegalArgumentException(features + " features; at most " + MAX_FEATURES);
    }
    parts = map.terms().stream().map(this::part).toArray(Part[]::new);
    starts = new int[parts.length];
    for (int i = 1; i < parts.length; i++) {
      starts[i] = starts[i - 1] + parts[i - 1].size();
    }
    dimension = (int) features;
    readsArms = map.variables().stream().anyMatch(name -> placeOf(name, this.people) < 0);
  }

  /** Returns d. */
  public int dimension() {
    return dimension;
  }

  /** Returns whether a feature depends on the arm; if none does, those of all arms are the same. */
  public boolean readsArms() {
    return readsArms;
  }

  /** Writes the d features into {@code out}. */
  public void encode(Profile person, Profile arm, double[] out) {
    encode(person, arm, new Entries(), out);
  }

  /** Writes the d features into {@code out}; allocates nothing once the scratch has grown. */
  public void encode(Profile person, Profile arm, Entries scratch, double[] out) {
    encode(person, arm, scratch);
    scratch.copyTo(out);
  }

  /** Puts the features that are not zero in the place of what the entries hold. */
  public void encode(Profile person, Profile arm, Entries out) {
    out.clear();
    for (int i = 0; i < parts.length; i++) {
      parts[i].write(person, arm, out, starts[i]);
    }
  }

  /** Puts only the features of some parts, ascending, in the place of what the entries hold. */
  void encode(Profile person, Profile arm, int[] some, Entries out) {
    out.clear();
    for (int i : some) {
      parts[i].write(person, arm, out, starts[i]);
    }
  }

  /** Returns the parts whose features depend on one of these variables of people. */
  int[] partsOf(List<Integer> places) {
    return IntStream.range(0, parts.length)
        .filter(i -> places.stream().anyMatch(parts[i]::reads))
        .toArray();
  }

  /**
   * Returns where each feature is among those of an encoder of the same map over variables that
   * have all levels of these and perhaps others. All other features there are 0 for people and arms
   * of these levels.
   *
   * @param ofPeople where the levels of a variable of people stand there, by its place
   * @param ofArms the same of a variable of arms
   */
  public FeaturePlaces placesIn(
      FeatureEncoder later, IntFunction<int[]> ofPeople, IntFunction<int[]> ofArms) {
    int[] places = new int[dimension];
    int at = 0;
    int there = 0;
    for (int i = 0; i < parts.length; i++) {
      for (int place : parts[i].placesIn(later.parts[i], ofPeople, ofArms)) {
        places[at++] = place < 0 ? place : there + place;
      }
      there += later.parts[i].size();
    }
    return new FeaturePlaces(places, later.dimension);
  }

  /** Writes a run of features, only those that are not zero. */
  private interface Part {
    int size();

    /** Returns where each feature is in the part of a later encoder. */
    default int[] placesIn(Part later, IntFunction<int[]> ofPeople, IntFunction<int[]> ofArms) {
      return new int[] {0};
    }

    void write(Profile person, Profile arm, Entries out, int at);

    /** Returns whether the features depend on a variable of people. */
    boolean reads(int place);
  }

  /** Returns how many features a term is, before any part is made of it. */
  private long sizeOf(FeatureTerm term) {
    if (term instanceof Product product) {
      return WorkBudget.product(sizeOf(product.left()), sizeOf(product.right()));
    }
    return term instanceof OneHot oneHot ? size(source(oneHot.variable()).variable()) : 1;
  }

  private Part part(FeatureTerm term) {
    if (term instanceof Intercept) {
      return new Constant();
    }
    if (term instanceof OneHot oneHot) {
      Source source = source(oneHot.variable());
      return new Indicators(source, size(source.variable()));
    }
    if (term instanceof Level level) {
      Source source = source(level.variable());
      return new Indicator(source, source.variable().indexOf(level.level()));
    }
    if (term instanceof Numeric number) {
      return new Scaled(source(number.variable()), number.center(), number.scale());
    }
    if (term instanceof Match match) {
      Source left = source(match.left());
      Source right = source(match.right());
      int[] partner = new int[size(left.variable())];
      for (int level = 0; level < partner.length; level++) {
        partner[level] =
            level < left.variable().levels().size()
                ? right.variable().indexOf(left.variable().levels().get(level))
                : -1;
      }
      return new Equality(left, right, partner);
    }
    Product product = (Product) term;
    return new Outer(part(product.left()), part(product.right()));
  }

  /** Returns the number of level indices, that of one who does not tell included. */
  private static int size(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }

  private Source source(String name) {
    int place = placeOf(name, people);
    boolean isOfArm = place < 0;
    List<SpecVariable> all = isOfArm ? arms : people;
    place = isOfArm ? placeOf(name, arms) : place;
    if (place < 0) {
      throw new IllegalArgumentException("neither people nor arms have a variable " + name);
    }
    int number = (int) all.subList(0, place).stream().filter(SpecVariable::isNumeric).count();
    return new Source(all.get(place), isOfArm, place, number);
  }

  private static int placeOf(String name, List<SpecVariable> variables) {
    for (int place = 0; place < variables.size(); place++) {
      if (variables.get(place).name().equals(name)) {
        return place;
      }
    }
    return -1;
  }

  /** Locates a variable's value. */
  private record Source(SpecVariable variable, boolean isOfArm, int place, int number) {
    int level(Profile person, Profile arm) {
      return (isOfArm ? arm : person).levels()[place];
    }

    double number(Profile person, Profile arm) {
      return (isOfArm ? arm : person).numbers()[number];
    }

    boolean isOfPeople(int at) {
      return !isOfArm && place == at;
    }
  }

  private record Constant() implements Part {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      out.add(at, 1);
    }

    @Override
    public boolean reads(int place) {
      return false;
    }
  }

  private record Indicators(Source source, int size) implements Part {
    @Override
    public int[] placesIn(Part later, IntFunction<int[]> ofPeople, IntFunction<int[]> ofArms) {
      return (source.isOfArm() ? ofArms : ofPeople).apply(source.place());
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      int there = source.level(person, arm);
      if (there >= 0 && there < size) {
        out.add(at + there, 1);
      }
    }

    @Override
    public boolean reads(int place) {
      return source.isOfPeople(place);
    }
  }

  private record Indicator(Source source, int level) implements Part {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      out.add(at, source.level(person, arm) == level ? 1 : 0);
    }

    @Override
    public boolean reads(int place) {
      return source.isOfPeople(place);
    }
  }

  private record Scaled(Source source, double center, double scale) implements Part {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      out.add(at, (source.number(person, arm) - center) / scale);
    }

    @Override
    public boolean reads(int place) {
      return source.isOfPeople(place);
    }
  }

  /** Finds the level of the right that has the name of each level of the left, or -1. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Equality(Source left, Source right, int[] partner) implements Part {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      out.add(at, partner[left.level(person, arm)] == right.level(person, arm) ? 1 : 0);
    }

    @Override
    public boolean reads(int place) {
      return left.isOfPeople(place) || right.isOfPeople(place);
    }
  }

  private record Outer(Part left, Part right, int size) implements Part {
    Outer(Part left, Part right) {
      this(left, right, Math.multiplyExact(left.size(), right.size()));
    }

    @Override
    public int[] placesIn(Part later, IntFunction<int[]> ofPeople, IntFunction<int[]> ofArms) {
      Outer product = (Outer) later;
      int[] ofRight = right.placesIn(product.right, ofPeople, ofArms);
      return Arrays.stream(left.placesIn(product.left, ofPeople, ofArms))
          .flatMap(
              row ->
                  Arrays.stream(ofRight)
                      .map(
                          place ->
                              Math.min(row, place) < 0 ? -1 : row * product.right.size() + place))
          .toArray();
    }

    @Override
    public void write(Profile person, Profile arm, Entries out, int at) {
      int from = out.count();
      left.write(person, arm, out, 0);
      int middle = out.count();
      right.write(person, arm, out, 0);
      out.multiply(from, middle, at, right.size());
    }

    @Override
    public boolean reads(int place) {
      return left.reads(place) || right.reads(place);
    }
  }
}
