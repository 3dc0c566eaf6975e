package io.equipoise.tools.demo;

import io.equipoise.cli.TextTable;
import io.equipoise.gateway.CurlExample;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Prints the result of the demo as text. */
record DemoReport(PrintWriter out) {
  private static final String REASON = "deadLetters.";

  void print(DemoResult result) {
    out.println();
    segments(result).lines().forEach(out::println);
    out.println();
    out.println("regret: true mean reward of the best arm minus that of the chosen arm, summed");
    out.println("unfair: decisions whose true effect of gender exceeds tau; certified: share of");
    out.println("        decisions that the job proved to be within tau when it made them");
    out.println();
    job(result.job());
    result.faults().stream().limit(20).forEach(fault -> out.println("FAULT  " + fault));
    out.flush();
  }

  /** Prints how to ask the gateway for a decision. */
  void gateway(String address, List<SegmentSpec> specs) {
    out.println("  gateway   " + address);
    CurlExample.of(address, specs).ifPresent(line -> out.println("  try       " + line));
    out.flush();
  }

  /** Prints where to read the demo's topics while it keeps running. */
  void nextSteps(String bootstrapServers, String webInterface, boolean isRunning) {
    out.println();
    out.println("Next steps");
    out.println("  topics    demo.contexts and demo.rewards in; demo.decisions, demo.audit,");
    out.println(
        "            demo.experiments, demo.segment-events, demo.metrics, demo.dead-letter out;"
            + " Avro, see avro/*.avsc");
    if (isRunning) {
      out.println("  broker    " + bootstrapServers);
      out.println("  Flink     " + webInterface);
      out.println(
          "  read      kafka-console-consumer.sh --bootstrap-server "
              + bootstrapServers
              + " \\\n              --topic demo.decisions --from-beginning"
              + " --isolation-level read_committed");
      out.println(
          "  audit     equipoise audit verify -D equipoise.deployment=demo"
              + " \\\n              -D kafka.bootstrap.servers="
              + bootstrapServers);
      out.println(
          "  SQL       docs/integrations.md#flink-sql: decisions joined with their rewards");
      out.println("  stop      Ctrl-C");
    } else {
      out.println("  read      run it with --keep-running and attach a console consumer");
    }
    out.println("  specs     conf/specs/email-*.yaml; try `equipoise check conf/specs`");
    out.println("  docs      docs/quickstart.md: how to use your own topics");
    out.flush();
  }

  private static TextTable segments(DemoResult result) {
    TextTable table =
        new TextTable(
            "policy",
            "tau",
            "rounds",
            "joined",
            "regret",
            "unfair",
            "certified",
            "fallbacks",
            "reward female",
            "reward male");
    for (Map<String, Object> segment : result.segments()) {
      table.row(
          text(segment.get("policy")),
          text(segment.get("tau")),
          text(segment.get("rounds")),
          text(segment.get("joined")),
          number(segment.get("regret"), 1),
          text(segment.get("unfair")),
          number(100 * ((Number) segment.getOrDefault("certifiedShare", 0)).doubleValue(), 1)
              + " %",
          text(segment.get("fallbacks")),
          number(segment.get("meanReward.X1=female"), 3),
          number(segment.get("meanReward.X1=male"), 3));
    }
    return table;
  }

  private void job(Map<String, Object> job) {
    out.printf(
        "%s decisions, the first after %s s, then %s a second; from context to committed decision"
            + " p50 %s ms, p99 %s ms; %s restarts%n",
        job.get("decisions"),
        number(job.get("firstDecisionSeconds"), 1),
        number(job.get("decisionsPerSecond"), 0),
        job.get("latencyP50Millis"),
        job.get("latencyP99Millis"),
        job.get("restarts"));
    out.printf(
        "%s of %s records dead-lettered, as expected:%n",
        job.get("deadLetters"), job.get("records"));
    StringBuilder line = new StringBuilder(" ");
    job.forEach(
        (name, count) -> {
          if (name.startsWith(REASON)) {
            line.append(' ').append(name.substring(REASON.length())).append(' ').append(count);
          }
        });
    out.println(line);
    out.println(
        Objects.equals(job.get("ledgersBalance"), true)
            ? "All ledgers balance: every context was decided, every record is accounted for."
            : "The ledgers do NOT balance:");
  }

  private static String number(Object value, int digits) {
    return value instanceof Number number
        ? String.format(Locale.ROOT, "%." + digits + "f", number.doubleValue())
        : "-";
  }

  private static String text(Object value) {
    return String.valueOf(value);
  }
}
