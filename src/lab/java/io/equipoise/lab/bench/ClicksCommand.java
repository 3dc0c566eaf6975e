package io.equipoise.lab.bench;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.TextTable;
import io.equipoise.lab.Runs;
import io.equipoise.lab.clicks.ClickPlayer;
import io.equipoise.lab.clicks.ClickRounds;
import io.equipoise.lab.clicks.ClickRun;
import io.equipoise.lab.clicks.ClickWorld;
import io.equipoise.lab.clicks.ClickWorlds;
import io.equipoise.lab.clicks.OpenBandit;
import io.equipoise.lab.clicks.OpenBandit.Replay;
import io.equipoise.lab.clicks.PolicyPlayer;
import io.equipoise.lab.clicks.Vowpal;
import io.equipoise.lab.clicks.VowpalPlayer;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares policies in simulated click worlds: {@code bench clicks}. */
@Command(
    name = "clicks",
    description = {
      "Plays policies of this project, and Vowpal Wabbit, in 30 simulated click worlds. All see the"
          + " same people.",
      "The table has medians over the worlds, with the least and the greatest of the seeds. Regret"
          + " is against the best fair arm, in percent of the regret of a uniform choice."
    },
    mixinStandardHelpOptions = true)
final class ClicksCommand extends BenchCommand {
  private static final String UNIFORM = "uniform";
  private static final String VOWPAL = "vw ";
  private static final String EXPLORE = ", explore: balanced";

  /** Lists the policies that users try first, by a name for the table. */
  private static final Map<String, String> SHIPPED = new LinkedHashMap<>();

  static {
    SHIPPED.put("linucb", "name: linucb, model: shared");
    SHIPPED.put(
        "linucb hard", "name: linucb, model: shared, constraint: hard, theta-norm: 1" + EXPLORE);
    SHIPPED.put("screen", "name: screen" + EXPLORE);
    SHIPPED.put("cclb", "name: cclb");
    SHIPPED.put("ofulog", "name: ofulog");
    SHIPPED.put("lin-ts", "name: lin-ts, model: shared");
  }

  /** With the cost of no click that each learns best with. */
  private static final List<Explorer> EXPLORERS =
      List.of(
          new Explorer("epsilon", "--epsilon 0.05", 0),
          new Explorer("squarecb", "--squarecb", 1),
          new Explorer("regcbopt", "--regcbopt --cb_min_cost -1 --cb_max_cost 0", 0),
          new Explorer("bag", "--bag 5", 1));

  private record Explorer(String name, String arguments, double missCost) {}

  /** Of learning; 0.5 is the default of Vowpal Wabbit. */
  private static final List<String> RATES = List.of("0.1", "0.5", "2");

  @Option(
      names = "--worlds",
      split = ",",
      description =
          "Plays only worlds with these names, or whose names start with one that is no whole name"
              + " (default: all).")
  private List<String> prefixes = new ArrayList<>();

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Number of seeds, from 1 on (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--decisions",
      defaultValue = "20000",
      description = "Decisions of a run (default: ${DEFAULT-VALUE}).")
  private int decisions;

  @Option(
      names = "--policy",
      paramLabel = "KEYS",
      description =
          "The section policy of a spec in flow style without braces, as 'name: linucb, alpha: 0.1';"
              + " repeat it for more. Default: six policies as a user writes them first.")
  private List<String> policies = new ArrayList<>();

  @Option(
      names = {"--vowpal-wabbit", "--vw"},
      paramLabel = "JAR",
      converter = InputFile.class,
      description =
          "Also plays Vowpal Wabbit from this jar: com.github.vowpalwabbit:vw-jni of Maven Central.")
  private @Nullable Path vowpal;

