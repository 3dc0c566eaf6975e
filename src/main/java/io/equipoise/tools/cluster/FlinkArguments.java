package io.equipoise.tools.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/**
 * Composes the command lines of Flink's processes like Flink's own scripts: settings from the
 * distribution's {@code conf/}, overridden by the paths of this cluster.
 */
record FlinkArguments(
    Distribution distribution, ClusterLayout clusterLayout, Plan plan, Ports ports, Hosts hosts) {
  private static final String JOB_MANAGER =
      "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
  private static final String TASK_MANAGER =
      "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";

  List<String> jobManager(ClusterProcess clusterProcess) {
    Map<String, String> options = common();
    String address = hosts.address(clusterProcess);
    if (!hosts.areLoopback()) {
      options.put(JobManagerOptions.ADDRESS.key(), address);
    }
    options.put(JobManagerOptions.BIND_HOST.key(), address);
    options.put(HighAvailabilityOptions.HA_JOB_MANAGER_PORT_RANGE.key(), text(ports.jobManager()));
    options.put(RestOptions.ADDRESS.key(), address);
    options.put(RestOptions.BIND_ADDRESS.key(), address);
    options.put(RestOptions.PORT.key(), text(ports.rest()));
    options.put(WebOptions.SUBMIT_ENABLE.key(), "false"); // of jars: `flink run` needs none
    options.put(WebOptions.TMP_DIR.key(), clusterLayout.uploads().toString());
    options.put(WebOptions.UPLOAD_DIR.key(), clusterLayout.uploads().toString());
    options.put(JobManagerOptions.TOTAL_PROCESS_MEMORY.key(), plan.jobManagerMemory());
    Configuration all = configuration(options);
    var memory = JobManagerProcessUtils.processSpecFromConfig(all);
    String jvm = ProcessMemoryUtils.generateJvmParametersStr(memory);
    dynamic(options, JobManagerProcessUtils.generateDynamicConfigsStr(memory));
    return words(
        jvm + ' ' + Distribution.QUICK_START,
        CoreOptions.FLINK_JM_JVM_OPTIONS,
        all,
        JOB_MANAGER,
        options);
  }

  List<String> taskManager(ClusterProcess clusterProcess) {
    Map<String, String> options = common();
    options.put(TaskManagerOptions.HOST.key(), hosts.address(clusterProcess));
    options.put(TaskManagerOptions.BIND_HOST.key(), hosts.address(clusterProcess));
    options.put(TaskManagerOptions.TASK_MANAGER_RESOURCE_ID.key(), clusterProcess.name());
    options.put(TaskManagerOptions.NUM_TASK_SLOTS.key(), text(plan.slots()));
    options.put(TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(), plan.taskManagerMemory());
    // Heap state needs most of a small process's memory.
    options.putIfAbsent(TaskManagerOptions.MANAGED_MEMORY_SIZE.key(), "64m");
    options.putIfAbsent(TaskManagerOptions.JVM_METASPACE.key(), "160m");
    options.putIfAbsent(TaskManagerOptions.JVM_OVERHEAD_MIN.key(), "128m");
    options.putIfAbsent(TaskManagerOptions.JVM_OVERHEAD_MAX.key(), "128m");
    Configuration all = configuration(options);
    TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(all);
    String jvm = ProcessMemoryUtils.generateJvmParametersStr(memory);
    dynamic(options, TaskExecutorProcessUtils.generateDynamicConfigsStr(memory));
    return words(jvm, CoreOptions.FLINK_TM_JVM_OPTIONS, all, TASK_MANAGER, options);
  }

  /** Returns the arguments of Flink's own command, before its verb. */
  List<String> client() {
    Configuration all = configuration(Map.of());
    List<String> words = new ArrayList<>(List.of("-Xmx256m"));
    words.add(Distribution.QUICK_START);
    words.addAll(javaOptions(all));
    words.addAll(List.of("-cp", distribution.flinkClassPath()));
    words.add("org.apache.flink.client.cli.CliFrontend");
    return words;
  }

  private Map<String, String> common() {
    Map<String, String> options = new TreeMap<>();
    options.put(HighAvailabilityOptions.HA_MODE.key(), "zookeeper");
    options.put(
        HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM.key(),
        hosts.address(ClusterProcess.ZOOKEEPER) + ":" + ports.zookeeper());
    options.put(SecurityOptions.ZOOKEEPER_SASL_DISABLE.key(), "true");
    options.put(
        HighAvailabilityOptions.HA_STORAGE_PATH.key(), uri(clusterLayout.highAvailability()));
    options.put(CheckpointingOptions.CHECKPOINTS_DIRECTORY.key(), uri(clusterLayout.checkpoints()));
    options.put(CheckpointingOptions.SAVEPOINT_DIRECTORY.key(), uri(clusterLayout.savepoints()));
    options.put(CoreOptions.TMP_DIRS.key(), clusterLayout.temporary().toString());
    // Both task managers get work, so that each detects the other's end at once.
    options.put(TaskManagerOptions.TASK_MANAGER_LOAD_BALANCE_MODE.key(), "SLOTS");
    options.putAll(plan.flinkSettings());
    return options;
  }

  private Configuration configuration(Map<String, String> options) {
    return GlobalConfiguration.loadConfiguration(
        distribution.conf().toString(), Configuration.fromMap(options));
  }

  private List<String> words(
      String jvm,
      ConfigOption<String> ownOptions,
      Configuration all,
      String main,
      Map<String, String> options) {
    List<String> words = new ArrayList<>(split(jvm));
    words.add("-XX:+UseSerialGC");
    words.addAll(javaOptions(all));
    words.addAll(split(all.get(ownOptions)));
    words.addAll(List.of("-cp", distribution.flinkClassPath()));
    words.addAll(List.of(main, "--configDir", distribution.conf().toString()));
    options.forEach((name, value) -> words.addAll(List.of("-D", name + "=" + value)));
    return words;
  }

  private static List<String> javaOptions(Configuration all) {
    return split(all.get(CoreOptions.FLINK_JVM_OPTIONS));
  }

  /** Adds Flink's output of the form {@code -D a=b -D c=d}. */
  private static void dynamic(Map<String, String> options, String computed) {
    for (String word : split(computed)) {
      String[] option = word.split("=", 2);
      if (option.length == 2) {
        options.put(option[0], option[1]);
      }
    }
  }

  private static List<String> split(String words) {
    return words.isBlank() ? List.of() : Arrays.asList(words.strip().split("\\s+", -1));
  }

  private static String uri(Path path) {
    return path.toUri().toString();
  }

  private static String text(int number) {
    return Integer.toString(number);
  }
}
