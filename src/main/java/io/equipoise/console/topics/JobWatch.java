package io.equipoise.console.topics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.remote.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks Flink's REST interface for the state of the job, its checkpoints and its restarts.
 * Thread-safe.
 *
 * <p>State: the latest report, valid for three seconds. The first caller after that asks Flink
 * again, while the others wait for it.
 */
public final class JobWatch {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration KEPT = Duration.ofSeconds(3);

  /** Windows wait for a partition that is further behind the others. */
  private static final Duration WAITING = Duration.ofSeconds(10);

  /** The metric of {@code JobMetric}, as Flink's REST interface names it; it limits a request. */
  private static final Pattern LAG =
      Pattern.compile(
          ".*\\.topic\\..*(?<topic>contexts|rewards)\\.partition\\.(?<partition>\\d+)"
              + "\\.eventTimeLag");

  private static final int METRICS_OF_A_REQUEST = 20;
  private static final int MOST_MEBIBYTES = 16;

  private final @Nullable URI rest;
  private final String jobName;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private @Nullable JobReport kept;
  private long keptAt;

  /**
   * Reports the job as Flink's REST interface describes it.
   *
   * @param state Flink's word for the state of the job; null if unknown
   * @param error why there are no numbers; null if there are
   * @param checkpointEnd when the latest completed checkpoint ended, epoch ms
   * @param windowsWaitFor the partitions that keep windows open, as a sentence; null if none does
   */
  public record JobReport(
      @Nullable String state,
      @Nullable String error,
      @Nullable Long checkpointEnd,
      @Nullable Long checkpointMillis,
      @Nullable Long checkpointBytes,
      @Nullable Long checkpoints,
      @Nullable Long failedCheckpoints,
      @Nullable Long restarts,
      @Nullable Long uptimeMillis,
      @Nullable String windowsWaitFor) {
    static JobReport unknown(String error) {
      return new JobReport(null, error, null, null, null, null, null, null, null, null);
    }
  }

  /**
   * Prepares the questions.
   *
   * @param rest address of Flink's REST interface; null if unknown
   */
  public JobWatch(@Nullable URI rest, String deployment) {
    this.rest = rest;
    jobName = EquipoiseJob.name(deployment);
  }

  /** Returns the address, null if unknown. */
  public @Nullable String source() {
    return rest == null ? null : rest.toString();
  }

  public synchronized JobReport state() {
    URI address = rest;
    if (address == null) {
      return JobReport.unknown(
          "Set console.flink-rest to see the state of the job and its checkpoints.");
    }
    if (kept == null || System.nanoTime() - keptAt > KEPT.toNanos()) {
      kept = ask(address);
      keptAt = System.nanoTime();
    }
    return kept;
  }

  private JobReport ask(URI address) {
    try {
      JsonNode best = null;
      for (JsonNode job : get(address, "/jobs/overview").path("jobs")) {
        boolean isNewer =
            best == null || job.path("start-time").asLong() > best.path("start-time").asLong();
        if (job.path("name").asText().equals(jobName) && isNewer) {
          best = job;
        }
      }
      return best == null
          ? JobReport.unknown("Flink at " + address + " has no job named '" + jobName + "'.")
          : state(address, best);
    } catch (IOException e) {
      return JobReport.unknown("Flink at " + address + " does not answer: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return JobReport.unknown("Interrupted.");
    }
  }

  private JobReport state(URI address, JsonNode job) throws IOException, InterruptedException {
    String id = job.path("jid").asText();
    JsonNode checkpoints = get(address, "/jobs/" + id + "/checkpoints");
    JsonNode latest = checkpoints.path("latest").path("completed");
    JsonNode counts = checkpoints.path("counts");
    JsonNode metrics = get(address, "/jobs/" + id + "/metrics?get=numRestarts");
    return new JobReport(
        job.path("state").asText(),
        null,
        number(latest.path("latest_ack_timestamp")),
        number(latest.path("end_to_end_duration")),
        number(latest.path("state_size")),
        number(counts.path("completed")),
        number(counts.path("failed")),
        number(metrics.path(0).path("value")),
        number(job.path("duration")),
        windowsWaitFor(address, "/jobs/" + id));
  }

  /** Names the partitions whose event time is behind that of the others. */
  private @Nullable String windowsWaitFor(URI address, String job)
      throws IOException, InterruptedException {
    TreeMap<String, TreeMap<Integer, Long>> lags = new TreeMap<>();
    for (JsonNode vertex : get(address, job).path("vertices")) {
      String metrics = job + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
      List<String> names = new ArrayList<>();
      for (JsonNode metric : get(address, metrics)) {
        if (LAG.matcher(metric.path("id").asText()).matches()) {
          names.add(metric.path("id").asText());
        }
      }
      for (int from = 0; from < names.size(); from += METRICS_OF_A_REQUEST) {
        int to = Math.min(names.size(), from + METRICS_OF_A_REQUEST);
        String asked = String.join(",", names.subList(from, to));
        for (JsonNode metric : get(address, metrics + "?get=" + asked)) {
          Matcher name = LAG.matcher(metric.path("id").asText());
          if (name.matches()) {
            lags.computeIfAbsent(name.group("topic"), topic -> new TreeMap<>())
                .put(Integer.valueOf(name.group("partition")), metric.path("max").asLong());
          }
        }
      }
    }
    long least =
        lags.values().stream().flatMap(it -> it.values().stream()).min(Long::compare).orElse(0L);
    long most = least + WAITING.toMillis();
    List<String> waiting = new ArrayList<>();
    lags.forEach(
        (topic, partitions) -> {
          partitions.values().removeIf(lag -> lag <= most);
          if (!partitions.isEmpty()) {
            String numbers =
                partitions.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
            waiting.add("partitions " + numbers + " of " + topic);
          }
        });
    return waiting.isEmpty()
        ? null
        : "Windows wait for "
            + String.join(" and ", waiting)
            + ", which have a backlog or cannot be read.";
  }

  private static @Nullable Long number(JsonNode node) {
    return node.isMissingNode() || node.isNull() ? null : (Long) node.asLong();
  }

  private JsonNode get(URI address, String path) throws IOException, InterruptedException {
    String base = address.toString().replaceFirst("/+$", "");
    HttpResponse<byte[]> answer =
        WholeAnswer.of(
            http, HttpRequest.newBuilder(URI.create(base + path)).build(), TIMEOUT, MOST_MEBIBYTES);
    if (answer.statusCode() != 200) {
      throw new IOException(path + " answers " + answer.statusCode());
    }
    return mapper.readTree(answer.body());
  }
}
