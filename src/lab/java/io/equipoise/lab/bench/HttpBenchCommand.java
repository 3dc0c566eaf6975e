package io.equipoise.lab.bench;

import io.equipoise.cli.QuietLog;
import io.equipoise.cli.TextTable;
import io.equipoise.gateway.CurlExample;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterDirectory;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures decisions over HTTP of a running cluster: {@code bench http}. Fields of its JSON: {@code
 * settings}, {@code machine}, {@code idle} (percent of a core by process), and {@code rows} with
 * the components of {@link Row}.
 */
@Command(
    name = "http",
    description = {
      "Measures decisions and rewards over HTTP of a cluster that `equipoise cluster up` has started, with the"
          + " load generator wrk: requests per second, latencies, and the processor time of each"
          + " process.",
      "First it measures the processes without traffic. All requests are for the first segment.",
      "Rewards are for decisions that batches asked for before each measurement, each once."
    },
    mixinStandardHelpOptions = true)
final class HttpBenchCommand extends BenchCommand {
  /** A kind of request: its path, and how many decisions or rewards one has. */
  private enum Load {
    DECISIONS("/v1/decisions", 1),
    BATCHES("/v1/decisions:batch", BATCH),
    REWARDS("/v1/rewards", 1);

    private final String path;
    private final int size;

    Load(String path, int size) {
      this.path = path;
      this.size = size;
    }

