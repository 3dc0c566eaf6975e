package io.equipoise.lab.linear;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.InputPath;
import io.equipoise.lab.Runs;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.lab.linear.Tables.Place;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Replication;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.linear.Candidates.FeatureMask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replicates Fair-LinUCB, Tables 2 to 4 and Figures 1 to 3. */
@Command(
    name = "fair-linucb",
    description = "LinUCB, Naive and Fair-LinUCB on Adult students and YouTube videos.",
    mixinStandardHelpOptions = true)
public final class FairLinUcbCommand extends Replication {
  private static final int MAX_TRIALS = 1000;

  /** Half a unit of the last decimal of the fixture, and rounding. */
  private static final double FIXTURE_TOLERANCE = 0.5e-4 + 1e-9;

  /**
   * The user features that the paper drops for Naive: the sensitive attribute and the features that
   * correlate with it. Naive keeps the gender match.
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

  @Override
  public Integer call() throws IOException {
    check();
    Fixture fixture = new Fixture();
    boolean isReal = adult != null;
    Population population = population(fixture);
    List<Classroom> classrooms = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      classrooms.add(Classroom.draw(population, firstSeed + trial));
    }
    List<String> names = fixture.featureNames();
    FeatureMask naive =
        FeatureMask.dropping(Classroom.FEATURES, NAIVE.stream().map(names::indexOf).toList());
    List<Place> places = Tables.places(table);
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    places.forEach(place -> settings.add(place.setting()));
    Set<FairLinUcbSetting> replayed = replayed(settings, isReal);
    int steps = settings.size() * trials + replayed.size() * fixture.trials();
    Runs<FairLinUcbSetting, RunMeasures> done;
    Checks checks = new Checks();
    try (ProgressBar bar = progress(steps)) {
      done = play(classrooms, settings, naive, bar);
      replay(fixture, population, replayed, naive, checks, bar);
    }
    FairLinUcbChecks comparison = new FairLinUcbChecks(done, checks);
    if (isReal) {
      comparison.references();
    } else {
      checks.skip("reference values", "no --adult and --videos were given");
    }
    comparison.orders(isReal);
    Row described =
        new Row()
            .with("trials", trials)
            .with("rounds", Classroom.ROUNDS)
            .with("alpha", FairLinUcbSetting.ALPHA)
            .with("lambda", FairLinUcbSetting.LAMBDA)
            .with("theta", "per arm")
            .with("population", isReal ? "adult.data and videos" : "generated");
    return publish(described, rows(places, done), checks, () -> GroupCurves.of(done));
  }

  @Override
  protected void check() {
    super.check();
    range("--trials", trials, 1, MAX_TRIALS);
    refuse(table != null && !Tables.ALL.contains(table), "--table must be one of " + Tables.ALL);
    refuse((adult == null) != (videos == null), "--adult and --videos go together");
  }

  private Population population(Fixture fixture) throws IOException {
    if (adult == null || videos == null) {
      return GeneratedPopulation.of(firstSeed);
    }
    try {
      AdultFile file = AdultFile.read(adult);
      refuse(
          !file.featureNames().equals(fixture.featureNames()),
          adult + " has other values than UCI's adult.data");
      return new Population(file.students(), VideoFile.read(videos));
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  /**
   * Returns the settings in the fixture: Fair-LinUCB with gammas 0 to 4 in the world of Table 3.
   */
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
      Checks checks,
      ProgressBar bar) {
    if (replayed.isEmpty()) {
      return;
    }
    List<Classroom> classrooms = new ArrayList<>();
    for (int trial = 0; trial < fixture.trials(); trial++) {
      classrooms.add(fixture.classroom(population, trial));
    }
    Runs<FairLinUcbSetting, RunMeasures> done = play(classrooms, replayed, naive, bar);
    for (FairLinUcbSetting setting : replayed) {
      int gamma = ((Double) setting.gammaCell()).intValue();
      double worst = 0;
      for (int trial = 0; trial < fixture.trials(); trial++) {
        worst = Math.max(worst, fixture.difference(trial, gamma, done.of(setting).get(trial)));
      }
      checks.add("replay gamma " + gamma, worst, 0.0, FIXTURE_TOLERANCE);
    }
  }

  /** Plays settings in classrooms. The result depends on the setting and the classroom alone. */
  private static Runs<FairLinUcbSetting, RunMeasures> play(
      List<Classroom> classrooms,
      Set<FairLinUcbSetting> settings,
      FeatureMask naive,
      ProgressBar bar) {
    return Runs.of(
        settings,
        classrooms.size(),
        (setting, trial) -> ClassroomRun.run(classrooms.get(trial), setting, naive),
        bar::step);
  }

  private static List<Row> rows(List<Place> places, Runs<FairLinUcbSetting, RunMeasures> done) {
    List<Row> rows = new ArrayList<>();
    for (Place place : places) {
      FairLinUcbSetting setting = place.setting();
      String name = place.table();
      Object cell = name.equals("order") ? (Object) name : Integer.valueOf(name);
      int males = setting.maleArms();
      rows.add(
          new Row()
              .with("policy", setting.policy())
              .with("table", cell)
              .with("gamma", setting.gammaCell())
              .with("reward", setting.reward().name().toLowerCase(Locale.ROOT))
              .with("arms", males + ":" + (Classroom.ARMS - males))
              .with("order", setting.order().wire())
              .with("reset", setting.resets())
              .with("gap", done.sample(setting, RunMeasures::gap))
              .with("loss", done.sample(setting, RunMeasures::loss))
              .with("male", done.sample(setting, RunMeasures::male))
              .with("female", done.sample(setting, RunMeasures::female)));
    }
    return rows;
  }
}
