package io.equipoise.lab.clicks;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.CsvFile;
import io.equipoise.simulation.SplitMix;
import io.equipoise.tools.simulate.Person;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads and replays a log of the Open Bandit Dataset (Saito et al. 2020): {@code men.csv} with
 * item, propensity and click of each impression, and {@code item_context.csv} beside it.
 *
 * <p>The replay (Li et al. 2011) asks a player about each row. Where it names the item that was
 * shown, the row is accepted with the chance least propensity / propensity, and the player learns
 * the click at once; otherwise the choice is taken back. Accepted rows are then those that the
 * player would have met if items came at random. Assumptions: the logged propensities are right,
 * rows are independent of each other and alike over time, and the three positions of a page are
 * three people. Features: position, the four user features, the item and its number; affinities are
 * not used. The meaning of {@code user_feature_0} is not published; it stands for the sensitive
 * attribute.
 */
public final class OpenBandit {
  private static final String ITEM = "item_id";
  private static final String NUMBER = "item_feature_0";
  private static final String SENSITIVE = "user_feature_0";
  private static final List<String> CONTEXTS =
      List.of("position", "user_feature_1", "user_feature_2", "user_feature_3");
  private static final int[] NO_LEVELS = {};
  private static final double[] NO_NUMBERS = {};

  private final List<Row> rows = new ArrayList<>();
  private final List<String> items = new ArrayList<>();
  private final ClickWorld world;
  private double least = 1;

  private record Row(Person person, int item, double propensity, double click) {}

  /**
   * Reports the result of a replay.
   *
   * @param rows of the log
   * @param clicks of the accepted rows
   * @param logged clicks a row in the log
   * @param uniform clicks a row if items came at random, by inverse propensities
   * @param certified share of the accepted rows whose every effect was certified
   */
  public record Replay(
      int rows, int accepted, double clicks, double logged, double uniform, double certified) {
    /** Returns clicks an accepted row; 0 if none was accepted. */
    public double rate() {
      return accepted == 0 ? 0 : clicks / accepted;
    }

    /** Returns the standard error of the rate, with half a click more and half a miss more. */
    public double error() {
      double p = (clicks + 0.5) / (accepted + 1);
      return Math.sqrt(p * (1 - p) / (accepted + 1));
    }
  }

  /**
   * Reads a log.
   *
   * @param log with the table of items beside it
   * @throws DistributionException if a column is missing or a row is invalid
   */
  public OpenBandit(Path log) throws IOException {
    Map<String, SortedSet<String>> levels = new LinkedHashMap<>();
    Map<String, String> numbers = new LinkedHashMap<>();
    read(
        log.resolveSibling("item_context.csv"),
        List.of(ITEM, NUMBER),
        (row, place) -> numbers.put(row.get(ITEM), row.get(NUMBER)));
    items.addAll(numbers.keySet());
    List<String> people = new ArrayList<>(CONTEXTS);
    people.add(SENSITIVE);
    List<String> needed = new ArrayList<>(people);
    needed.addAll(List.of(ITEM, "click", "propensity_score"));
    read(log, needed, (row, place) -> addRow(row, place, people, levels));
    if (rows.isEmpty()) {
      throw new DistributionException(log + ": has no row");
    }
    world = new ClickWorld("open-bandit", head(levels, numbers), features(), 0.005, "", 0, 0, 0);
  }

  private interface Reader {
    void read(Map<String, String> row, String place);
  }

