package io.equipoise.job.check;

import io.equipoise.Docs;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.policy.Policy;
import io.equipoise.segment.TestSpecs;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Forecasts the tables of the page from the spec that it shows. */
@Tag("slow")
class ChooseTauPageTest {
  private static final String PAGE = "docs/choose-tau.md";
  private static final String LIMIT = "tau: 0.02";
  private static final String RIDGE = "{name: linucb, model: shared, constraint: hard}";
  private static final String LOGISTIC = "{name: screen, explore: balanced}";
  private static final String DEVICES = "[mobile, desktop, tablet]";
  private static final List<Double> RATES = List.of(.02, .04, .1, .5);

  /** The levels of the attribute by how a table names them. */
  private static final Map<Integer, String> LEVELS =
      Map.of(2, "[f, m]", 3, "[f, m, x]", 5, "[a, b, c, d, e]");

  /** Run with {@code -Dequipoise.write-docs=true} to write the tables instead. */
  @Test
  void thePageShowsWhatPlanForecasts() throws IOException {
    String spec = Docs.specOf(PAGE);
    StringBuilder ridge = new StringBuilder();
    StringBuilder logistic = new StringBuilder();
    for (int levels : new int[] {2, 5}) {
      for (double rate : RATES) {
        String text = spec.replace(LEVELS.get(2), LEVELS.get(levels));
        row(ridge, levels + " | " + rate, text, rate, "tau: 0.01", LIMIT, "tau: 0.05", "tau: 0.1");
      }
    }
    for (int[] size : new int[][] {{2, 3}, {2, 30}, {3, 3}}) {
      for (double rate : RATES) {
        String text =
            spec.replace(LEVELS.get(2), LEVELS.get(size[0]))
                .replace(DEVICES, names(size[1]))
                .replace(RIDGE, LOGISTIC);
        String cells = "%d | %d | %s".formatted(size[0], 7 + 7 * size[0] + size[1], rate);
        row(logistic, cells, text, rate, LIMIT, "tau: 0.05", "odds-ratio: 1.25", "odds-ratio: 2");
      }
    }
    Docs.assertGenerated(
        PAGE,
        ChooseTauPageTest.class,
        page ->
            filled(
                filled(page, "| levels | base rate |", ridge), "| levels | features |", logistic));
  }

  private static String names(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "d" + i)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static void row(
      StringBuilder table, String cells, String spec, double rate, String... limits) {
    table.append("| ").append(cells);
    for (String limit : limits) {
      table.append(" | ").append(decisions(spec.replace(LIMIT, limit), rate));
    }
    table.append(" |\n");
  }

  private static String decisions(String spec, double rate) {
    Policy policy = TestSpecs.compiled(spec).policy();
    People people = People.of(policy.spec()).withBaseRate(policy.spec(), rate);
    CertificatePlan plan =
        CertificatePlan.of(policy, people.withDelay(policy.spec(), 0, 1)).orElseThrow();
    return plan.isHopeless()
        ? "more than 100,000"
        : String.format(
            Locale.ROOT, "%,d", Long.parseLong(CertificatePlan.rounded(plan.slowest().median())));
  }

  /** Replaces the rows below a heading and its rule. */
  private static String filled(String page, String heading, CharSequence rows) {
    int start = page.indexOf('\n', page.indexOf("\n| ---", page.indexOf(heading)) + 1) + 1;
    return page.substring(0, start) + rows + page.substring(page.indexOf("\n\n", start) + 1);
  }
}
