package io.equipoise.console.topics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks Flink's REST interface for the state of the job, its checkpoints and its restarts. Answers
 * are kept for some seconds. Thread-safe.
 */
public final class JobWatch {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration KEPT = Duration.ofSeconds(3);

  private final @Nullable URI rest;
  private final String jobName;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private @Nullable JobReport kept;
  private long keptAt;

  /**
   * What Flink reports.
   *
   * @param state Flink's word for the state of the job; null if unknown
   * @param error why there are no numbers; null if there are
   * @param checkpointEnd when the latest completed checkpoint ended, epoch ms
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
      @Nullable Long uptimeMillis) {
    static JobReport unknown(String error) {
      return new JobReport(null, error, null, null, null, null, null, null, null);
    }
  }

  /**
   * Prepares the questions.
   *
   * @param rest address of Flink's REST interface; null if unknown
   */
  public JobWatch(@Nullable URI rest, String deployment) {
    this.rest = rest;
    jobName = "equipoise " + deployment;
  }

  /** Returns the address, null if unknown. */
  public @Nullable String source() {
    return rest == null ? null : rest.toString();
  }

  /** Returns the state of the job. */
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
        number(job.path("duration")));
  }

  private static @Nullable Long number(JsonNode node) {
    return node.isMissingNode() || node.isNull() ? null : (Long) node.asLong();
  }

  private JsonNode get(URI address, String path) throws IOException, InterruptedException {
    String base = address.toString().replaceFirst("/+$", "");
    HttpResponse<byte[]> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(path + " answers " + answer.statusCode());
    }
    return mapper.readTree(answer.body());
  }
}
