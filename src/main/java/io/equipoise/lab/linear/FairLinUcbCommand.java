package io.equipoise.lab.linear;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.InputPath;
import io.equipoise.cli.Version;
import io.equipoise.lab.linear.Tables.Place;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.policy.linear.FeatureMask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replicates Fair-LinUCB, Tables 2 to 4 and Figures 1 to 3. */
@Command(
    name = "fair-linucb",
    description = "LinUCB, Naive and Fair-LinUCB on Adult students and YouTube videos.",
    mixinStandardHelpOptions = true)
public final class FairLinUcbCommand implements Callable<Integer> {
  private static final int MAX_TRIALS = 1000;

  /** Decimals that the fixture has, half a unit of the last, and rounding. */
  private static final double FIXTURE_TOLERANCE = 0.5e-4 + 1e-9;

  /**
   * The paper's list for Naive: its 107 features minus the sensitive attribute and what it found
   * correlated with it. The gender match is kept.
   */
  private static final List<String> NAIVE =
      List.of(
          "sex=Male",
          "sex=Female",
          "marital-status=Divorced",
          "marital-status=Married-civ-spouse",
          "marital-status=Widowed",
          "relationship=Husband",
          "occupation=Adm-clerical",
          "income=<=50K");

  @Mixin private final Publication publication = new Publication();

  @Option(names = "--table", description = "2, 3, 4 or order; all without it.")
  private @Nullable String table;

  @Option(
      names = "--adult",
      paramLabel = "PATH",
      converter = InputPath.class,
      description = "UCI's adult.data: the file or its directory.")
  private @Nullable Path adult;

  @Option(
      names = "--videos",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "The YouTube crawl, tab-separated with a header.")
  private @Nullable Path videos;

  @Option(
      names = "--trials",
      defaultValue = "5",
      description = "Independent trials. Default: ${DEFAULT-VALUE}.")
  private int trials;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  private long firstSeed;