  @Option(
      names = "--open-bandit",
      paramLabel = "LOG",
      converter = InputFile.class,
      description =
          "Replays this log of the Open Bandit Dataset instead, with item_context.csv beside it."
              + " Accepts a row where the player names the item that was shown, with the chance"
              + " least propensity / propensity; each seed is an order of the rows.")
  private @Nullable Path log;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Writes spec and world file of each world for the verb simulate, with the first policy,"
              + " and plays nothing. There all arms are always offered.")
  private @Nullable Path directory;

  @Option(names = "--by-world", description = "Also prints the regret in each world.")
  private boolean byWorld;

  private List<ClickWorld> worlds = List.of();
  private @Nullable ClassLoader loader;

  @Override
  public Integer call() throws IOException {
    OpenBandit logged = log == null ? null : read(log);
    List<ClickWorld> all = logged == null ? ClickWorlds.all() : List.of(logged.world());
    worlds = prefixes.isEmpty() ? all : all.stream().filter(world -> isNamed(world, all)).toList();
    refuse(worlds.isEmpty(), "--worlds: no world has a name that starts with " + prefixes);
    refuse(seeds < 1 || decisions < 2, "--seeds must be at least 1, --decisions at least 2");
    Map<String, String> named = new LinkedHashMap<>(SHIPPED);
    if (!policies.isEmpty()) {
      named.clear();
      policies.forEach(policy -> named.put(policy, policy));
    }
    named.values().forEach(this::check);
    if (directory != null) {
      return writeTexts(directory, named.values().iterator().next());
    }
    loader = vowpal == null ? null : Vowpal.loader(vowpal);
    if (logged != null) {
      return replay(logged, named);
    }
    AtomicInteger done = new AtomicInteger();
    int trials = worlds.size() * seeds;
    Runs<String, ClickRun> runs =
        Runs.of(
            trials,
            trial -> played(trial, named),
            () -> progress(done.incrementAndGet() + " of " + trials + " rounds of people played"));
    addBest(runs);
    write(report(runs), out -> tables(runs).forEach(table -> table.lines().forEach(out::println)));
    return 0;
  }

  /** Finds whether an option names a world; a whole name means that world alone. */
  private boolean isNamed(ClickWorld world, List<ClickWorld> all) {
    return prefixes.stream()
        .anyMatch(
            prefix ->
                all.stream().anyMatch(other -> other.name().equals(prefix))
                    ? world.name().equals(prefix)
                    : world.name().startsWith(prefix));
  }

  private int writeTexts(Path into, String policy) throws IOException {
    Files.createDirectories(into);
    for (ClickWorld world : worlds) {
      Files.writeString(into.resolve(world.name() + ".yaml"), world.spec(policy));
      Files.writeString(into.resolve(world.name() + "-world.yaml"), world.truth());
    }
    progress(worlds.size() + " worlds written to " + into);
    return 0;
  }

  private void check(String policy) {
    for (ClickWorld world : worlds) {
      try {
        new PolicyPlayer(world.spec(policy), 1);
      } catch (SpecException e) {
        throw refused("--policy " + policy + " in world " + world.name() + ": " + e.getMessage());
      }
    }
  }

  private Map<String, ClickRun> played(int trial, Map<String, String> named) {
    ClickWorld world = worlds.get(trial / seeds);
    long seed = 1L + trial % seeds;
    ClickRounds rounds = world.rounds(seed, decisions);
    Map<String, ClickRun> played = new LinkedHashMap<>();
    played.put(UNIFORM, rounds.uniform());
    played.putAll(each(world, rounds.spec(), seed, named, rounds::play));
    return played;
  }

  /** Plays a game with any player. */
  private interface Game<R> {
    R of(ClickPlayer<?> player);
  }

  private <R> Map<String, R> each(
      ClickWorld world, SegmentSpec spec, long seed, Map<String, String> named, Game<R> game) {
    Map<String, R> results = new LinkedHashMap<>();
    named.forEach(
        (name, policy) -> results.put(name, game.of(new PolicyPlayer(world.spec(policy), seed))));
    if (loader != null) {
      for (Explorer explorer : EXPLORERS) {
        for (String rate : RATES) {
          String arguments = explorer.arguments() + " -l " + rate;
          try (VowpalPlayer player =
              new VowpalPlayer(loader, arguments, explorer.missCost(), spec, seed)) {
            results.put(VOWPAL + explorer.name() + " -l " + rate, game.of(player));
          }
        }
      }
    }
    return results;
  }

  private OpenBandit read(Path file) throws IOException {
    try {
      return new OpenBandit(file);
    } catch (DistributionException e) {
      throw refused("--open-bandit: " + e.getMessage());
    }
  }

  private int replay(OpenBandit logged, Map<String, String> named) {
    SegmentSpec spec = SpecParser.parse(logged.world().spec(SHIPPED.get("linucb")));
    Runs<String, Replay> runs =
        Runs.of(
            seeds,
            trial -> {
              long seed = 1L + trial;
              return each(logged.world(), spec, seed, named, player -> logged.replay(player, seed));
            },
            () -> {});
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("log", String.valueOf(log));
    report.put("seeds", seeds);
    report.put("players", runs.results());
    write(report, out -> replayTable(runs).lines().forEach(out::println));
    return 0;
  }

  private static TextTable replayTable(Runs<String, Replay> runs) {
    TextTable table =
        new TextTable(
            "player", "rows", "accepted", "clicks % of rows", "+-", "uniform %", "certified %");
    runs.results()
        .forEach(
            (player, of) ->
                table.row(
                    player,
                    String.valueOf(of.get(0).rows()),
                    MeasuredSpread.of(of, Replay::accepted).text(0),
                    MeasuredSpread.of(of, it -> 100 * it.rate()).text(2),
                    MeasuredSpread.of(of, it -> 100 * it.error()).text(2),
                    String.format(Locale.ROOT, "%.2f", 100 * of.get(0).uniform()),
                    MeasuredSpread.of(of, it -> 100 * it.certified()).text(0)));
    return table;
  }

  /** Adds the variant of Vowpal Wabbit that is best in each world, known only afterwards. */
  private void addBest(Runs<String, ClickRun> runs) {
    List<String> grid =
        runs.results().keySet().stream().filter(name -> name.startsWith(VOWPAL)).toList();
    if (grid.isEmpty()) {
      return;
    }
    List<ClickRun> best = new ArrayList<>();
    for (int world = 0; world < worlds.size(); world++) {
      int first = world * seeds;
      best.addAll(
          grid.stream()
              .map(name -> runs.of(name).subList(first, first + seeds))
              .min(
                  Comparator.comparingDouble(of -> of.stream().mapToDouble(ClickRun::regret).sum()))
              .orElseThrow());
    }
    runs.results().put(VOWPAL + "best of " + grid.size() + ", by world", best);
  }

  /** Returns the regret of a run in percent of that of a uniform choice. */
  private static double percent(Runs<String, ClickRun> runs, String player, int trial) {
    return 100 * runs.of(player).get(trial).regret() / runs.of(UNIFORM).get(trial).regret();
  }

  /** Returns a measure over the seeds, each the median over the worlds. */
  private MeasuredSpread spread(IntToDoubleFunction measureOfTrial) {
    List<Double> medians = new ArrayList<>();
    for (int seed = 0; seed < seeds; seed++) {
      int of = seed;
      List<Double> all =
          IntStream.range(0, worlds.size())
              .mapToObj(world -> measureOfTrial.applyAsDouble(world * seeds + of))
              .toList();
      medians.add(Series.quantile(all, it -> it, .5));
    }
    return MeasuredSpread.of(medians, it -> it);
  }

  private double meanPercent(Runs<String, ClickRun> runs, String player, int world) {
    return IntStream.range(0, seeds)
        .mapToDouble(seed -> percent(runs, player, world * seeds + seed))
        .average()
        .orElseThrow();
  }

  private List<TextTable> tables(Runs<String, ClickRun> runs) {
    TextTable all =
        new TextTable(
            "player",
            "regret % of uniform",
            "worst world",
            "reward / uniform",
            "certified %",
            "unfair %",
            "most played %",
            "us a round");
    for (String player : runs.results().keySet()) {
      List<ClickRun> of = runs.of(player);
      int worst =
          IntStream.range(0, worlds.size())
              .boxed()
              .max(Comparator.comparingDouble(world -> meanPercent(runs, player, world)))
              .orElseThrow();
      all.row(
          player,
          spread(trial -> percent(runs, player, trial)).text(1),
          String.format(
              Locale.ROOT, "%.1f %s", meanPercent(runs, player, worst), worlds.get(worst).name()),
          spread(trial -> of.get(trial).reward() / runs.of(UNIFORM).get(trial).reward()).text(2),
          spread(trial -> 100 * of.get(trial).certified()).text(0),
          spread(trial -> 100 * of.get(trial).unfair()).text(1),
          spread(trial -> 100 * of.get(trial).mostPlayed()).text(0),
          spread(trial -> of.get(trial).micros()).text(1));
    }
    return byWorld ? List.of(all, worldTable(runs)) : List.of(all);
  }

  private TextTable worldTable(Runs<String, ClickRun> runs) {
    List<String> heading = new ArrayList<>(List.of("regret in"));
    heading.addAll(runs.results().keySet());
    TextTable table = new TextTable(heading.toArray(String[]::new));
    for (int world = 0; world < worlds.size(); world++) {
      List<String> row = new ArrayList<>(List.of(worlds.get(world).name()));
      int first = world * seeds;
      for (String player : runs.results().keySet()) {
        List<ClickRun> of = runs.of(player).subList(first, first + seeds);
        row.add(MeasuredSpread.of(of, ClickRun::regret).text(0));
      }
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private Map<String, Object> report(Runs<String, ClickRun> runs) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("decisions", decisions);
    report.put("seeds", seeds);
    report.put("worlds", worlds.stream().map(ClickWorld::name).toList());
    report.put("processors", Runtime.getRuntime().availableProcessors());
    Map<String, Object> players = new LinkedHashMap<>();
    for (Map.Entry<String, List<ClickRun>> player : runs.results().entrySet()) {
      Map<String, Object> byName = new LinkedHashMap<>();
      for (int world = 0; world < worlds.size(); world++) {
        int first = world * seeds;
        byName.put(worlds.get(world).name(), player.getValue().subList(first, first + seeds));
      }
      players.put(player.getKey(), byName);
    }
    report.put("players", players);
    return report;
  }
}