    /** For {@code --help}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int BATCH = 50;
  private static final int ASKING_CONNECTIONS = 16;

  private static final String WRK = "wrk";
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
  private static final Pattern PER_SECOND = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
  private static final Pattern FAILED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern AT_DEADLINE =
      Pattern.compile(
          "equipoise_gateway_decisions_total\\{reason=\"DEADLINE_EXCEEDED\"} ([\\d.E]+)");
  private static final String QUANTILE = "%d%%\\s+([\\d.]+)(us|ms|s|m)\\s";
  private static final Map<String, Double> MILLIS =
      Map.of("us", 1e-3, "ms", 1.0, "s", 1e3, "m", 6e4);

  @Mixin private ClusterDirectory directory = new ClusterDirectory();

  @Option(
      names = "--load",
      defaultValue = "decisions",
      description =
          "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). A batch asks for "
              + BATCH
              + " decisions; the numbers are those of decisions, or rewards.")
  private Load load = Load.DECISIONS;

  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N",
      defaultValue = "16,128",
      description =
          "Connections that send their next request as soon as they have an answer, or after a wait"
              + " with --rate (default: ${DEFAULT-VALUE}).")
  private List<Integer> connections = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "At most so many requests a second: each connection waits between an answer and its next"
              + " request, for exponential times. 0 for no wait (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Duration of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--turns",
      defaultValue = "3",
      description = "Measurements of each number of connections (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Load before the measurements (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  /**
   * One measurement.
   *
   * @param requests decisions or rewards
   * @param p50 ms of a request over HTTP
   * @param p99 ms
   * @param failed answers with another status than 2xx; they count as requests
   * @param atDeadline answers with the fallback at their deadline; they count as requests
   * @param micros processor time of a request, by process
   */
  record Row(
      int connections,
      long requests,
      double perSecond,
      double p50,
      double p99,
      long failed,
      long atDeadline,
      Map<String, Double> micros) {
    double total() {
      return micros.values().stream().mapToDouble(it -> it).sum();
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    refuse(
        connections.stream().anyMatch(each -> each < 1)
            || seconds < 1
            || turns < 1
            || warmUp < 0
            || rate < 0,
        "all numbers must be at least 1");
    QuietLog.set();
    Cluster cluster = open();
    Map<String, Double> idle = new LinkedHashMap<>();
    progress("without traffic");
    Map<String, Duration> before = processorTimes(cluster);
    Thread.sleep(Duration.ofSeconds(seconds).toMillis());
    since(before, cluster)
        .forEach((name, used) -> idle.put(name, 100 * used.toNanos() / (seconds * 1e9)));
    List<Row> rows = new ArrayList<>();
    if (warmUp > 0) {
      progress("warm-up");
      Row unused = measure(cluster, connections.get(connections.size() - 1), warmUp, "w");
    }
    for (int turn = 0; turn < turns; turn++) {
      for (int each : connections) {
        progress("turn %d, %d connections".formatted(turn + 1, each));
        rows.add(measure(cluster, each, seconds, turn + "-" + each));
      }
    }
    write(report(idle, rows));
    return 0;
  }

  private Cluster open() {
    try {
      return directory.open();
    } catch (ClusterException e) {
      throw refused(e.getMessage());
    }
  }

  private Row measure(Cluster cluster, int connections, int seconds, String name)
      throws IOException, InterruptedException {
    String ids = "bench-%d-%s-".formatted(ProcessHandle.current().pid(), name);
    if (load == Load.REWARDS) {
      Row unused = measure(cluster, Load.BATCHES, ASKING_CONNECTIONS, seconds, ids);
    }
    return measure(cluster, load, connections, seconds, ids);
  }

  /**
   * Writes the script that makes wrk send requests of {@link CurlExample}, or rewards.
   *
   * @param ids begins the ids of the decisions, which end with 1, 2, ...
   * @param wait mean milliseconds between an answer and the next request of its connection
   */
  private static Path script(Cluster cluster, Load load, String ids, double wait)
      throws IOException {
    SegmentSpec spec =
        CurlExample.served(SpecFiles.load(Path.of(cluster.file().plan().specs()))).get(0);
    String asked = CurlExample.request(spec);
    String head =
        """
        wrk.method = "POST"
        wrk.headers["Content-Type"] = "application/json"
        """
            + (wait > 0
                ? "delay = function() return math.floor(-%s * math.log(1 - math.random())) end%n"
                    .formatted(wait)
                : "");
    Path script = Files.createTempFile("equipoise-bench-", ".lua");
    script.toFile().deleteOnExit();
    if (load == Load.DECISIONS) {
      return Files.writeString(script, head + "wrk.body = [=[%s]=]\n".formatted(asked));
    }
    boolean isReward = load == Load.REWARDS;
    String begin = asked.substring(0, isReward ? asked.indexOf(',') : asked.length() - 1);
    String end =
        isReward
            ? "\"value\": %s, \"shownArm\": \"%s\", \"mediators\": %s"
                .formatted(
                    spec.reward().range().high(),
                    spec.arms().list().get(0).id(),
                    CurlExample.required(spec.variables().mediators()))
            : "\"fairness\": false";
    return Files.writeString(
        script,
        head
            + """
            local sent = 0
            local function one()
              sent = sent + 1
              return [=[%s, "decisionId": "%s]=] .. sent .. [=[", %s}]=]
            end
            request = function()
              if %d == 1 then return wrk.format(nil, nil, nil, one()) end
              local all = {}
              for place = 1, %d do all[place] = one() end
              return wrk.format(nil, nil, nil, '{"decisions": [' .. table.concat(all, ",") .. "]}")
            end
            """
                .formatted(begin, ids, end, load.size, load.size));
  }

  private Row measure(Cluster cluster, Load load, int connections, int seconds, String ids)
      throws IOException, InterruptedException {
    double wait = rate == 0 || load != this.load ? 0 : 1e3 * connections / rate;
    Path script = script(cluster, load, ids, wait);
    List<String> words =
        List.of(
            WRK,
            "--threads=1",
            "--connections=" + connections,
            "--duration=" + seconds + "s",
            "--timeout=20s",
            "--latency",
            "--script=" + script,
            cluster.gatewayAddress() + load.path);
    long deadlines = atDeadline(cluster);
    Map<String, Duration> before = processorTimes(cluster);
    Process process;
    try {
      process = new ProcessBuilder(words).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw refused("the program wrk cannot be started; install it (Debian: apt install wrk)");
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw refused("wrk failed: " + out);
    }
    long requests = load.size * Long.parseLong(first(REQUESTS, out, "0"));
    if (requests == 0) {
      throw refused("the gateway of the cluster answered nothing: " + out);
    }
    Map<String, Double> micros = new LinkedHashMap<>();
    since(before, cluster)
        .forEach((name, used) -> micros.put(name, used.toNanos() / 1e3 / requests));
    return new Row(
        connections,
        requests,
        load.size * Double.parseDouble(first(PER_SECOND, out, "0")),
        quantile(50, out),
        quantile(99, out),
        Long.parseLong(first(FAILED, out, "0")),
        atDeadline(cluster) - deadlines,
        micros);
  }

  private static long atDeadline(Cluster cluster) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(cluster.gatewayAddress() + "/metrics")).build();
    String metrics =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    return (long) Double.parseDouble(first(AT_DEADLINE, metrics, "0"));
  }

