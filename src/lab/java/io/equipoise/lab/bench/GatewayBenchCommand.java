package io.equipoise.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.cli.QuietLog;
import io.equipoise.cli.TextTable;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.gateway.Gateway;
import io.equipoise.gateway.GatewayConfig;
import io.equipoise.http.HttpServer;
import io.equipoise.job.options.Delivery;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures decisions over HTTP in this process: {@code bench gateway}. Fields of its JSON: {@code
 * settings}, {@code machine}, {@code rows} with the components of {@link GatewayRow}, and {@code
 * ratio}.
 */
@Command(
    name = "gateway",
    description = {
      "Measures decisions over HTTP: the gateway in front of a job with at-least-once delivery,"
          + " and an identity gateway that answers from memory.",
      "Load, servers, broker and job share this machine.",
      "At the fixed rate it also measures the job alone: from the append of a context until a"
          + " consumer sees its decision."
    },
    mixinStandardHelpOptions = true)
final class GatewayBenchCommand extends BenchCommand {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int WARM_UP_CONNECTIONS = 16;
  private static final int DEADLINE_MILLIS = 20_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();
  @Mixin private JobSizeOptions size = new JobSizeOptions();

  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,16,128",
      description =
          "Connections that send their next request as soon as they have an answer (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> connections = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "200",
      description = "Requests per second of the load at a fixed rate (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Duration of each measurement (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "45",
      description = "Load of each server before its measurements (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  private final Clock clock = Clock.systemUTC();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<GatewayRow> rows = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    refuse(
        connections.stream().anyMatch(each -> each < 1)
            || rate < 1
            || seconds < 1
            || warmUp < 1
            || !size.isPossible(),
        "all numbers must be at least 1");
    QuietLog.set();
    Workload workload = workloadOptions.workload(text -> Workload.endless(text, size.segments()));
    Map<String, String> settings = Map.of("equipoise.delivery", Delivery.AT_LEAST_ONCE.toString());
    try (BenchDeployment deployment =
        BenchDeployment.start(workload, size.parallelism(), settings)) {
      LocalJob job = deployment.start(JobRun.Job.FULL, null, null);
      try (Gateway gateway = Gateway.start(config(deployment), clock)) {
        if (!gateway.awaitReady(PATIENCE)) {
          throw new IllegalStateException("the gateway is not ready after " + PATIENCE);
        }
        URI decisions = URI.create(gateway.address() + IdentityGateway.DECISIONS);
        ObjectNode sample = sample(decisions, workload);
        measureGateway(decisions, deployment);
        try (HttpServer identity = IdentityGateway.start(sample)) {
          URI memory = URI.create(identity.address() + IdentityGateway.DECISIONS);
          measure("identity", new GatewayLoad(memory, number -> body(workload, number), requests));
        }
      }
      job.cancel();
    }
    write(report());
    return 0;
  }

  private static GatewayConfig config(BenchDeployment deployment) {
    Configuration settings = new Configuration(deployment.topics().settings());
    settings.setString("gateway.port", "0");
    return GatewayConfig.from(settings);
  }

  private ObjectNode sample(URI decisions, Workload workload)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(decisions)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body(workload, requests.getAndIncrement())))
            .build();
    String answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    return (ObjectNode) MAPPER.readTree(answer);
  }

  private void measureGateway(URI decisions, BenchDeployment deployment)
      throws InterruptedException {
    Workload workload = deployment.topics().workload();
    GatewayLoad load = new GatewayLoad(decisions, number -> body(workload, number), requests);
    measure("gateway", load);
    progress("job, %d/s".formatted(rate));
    try (JobWaits waits = new JobWaits(deployment.topics().config())) {
      long start = System.nanoTime();
      load.open(rate, Duration.ofSeconds(seconds));
      double elapsed = (System.nanoTime() - start) / 1e9;
      GatewayLoad.Measured measured = new GatewayLoad.Measured(waits.end(), elapsed, 0);
      rows.add(GatewayRow.of("job", rate + "/s", measured));
    }
  }

  private void measure(String server, GatewayLoad load) {
    progress(server + ", warm-up");
    load.closed(WARM_UP_CONNECTIONS, Duration.ofSeconds(warmUp)); // a fixed rate would pile up
    Duration duration = Duration.ofSeconds(seconds);
    for (int each : connections) {
      String name = each == 1 ? "1 connection" : each + " connections";
      progress(server + ", " + name);
      rows.add(GatewayRow.of(server, name, load.closed(each, duration)));
    }
    progress("%s, %d/s".formatted(server, rate)); // last, when the compiler has come to rest
    rows.add(GatewayRow.of(server, rate + "/s", load.open(rate, duration)));
  }

  private String body(Workload workload, int number) {
    long now = clock.millis();
    WireContext context = Wire.CONTEXT.decode(workload.context(number, now).value());
    ObjectNode body = MAPPER.createObjectNode();
    body.put("segment", context.segment());
    body.put("decisionId", context.decisionId());
    body.put("eventTime", now);
    body.put("deadlineMs", DEADLINE_MILLIS);
    body.set("attributes", MAPPER.valueToTree(context.attributes()));
    return body.toString();
  }

  private BenchReport report() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("seconds", seconds);
    settings.put("warmUpSeconds", warmUp);
    settings.put("rate", rate);
    settings.put("parallelism", size.parallelism());
    settings.put("segments", size.segments());
    TextTable target = new TextTable("gateway p99 / (2 x identity p99 + job p99)");
    target.row(String.format(Locale.ROOT, "%.2f", ratio()));
    return new BenchReport()
        .field("settings", settings)
        .field("machine", BenchReport.machine())
        .field("rows", rows)
        .field("ratio", ratio())
        .table(GatewayRow.table(rows))
        .table(target);
  }

  /** Returns the gateway's p99 at the fixed rate over twice the identity's plus the job's own. */
  private double ratio() {
    return p99("gateway") / (2 * p99("identity") + p99("job"));
  }

  private double p99(String server) {
    return rows.stream()
        .filter(row -> row.server().equals(server) && row.load().equals(rate + "/s"))
        .findFirst()
        .orElseThrow()
        .p99();
  }
}
