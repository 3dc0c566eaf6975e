package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.tools.LoopbackPorts;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts what docker-compose.yml describes as plain processes on loopback, with the settings that
 * are written there and the jars of Flink only. Submits the job jar with Flink's own command, stops
 * it with a savepoint, and resumes by Flink's REST interface with another parallelism. {@code
 * -Dequipoise.flink} lists directories below {@code target}, one for each start of the job, whose
 * jars the cluster has.
 */
class PlainProcessesIT {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final String DISTRIBUTION = "equipoise/lib";
  private static final Path JOB_JAR = TARGET.resolve("equipoise-job.jar");
  private static final Path CONF = Path.of("flink-conf").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Beginnings of the names of the jars that Flink's own class path needs. */
  static final Pattern OF_FLINK =
      Pattern.compile(
          "(async-profiler|commons-(cli|collections|compress|io|lang3|math3|text)"
              + "|flink-(?!connector-kafka|metrics-prometheus)|frocksdbjni|javassist|jsr305|kryo"
              + "|log4j|lz4-java|minlog|objenesis|reflectasm|RoaringBitmap|slf4j|snakeyaml-engine"
              + "|snappy-java)-?.*");

  /** Index of the first process of Flink; those of the broker are before it. */
  private static final int FLINK = 2;

  @TempDir private Path directory;

  /** Directories of jars below {@code target}, one for each start of the job. */
  private static final List<String> STARTS =
      List.of(
          System.getProperty("equipoise.flink", DISTRIBUTION + "," + DISTRIBUTION).split(",", -1));

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Process> started = new ArrayList<>();
  private String flink = STARTS.get(0);
  private int rest;
  private ComposeFile compose;
  private long deadline;

  @BeforeEach
  void read() throws IOException {
    compose = ComposeFile.read();
    deadline = System.nanoTime() + PATIENCE.toNanos();
  }

  @AfterEach
  void endWhatWasStarted() throws InterruptedException {
    end(started);
  }