  private static void read(Path file, List<String> needed, Reader reader) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      List<String> heading = csv.heading();
      for (String column : needed) {
        if (!heading.contains(column)) {
          throw new DistributionException(file + ": has no column " + column);
        }
      }
      for (List<String> values = csv.next(); values != null; values = csv.next()) {
        Map<String, String> row = new HashMap<>();
        for (String column : needed) {
          row.put(column, values.get(heading.indexOf(column)));
        }
        try {
          reader.read(row, csv.place());
        } catch (NumberFormatException e) {
          throw new DistributionException(csv.place() + e.getMessage(), e);
        }
      }
    }
  }

  private void addRow(
      Map<String, String> row,
      String place,
      List<String> people,
      Map<String, SortedSet<String>> levels) {
    int item = items.indexOf(row.get(ITEM));
    double propensity = Double.parseDouble(row.get("propensity_score"));
    if (item < 0 || !(propensity > 0 && propensity <= 1)) {
      throw new DistributionException(
          place + "an item of item_context.csv and a propensity_score in (0, 1] are required");
    }
    Map<String, Object> attributes = new HashMap<>();
    for (String name : people) {
      String level = "l" + row.get(name);
      attributes.put(name, level);
      levels.computeIfAbsent(name, any -> new TreeSet<>()).add(level);
    }
    least = Math.min(least, propensity);
    Person person = new Person(NO_LEVELS, NO_NUMBERS, attributes);
    rows.add(new Row(person, item, propensity, Double.parseDouble(row.get("click"))));
  }

  private static String head(Map<String, SortedSet<String>> levels, Map<String, String> numbers) {
    StringBuilder text =
        new StringBuilder("name: obd\nversion: 1\nsegments: default\nvariables:\n");
    levels.forEach(
        (name, of) ->
            text.append("  %s: {role: %s, levels: %s}%n".formatted(name, role(name, of), of)));
    String items = numbers.keySet().stream().map(id -> "i" + id).collect(Collectors.joining(", "));
    double most = numbers.values().stream().mapToDouble(it -> Math.abs(number(it))).max().orElse(1);
    text.append("  item: {role: action, levels: [" + items + "]}\n");
    text.append("  number: {role: action, range: [-" + most + ", " + most + "]}\n");
    text.append("  click: {role: reward}\ngraph: \"dag { {");
    levels.keySet().forEach(name -> text.append(name).append(' '));
    text.append("item number} -> click }\"\narms:\n");
    numbers.forEach(
        (id, value) ->
            text.append("  - {id: i%s, item: i%s, number: %s}%n".formatted(id, id, value)));
    return text.toString();
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }

  private static String role(String name, SortedSet<String> levels) {
    return name.equals(SENSITIVE) && levels.size() > 1 ? "sensitive" : "context";
  }

  private static String features() {
    return CONTEXTS.stream()
        .map(name -> "{one-hot: " + name + "}")
        .collect(
            Collectors.joining(
                ", ",
                "[intercept, ",
                ", {one-hot: " + SENSITIVE + "}, {one-hot: item}, {number: number}]"));
  }

  /** Returns the spec of the log without a policy; it has no truth to simulate. */
  public ClickWorld world() {
    return world;
  }

  /**
   * Replays the log in an order of a seed.
   *
   * @param seed 0 for the order of the log
   */
  public <M> Replay replay(ClickPlayer<M> player, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Row> order = new ArrayList<>(rows);
    for (int place = order.size() - 1; seed != 0 && place > 0; place--) {
      int other = (int) (random.nextDouble() * (place + 1));
      order.set(place, order.set(other, order.get(place)));
    }
    int[] all = new int[items.size()];
    for (int item = 0; item < all.length; item++) {
      all[item] = item;
    }
    int accepted = 0;
    int certified = 0;
    double clicks = 0;
    double logged = 0;
    double weighted = 0;
    for (int place = 0; place < order.size(); place++) {
      Row row = order.get(place);
      logged += row.click();
      weighted += row.click() / row.propensity() / items.size();
      player.prepare(row.person(), all);
      ClickPlayer.Played<M> played = player.choose(place, row.person(), all);
      boolean isKept = random.nextDouble() < least / row.propensity();
      if (played.arm() != row.item() || !isKept) {
        player.takeBack();
        continue;
      }
      accepted++;
      clicks += row.click();
      certified += played.certified() ? 1 : 0;
      player.learn(played.remembered(), row.click());
    }
    int count = order.size();
    return new Replay(
        count,
        accepted,
        clicks,
        logged / count,
        weighted / count,
        accepted == 0 ? 0 : (double) certified / accepted);
  }
}