  private static String first(Pattern pattern, String out, String otherwise) {
    Matcher found = pattern.matcher(out);
    return found.find() ? found.group(1) : otherwise;
  }

  private static double quantile(int percent, String out) {
    return Pattern.compile(QUANTILE.formatted(percent))
        .matcher(out)
        .results()
        .findFirst()
        .map(HttpBenchCommand::millis)
        .orElse(Double.NaN);
  }

  private static double millis(MatchResult time) {
    return Double.parseDouble(time.group(1)) * MILLIS.get(time.group(2));
  }

  private static Map<String, Duration> processorTimes(Cluster cluster) {
    Map<String, Duration> times = new LinkedHashMap<>();
    for (ClusterProcess member : cluster.members()) {
      times.put(
          member.name(),
          cluster
              .running(member)
              .flatMap(handle -> handle.info().totalCpuDuration())
              .orElseThrow(
                  () -> new IllegalStateException(member.name() + " of the cluster does not run")));
    }
    return times;
  }

  private static Map<String, Duration> since(Map<String, Duration> before, Cluster cluster) {
    Map<String, Duration> used = processorTimes(cluster);
    used.replaceAll((name, now) -> now.minus(before.get(name)));
    return used;
  }

  private BenchReport report(Map<String, Double> idle, List<Row> rows) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("load", load.toString());
    settings.put("rate", rate);
    settings.put("seconds", seconds);
    settings.put("warmUpSeconds", warmUp);
    settings.put("turns", turns);
    TextTable loads =
        new TextTable("connections", load + "/s", "p50 ms", "p99 ms", "failed", "at the deadline");
    List<String> heading = new ArrayList<>(List.of("process", "idle, % of a core"));
    for (int each : connections) {
      List<Row> of = rows.stream().filter(row -> row.connections == each).toList();
      loads.row(
          Integer.toString(each),
          MeasuredSpread.of(of, Row::perSecond).text(0),
          MeasuredSpread.of(of, Row::p50).text(0),
          MeasuredSpread.of(of, Row::p99).text(0),
          Long.toString(of.stream().mapToLong(Row::failed).sum()),
          Long.toString(of.stream().mapToLong(Row::atDeadline).sum()));
      heading.add("us each, %d connections".formatted(each));
    }
    TextTable processes = new TextTable(heading.toArray(String[]::new));
    for (String name : idle.keySet()) {
      processes.row(cells(name, idle.get(name), rows, row -> row.micros.get(name)));
    }
    double all = idle.values().stream().mapToDouble(it -> it).sum();
    processes.row(cells("all", all, rows, Row::total));
    return new BenchReport()
        .field("settings", settings)
        .field("machine", BenchReport.machine())
        .field("idle", idle)
        .field("rows", rows)
        .table(loads)
        .table(processes);
  }

  private String[] cells(String name, double idle, List<Row> rows, ToDoubleFunction<Row> micros) {
    List<String> cells = new ArrayList<>(List.of(name, String.format(Locale.ROOT, "%.1f", idle)));
    for (int each : connections) {
      List<Row> of = rows.stream().filter(row -> row.connections == each).toList();
      cells.add(MeasuredSpread.of(of, micros).text(0));
    }
    return cells.toArray(String[]::new);
  }
}