  private static void end(List<Process> processes) throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly();
    }
    for (Process process : processes) {
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void contextsAreAnsweredByTheProcessesOfTheComposeFileThroughASavepoint() throws Exception {
    int kafkaPort = startKafka();
    rest = startFlink();
    String job = submit(kafkaPort);
    Decision before = ask("localhost:" + kafkaPort, "d0");
    for (int start = 1; start < STARTS.size(); start++) {
      String savepoint = stop(job);
      if (!flink.equals(STARTS.get(start))) {
        end(started.subList(FLINK, started.size()));
        flink = STARTS.get(start);
        deadline = System.nanoTime() + PATIENCE.toNanos();
        rest = startFlink();
      }
      job = resume(kafkaPort, savepoint);
      Decision after = ask("localhost:" + kafkaPort, "d" + start);
      assertEquals(before.versions(), after.versions());
      assertEquals(before.seq() + 1, after.seq(), "the state goes on");
      before = after;
    }
  }

  private int startKafka() throws Exception {
    int port = LoopbackPorts.next();
    int controllerPort = LoopbackPorts.next();
    Map<String, String> settings = compose.brokerProperties();
    settings.put("log.dirs", directory.resolve("kafka").toString());
    settings.put(
        "listeners",
        "CLUSTER://"
            + LOOPBACK
            + ":"
            + LoopbackPorts.next()
            + ",HOST://"
            + LOOPBACK
            + ":"
            + port
            + ",CONTROLLER://"
            + LOOPBACK
            + ":"
            + controllerPort);
    settings.put(
        "advertised.listeners",
        settings
            .get("listeners")
            .replaceFirst(",CONTROLLER.*", "")
            .replace("HOST://" + LOOPBACK, "HOST://localhost"));
    settings.put("controller.quorum.voters", "1@" + LOOPBACK + ":" + controllerPort);
    List<String> lines =
        settings.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
    Path file = Files.write(directory.resolve("server.properties"), lines);
    Process format =
        java(
            "format",
            "256m",
            "kafka.tools.StorageTool",
            "format",
            "-c",
            file.toString(),
            "-t",
            compose.environment("kafka").get("CLUSTER_ID"));
    assertTrue(format.waitFor(120, TimeUnit.SECONDS) && format.exitValue() == 0, log("format"));
    java("kafka", "384m", "kafka.Kafka", file.toString());
    awaitPort(port, "kafka");
    return port;
  }

  private int startFlink() throws Exception {
    int restPort = LoopbackPorts.next();
    Map<String, String> manager = here(compose.flinkOptions("jobmanager"));
    manager.put("jobmanager.rpc.port", Integer.toString(LoopbackPorts.next()));
    manager.put("jobmanager.bind-host", LOOPBACK);
    manager.put("rest.address", LOOPBACK);
    manager.put("rest.bind-address", LOOPBACK);
    manager.put("rest.port", Integer.toString(restPort));
    manager.put("web.submit.enable", "true"); // Flink's default; this project's clusters refuse it
    java(
        "jobmanager",
        "512m",
        words(
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            manager,
            "--configDir",
            CONF.toString()));
    awaitPort(restPort, "jobmanager");

    Map<String, String> worker = here(compose.flinkOptions("taskmanager"));
    worker.put("jobmanager.rpc.port", manager.get("jobmanager.rpc.port"));
    worker.put("taskmanager.rpc.port", Integer.toString(LoopbackPorts.next()));
    worker.put("taskmanager.host", LOOPBACK);
    worker.put("taskmanager.bind-host", LOOPBACK);
    worker.put(
        "taskmanager.memory.process.size", "1g"); // less than Docker's: tests share a machine
    Configuration options =
        GlobalConfiguration.loadConfiguration(CONF.toString(), Configuration.fromMap(worker));
    for (String memory :
        TaskExecutorProcessUtils.generateDynamicConfigsStr(
                TaskExecutorProcessUtils.processSpecFromConfig(options))
            .replace("-D ", "")
            .trim()
            .split("\\s+", -1)) {
      String[] option = memory.split("=", 2);
      worker.put(option[0], option[1]);
    }
    assertEquals(
        "6122", compose.flinkOptions("taskmanager").get(TaskManagerOptions.RPC_PORT.key()));
    java(
        "taskmanager",
        "448m",
        words(
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            worker,
            "--configDir",
            CONF.toString()));
    return restPort;
  }

  /** Submits the job jar with Flink's command and returns the job's id. */
  private String submit(int kafkaPort) throws Exception {
    List<String> words = new ArrayList<>();
    words.add("org.apache.flink.client.cli.CliFrontend");
    for (String word : compose.runArguments()) {
      words.add(word.replace("rest.address=jobmanager", "rest.address=" + LOOPBACK));
    }
    words.add("-Drest.port=" + rest);
    words.add(JOB_JAR.toString());
    words.addAll(jobArguments(kafkaPort));
    Process cli = java("submit", "256m", words.toArray(new String[0]));
    assertTrue(cli.waitFor(120, TimeUnit.SECONDS) && cli.exitValue() == 0, log("submit"));
    return get("/jobs").at("/jobs/0/id").asText();
  }

  private List<String> jobArguments(int kafkaPort) {
    List<String> words = new ArrayList<>();
    for (String word : compose.jobArguments()) {
      int path = word.indexOf(ComposeFile.FLINK_MOUNT);
      String here =
          path < 0
              ? word
              : word.substring(0, path) + compose.mounted(word.substring(path)).toAbsolutePath();
      words.add(here.replace("kafka:19092", "localhost:" + kafkaPort));
    }
    return words;
  }

  /** Stops the job with a savepoint and returns its location. */
  private String stop(String job) throws Exception {
    String request =
        post("/jobs/" + job + "/stop", "application/json", "{}".getBytes(StandardCharsets.UTF_8))
            .path("request-id")
            .asText();
    while (System.nanoTime() < deadline) {
      JsonNode answer = get("/jobs/" + job + "/savepoints/" + request);
      if (answer.at("/status/id").asText().equals("COMPLETED")) {
        assertTrue(answer.at("/operation").has("location"), answer::toString);
        return answer.at("/operation/location").asText();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new AssertionError("no savepoint\n" + log("jobmanager"));
  }

  /** Uploads the job jar, runs it from a savepoint and returns the job's id. */
  private String resume(int kafkaPort, String savepoint) throws Exception {
    String part =
        "--part\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"job.jar\"";
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes((part + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    body.writeBytes(Files.readAllBytes(JOB_JAR));
    body.writeBytes("\r\n--part--\r\n".getBytes(StandardCharsets.UTF_8));
    String file =
        post("/jars/upload", "multipart/form-data; boundary=part", body.toByteArray())
            .path("filename")
            .asText();
    byte[] run =
        JSON.writeValueAsBytes(
            Map.of(
                "programArgsList",
                jobArguments(kafkaPort),
                "parallelism",
                2,
                "savepointPath",
                savepoint));
    return post("/jars/" + Path.of(file).getFileName() + "/run", "application/json", run)
        .path("jobid")
        .asText();
  }

  private JsonNode get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  private JsonNode post(String path, String type, byte[] body) throws Exception {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  private URI uri(String path) {
    return URI.create("http://" + LOOPBACK + ":" + rest + path);
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertTrue(answer.statusCode() < 300, () -> answer.uri() + ": " + answer.body());
    return JSON.readTree(answer.body());
  }

  private Decision ask(String brokers, String id) throws Exception {
    Map<String, Object> clients = new TreeMap<>(Map.of("bootstrap.servers", brokers));
    long now = System.currentTimeMillis();
    Map<String, Object> person = Map.of("X1", "female", "X2", "18-29", "X3", "technical");
    byte[] key = "email-ucb".getBytes(StandardCharsets.UTF_8);
    try (var producer =
        new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] value = Wire.CONTEXT.encode(new WireContext(id, "email-ucb", now, person, null, null));
      producer.send(new ProducerRecord<>("demo.contexts", key, value)).get();
    }
    clients.put("isolation.level", "read_committed");
    try (var consumer =
        new KafkaConsumer<>(clients, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor("demo.decisions").stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (System.nanoTime() < deadline) {
        for (var record : consumer.poll(PAUSE)) {
          Decision decision = Wire.DECISION.decode(record.value());
          if (decision.decisionId().equals(id)) {
            assertTrue(decision.isChosen(), () -> decision.reason() + ": " + decision.errorCode());
            return decision;
          }
        }
      }
    }
    throw new AssertionError("no answer\n" + log("jobmanager") + log("taskmanager"));
  }

  /** Replaces what is true in a network of containers by what is on this machine. */
  private Map<String, String> here(Map<String, String> options) {
    Map<String, String> here = new TreeMap<>();
    options.keySet().removeIf(name -> name.startsWith("metrics.")); // listens on all interfaces
    options.forEach(
        (name, value) ->
            here.put(
                name,
                value
                    .replace("file:///state", directory.resolve("state").toUri().toString())
                    .replaceFirst("^jobmanager$", LOOPBACK)));
    return here;
  }

  private static String[] words(String main, Map<String, String> options, String... rest) {
    List<String> words = new ArrayList<>(List.of(main));
    words.addAll(Arrays.asList(rest));
    options.forEach((name, value) -> words.addAll(List.of("-D", name + "=" + value)));
    return words.toArray(new String[0]);
  }

  private Process java(String name, String heap, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dlog4j2.configurationFile=" + CONF.resolve("log4j.properties"));
    boolean isFlink = words[0].startsWith("org.apache.flink.");
    if (isFlink) { // as Flink's scripts do, which split at blanks
      Configuration conf = GlobalConfiguration.loadConfiguration(CONF.toString());
      command.addAll(split(conf.get(CoreOptions.FLINK_JVM_OPTIONS)));
      if (words[0].endsWith(".TaskManagerRunner")) {
        command.addAll(split(conf.get(CoreOptions.FLINK_TM_JVM_OPTIONS)));
      }
    }
    command.addAll(List.of("-cp", classPath(isFlink)));
    command.addAll(Arrays.asList(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile());
    builder.environment().put("FLINK_CONF_DIR", CONF.toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static List<String> split(String options) {
    return Arrays.asList(options.split("\\s+", -1));
  }

  private String classPath(boolean isFlink) throws IOException {
    try (Stream<Path> library = Files.list(TARGET.resolve(isFlink ? flink : DISTRIBUTION))) {
      return library
          .filter(jar -> !isFlink || OF_FLINK.matcher(jar.getFileName().toString()).matches())
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private void awaitPort(int port, String name) throws IOException {
    Process newest = started.get(started.size() - 1);
    while (newest.isAlive() && System.nanoTime() < deadline) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertTrue(socket.isConnected());
        return;
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    throw new AssertionError("nothing listens at " + port + "\n" + log(name));
  }

  private String log(String name) throws IOException {
    return name + ":\n" + Files.readString(directory.resolve(name + ".log"));
  }
}