  @Override
  public Integer call() throws IOException {
    check();
    Fixture fixture = Fixture.read();
    boolean isReal = adult != null;
    Population population = population(fixture);
    List<Classroom> classrooms = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      classrooms.add(Classroom.draw(population, firstSeed + trial));
    }
    FeatureMask naive = naive(fixture);
    List<Place> places = Tables.places(table);
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    places.forEach(place -> settings.add(place.setting()));
    Set<FairLinUcbSetting> replayed = replayed(settings, isReal);
    int steps = settings.size() * trials + replayed.size() * fixture.trials();
    ClassroomTrials done;
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    try (ProgressBar bar = Publication.progress("fair-linucb", steps)) {
      done = ClassroomTrials.run(classrooms, settings, naive, bar::step);
      replay(fixture, population, replayed, naive, checks, bar);
    }
    if (isReal) {
      ReferenceChecks.add(done, checks, skipped);
    } else {
      skipped.add(new Skipped("reference values", "no --adult and --videos were given"));
    }
    new OrderChecks(done, isReal, checks, skipped).add();
    ReplicationReport replicationReport =
        new ReplicationReport(
            "fair-linucb",
            settings(isReal),
            firstSeed,
            Version.current(),
            rows(places, done),
            checks,
            skipped);
    return publication.publish(replicationReport, () -> GroupCurves.of(done));
  }

  private void check() {
    publication.check();
    if (trials < 1 || trials > MAX_TRIALS) {
      throw publication.refused("--trials must be from 1 to " + MAX_TRIALS);
    }
    if (table != null && !Tables.ALL.contains(table)) {
      throw publication.refused("--table must be one of " + Tables.ALL);
    }
    if ((adult == null) != (videos == null)) {
      throw publication.refused("--adult and --videos go together");
    }
  }

  private Population population(Fixture fixture) throws IOException {
    if (adult == null || videos == null) {
      return GeneratedPopulation.of(firstSeed);
    }
    try {
      AdultFile file = AdultFile.read(adult);
      if (!file.featureNames().equals(fixture.featureNames())) {
        throw publication.refused(adult + " has other values than UCI's adult.data");
      }
      return new Population(file.students(), VideoFile.read(videos));
    } catch (IllegalArgumentException e) {
      throw publication.refused(e.getMessage());
    }
  }

  /** Returns the mask of Naive: in a generated population too, by place. */
  private static FeatureMask naive(Fixture fixture) {
    List<String> names = fixture.featureNames();
    return FeatureMask.dropping(Classroom.FEATURES, NAIVE.stream().map(names::indexOf).toList());
  }

  /** The fixture has Fair-LinUCB with gammas 0 to 4 in the world of Table 3. */
  private static Set<FairLinUcbSetting> replayed(Set<FairLinUcbSetting> settings, boolean isReal) {
    Set<FairLinUcbSetting> replayed = new LinkedHashSet<>();
    for (double gamma : Tables.GAMMAS) {
      if (isReal && settings.contains(FairLinUcbSetting.fair(gamma))) {
        replayed.add(FairLinUcbSetting.fair(gamma));
      }
    }
    return replayed;
  }

  private static void replay(
      Fixture fixture,
      Population population,
      Set<FairLinUcbSetting> replayed,
      FeatureMask naive,
      List<Check> checks,
      ProgressBar bar) {
    if (replayed.isEmpty()) {
      return;
    }
    List<Classroom> classrooms = new ArrayList<>();
    for (int trial = 0; trial < fixture.trials(); trial++) {
      classrooms.add(fixture.classroom(population, trial));
    }
    ClassroomTrials done = ClassroomTrials.run(classrooms, replayed, naive, bar::step);
    for (FairLinUcbSetting fairLinUcbSetting : replayed) {
      int gamma = ((Double) fairLinUcbSetting.gammaCell()).intValue();
      double worst = 0;
      for (int trial = 0; trial < fixture.trials(); trial++) {
        worst =
            Math.max(
                worst, fixture.difference(trial, gamma, done.of(fairLinUcbSetting).get(trial)));
      }
      checks.add(Check.of("replay gamma " + gamma, worst, 0.0, FIXTURE_TOLERANCE));
    }
  }

  private Map<String, Object> settings(boolean isReal) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", trials);
    settings.put("rounds", Classroom.ROUNDS);
    settings.put("alpha", FairLinUcbSetting.ALPHA);
    settings.put("lambda", FairLinUcbSetting.LAMBDA);
    settings.put("theta", "per arm");
    settings.put("population", isReal ? "adult.data and videos" : "generated");
    return settings;
  }

  private static List<Map<String, @Nullable Object>> rows(
      List<Place> places, ClassroomTrials done) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Place place : places) {
      FairLinUcbSetting fairLinUcbSetting = place.setting();
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("policy", fairLinUcbSetting.policy());
      row.put("table", tableCell(place.table()));
      row.put("gamma", fairLinUcbSetting.gammaCell());
      row.put("reward", fairLinUcbSetting.reward().name().toLowerCase(Locale.ROOT));
      row.put(
          "arms",
          fairLinUcbSetting.maleArms() + ":" + (Classroom.ARMS - fairLinUcbSetting.maleArms()));
      row.put("order", fairLinUcbSetting.order().wire());
      row.put("reset", fairLinUcbSetting.resets());
      ReplicationReport.put(row, "gap", done.sample(fairLinUcbSetting, RunMeasures::gap));
      ReplicationReport.put(row, "loss", done.sample(fairLinUcbSetting, RunMeasures::loss));
      ReplicationReport.put(row, "male", done.sample(fairLinUcbSetting, RunMeasures::male));
      ReplicationReport.put(row, "female", done.sample(fairLinUcbSetting, RunMeasures::female));
      rows.add(row);
    }
    return rows;
  }

  private static Object tableCell(String table) {
    return table.equals("order") ? (Object) table : Integer.valueOf(table);
  }
}
