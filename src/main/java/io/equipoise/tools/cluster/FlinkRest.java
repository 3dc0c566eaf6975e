package io.equipoise.tools.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.Failures;
import io.equipoise.remote.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Queries a job manager's REST interface. Queries return nothing while no job manager leads, which
 * takes a while after a failure.
 */
public final class FlinkRest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Set<String> OVER = Set.of("FINISHED", "CANCELED", "FAILED");
  private static final int MOST_MEBIBYTES = 16;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final List<URI> roots;

  /** Connects to the job manager on a port of this machine. */
  public FlinkRest(int port) {
    this(List.of(Ports.LOOPBACK), port);
  }

  /** Connects to the first of several job managers that replies. */
  FlinkRest(List<String> addresses, int port) {
    roots =
        addresses.stream()
            .map(address -> URI.create("http://" + address + ":" + port + "/"))
            .toList();
  }

  /** Returns the address of the first job manager. */
  public URI root() {
    return roots.get(0);
  }

  /** Returns the slots of every registered task manager, by its resource id. */
  public Map<String, Integer> slots() {
    Map<String, Integer> slots = new TreeMap<>();
    get("taskmanagers")
        .ifPresent(
            all ->
                all.path("taskmanagers")
                    .forEach(
                        one ->
                            slots.put(one.path("id").asText(), one.path("slotsNumber").asInt())));
    return slots;
  }

  /** Returns the job that has not ended, the oldest if there are several. */
  public Optional<JobState> job() {
    return jobs().stream().min(Comparator.comparingLong(JobState::startMillis));
  }

  /** Returns the jobs that have not ended. */
  public List<JobState> jobs() {
    return all().stream().filter(job -> !OVER.contains(job.state())).toList();
  }

  /**
   * Returns the root cause of a job's permanent failure without the stack, once it has failed.
   *
   * @param sinceMillis epoch milliseconds; ignores jobs that started before
   */
  public Optional<String> failure(long sinceMillis) {
    return all().stream()
        .filter(job -> job.state().equals("FAILED") && job.startMillis() >= sinceMillis)
        .findFirst()
        .flatMap(job -> get("jobs/" + job.id() + "/exceptions"))
        .map(all -> all.path("exceptionHistory").path("entries").path(0).path("stacktrace"))
        .map(stack -> StackTraceText.rootCause(stack.asText()));
  }

  private List<JobState> all() {
    List<JobState> jobs = new ArrayList<>();
    get("jobs/overview").ifPresent(all -> all.path("jobs").forEach(job -> jobs.add(jobState(job))));
    return jobs;
  }

  /** Requests the cancellation of a job. */
  public void cancel(String job) {
    send(
        "jobs/" + job + "?mode=cancel",
        request -> request.method("PATCH", HttpRequest.BodyPublishers.noBody()));
  }

  /** Returns whether a job manager leads and replies. */
  public boolean answers() {
    return get("jobs/overview").isPresent();
  }

  /** Returns the newest completed checkpoint of a job. */
  public Optional<LastCheckpoint> lastCheckpoint(String job) {
    return get("jobs/" + job + "/checkpoints")
        .map(all -> all.path("latest").path("completed"))
        .filter(JsonNode::isObject)
        .map(
            one ->
                new LastCheckpoint(
                    one.path("id").asLong(),
                    one.path("latest_ack_timestamp").asLong(),
                    one.path("end_to_end_duration").asLong(),
                    one.path("state_size").asLong(),
                    one.path("external_path").asText()));
  }

  /** Returns whether a job has completed a checkpoint since its last start or restore. */
  public boolean hasProgressed(String job) {
    return get("jobs/" + job + "/checkpoints")
        .map(all -> all.path("latest"))
        .filter(latest -> latest.path("completed").isObject())
        .filter(
            latest ->
                latest.path("completed").path("id").asLong()
                    > latest.path("restored").path("id").asLong(-1))
        .isPresent();
  }

  /** Returns the resource ids of the task managers that run tasks of a job. */
  public Set<String> workers(String job) {
    Set<String> workers = new TreeSet<>();
    get("jobs/" + job)
        .ifPresent(
            details -> {
              for (JsonNode vertex : details.path("vertices")) {
                get("jobs/" + job + "/vertices/" + vertex.path("id").asText())
                    .ifPresent(
                        tasks ->
                            tasks
                                .path("subtasks")
                                .forEach(
                                    task -> workers.add(task.path("taskmanager-id").asText())));
              }
            });
    workers.removeIf(id -> id.isEmpty() || id.startsWith("(unassigned"));
    return workers;
  }

  /** Requests a stop with a savepoint, without draining; returns the id for {@link #savepoint}. */
  Optional<String> stopWithSavepoint(String job) {
    return send(
            "jobs/" + job + "/stop",
            request ->
                request
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"drain\": false}")))
        .map(answer -> answer.path("request-id").asText());
  }

  /** Returns the path of a requested savepoint, or its failure, once it is known. */
  Optional<Savepoint> savepoint(String job, String request) {
    return get("jobs/" + job + "/savepoints/" + request)
        .filter(answer -> answer.path("status").path("id").asText().equals("COMPLETED"))
        .map(answer -> answer.path("operation"))
        .map(
            done ->
                new Savepoint(
                    done.path("location").asText(),
                    StackTraceText.rootCause(
                        done.path("failure-cause").path("stack-trace").asText())));
  }

  /**
   * A savepoint.
   *
   * @param path empty if it failed
   * @param failure its root cause without the stack; empty if it did not fail
   */
  record Savepoint(String path, String failure) {}

  private Optional<JsonNode> get(String path) {
    return send(path, HttpRequest.Builder::GET);
  }

  private Optional<JsonNode> send(String path, UnaryOperator<HttpRequest.Builder> method) {
    return roots.stream()
        .map(root -> send(root, method.apply(HttpRequest.newBuilder(root.resolve(path)))))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<JsonNode> send(URI root, HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer =
          WholeAnswer.of(client, request.build(), PATIENCE, MOST_MEBIBYTES);
      return answer.statusCode() / 100 == 2
          ? Optional.of(MAPPER.readTree(answer.body()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      throw new ClusterException(
          "the service at " + root + " is no Flink job manager: " + Failures.words(e), e);
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted during a request to " + root, e);
    }
  }

  private static JobState jobState(JsonNode job) {
    int all = job.path("tasks").path("total").asInt();
    int running = job.path("tasks").path("running").asInt();
    return new JobState(
        job.path("jid").asText(),
        job.path("name").asText(),
        job.path("state").asText(),
        job.path("start-time").asLong(),
        all,
        running);
  }

  /**
   * Describes a job as its job manager reports it.
   *
   * @param startMillis epoch milliseconds
   * @param tasks number of tasks of all operators
   * @param running number of running tasks
   */
  public record JobState(
      String id, String name, String state, long startMillis, int tasks, int running) {
    /** Returns whether all tasks run. */
    public boolean isWhole() {
      return state.equals("RUNNING") && tasks > 0 && running == tasks;
    }
  }

  /**
   * Describes the newest complete checkpoint of a job.
   *
   * @param completedMillis epoch milliseconds
   * @param durationMillis from its trigger to the last acknowledgement
   * @param bytes of state
   */
  public record LastCheckpoint(
      long id, long completedMillis, long durationMillis, long bytes, String path) {}
}
