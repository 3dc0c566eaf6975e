package io.equipoise.tools.cluster;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.InputPath;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OptionValues;
import io.equipoise.cli.OptionValues.Port;
import io.equipoise.cli.Steps;
import io.equipoise.cli.Verb;
import io.equipoise.gateway.CurlExample;
import io.equipoise.job.options.FlinkSettings;
import io.equipoise.job.options.Secrets;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the processes that do not run, and the job: {@code cluster up}. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Starts the processes that do not run, submits the job if there is "
          + "none, and returns when everything runs. If the job is refused, it ends what it has"
          + " started. Gateway and console are started again when they end; repeat the command for"
          + " the others.",
      "The directory stores the options; options for an existing cluster are rejected.",
      "Its processes listen on loopback without authentication: every user of the machine can"
          + " reach them."
    })
public final class UpCommand extends Verb {
  @Mixin private ClusterDirectory directory = new ClusterDirectory();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      converter = Port.class,
      description = "Port of the broker. Default: a free one.")
  private @Nullable Integer kafkaPort;

  @Option(
      names = "--rest-port",
      paramLabel = "PORT",
      converter = Port.class,
      description = "Port of Flink's web page. Default: a free one.")
  private @Nullable Integer restPort;

  @Option(
      names = "--gateway-port",
      paramLabel = "PORT",
      converter = Port.class,
      description = "Port of the gateway. Default: a free one.")
  private @Nullable Integer gatewayPort;

  @Option(
      names = "--console-port",
      paramLabel = "PORT",
      converter = Port.class,
      description = "Port of the console. Default: a free one.")
  private @Nullable Integer consolePort;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      converter = Parallelism.class,
      description =
          "Parallelism of the job. Each of the two task managers has as many slots, so that one"
              + " can run the job alone. Default: 2.")
  private @Nullable Integer parallelism;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "File with the job's options. Default: conf/equipoise.yaml of the distribution.")
  private @Nullable Path config;

  @Option(
      names = "--specs",
      paramLabel = "PATH",
      converter = InputPath.class,
      description = "Segment specs. Default: conf/specs of the distribution.")
  private @Nullable Path specs;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets an option of the job. Can be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--taskmanager-memory",
      paramLabel = "SIZE",
      converter = Memory.class,
      description = "Memory of each task manager's process. Default: 1g.")
  private @Nullable String taskManagerMemory;

  /** Parses a parallelism: at most as many as there are key groups in {@code conf/config.yaml}. */
  static final class Parallelism implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) OptionValues.whole(text, 1, FlinkSettings.MAX_PARALLELISM);
    }
  }

  /**
   * Parses a memory size: the least one leaves heap after what {@link FlinkArguments} and Flink
   * take.
   */
  static final class Memory implements ITypeConverter<String> {
    private static final MemorySize LEAST = MemorySize.ofMebiBytes(768);
    private static final MemorySize MOST = MemorySize.ofMebiBytes(1 << 20);

    @Override
    public String convert(String text) {
      try {
        MemorySize size = MemorySize.parse(text);
        if (size.compareTo(LEAST) >= 0 && size.compareTo(MOST) <= 0) {
          return text;
        }
      } catch (IllegalArgumentException e) {
        // reported below
      }
      throw OptionValues.refused(text, "size from 768m to 1t, like 1g");
    }
  }

  @Override
  public Integer call() {
    try {
      settings.forEach(UpCommand::refuseSecret);
      ClusterLayout clusterLayout = directory.layout();
      return ClusterLock.hold(clusterLayout, () -> up(clusterLayout));
    } catch (ClusterException
        | SpecException
        | StartRefusedException
        | IllegalArgumentException e) {
      return failed(1, "equipoise cluster up: " + e.getMessage());
    }
  }

  private int up(ClusterLayout clusterLayout) {
    Distribution distribution = Distribution.ofThisProcess();
    Cluster cluster =
        Cluster.open(distribution, clusterLayout)
            .map(this::withoutOptions)
            .orElseGet(
                () ->
                    Cluster.create(
                        distribution,
                        clusterLayout,
                        plan(distribution),
                        port(kafkaPort),
                        port(restPort),
                        port(gatewayPort),
                        port(consolePort)));
    new ClusterStart(cluster, new Steps(err())::done).run();
    ClusterStatus status = ClusterStatus.of(cluster, Clock.systemUTC());
    if (!json.takesStandardOutput()) {
      status.lines().forEach(out()::println);
      say("console " + cluster.consoleAddress() + "/");
      CurlExample.of(
              cluster.gatewayAddress(), SpecFiles.load(Path.of(cluster.file().plan().specs())))
          .map(line -> cluster.needsToken() ? line + " -H 'Authorization: Bearer TOKEN'" : line)
          .ifPresent(line -> say("try " + line));
    }
    json.write(status, out());
    return 0;
  }

  private Cluster withoutOptions(Cluster cluster) {
    boolean isBare =
        kafkaPort == null
            && restPort == null
            && gatewayPort == null
            && consolePort == null
            && parallelism == null
            && config == null
            && specs == null
            && settings.isEmpty()
            && taskManagerMemory == null;
    if (!isBare) {
      throw new ClusterException(
          cluster.layout().directory()
              + " already has a cluster, which keeps its options: give only --dir, or use a"
              + " new --dir");
    }
    return cluster;
  }

  private Plan plan(Distribution distribution) {
    Plan standard = Plan.standard(distribution);
    int slots = parallelism == null ? standard.slots() : parallelism;
    return new Plan(
        standard.taskManagers(),
        slots,
        slots,
        standard.brokerHeap(),
        standard.jobManagerMemory(),
        taskManagerMemory == null ? standard.taskManagerMemory() : taskManagerMemory,
        config == null ? standard.config() : config.toAbsolutePath().toString(),
        specs == null ? standard.specs() : specs.toAbsolutePath().toString(),
        settings,
        Map.of());
  }

  /** The process list shows arguments to every user, and cluster.json would store it. */
  private static void refuseSecret(String name, String value) {
    if (Secrets.isSecret(name, value)) {
      throw new IllegalArgumentException(
          "-D " + name + " is a secret: put it in the file of --config, with mode 600");
    }
  }

  private static int port(@Nullable Integer given) {
    return given == null ? 0 : given;
  }
}
