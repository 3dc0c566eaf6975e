package io.equipoise.job;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker and a Flink cluster. As an extension it has those that all classes of the JVM share, at
 * the same time; of {@link #withMortalTaskManagers} it shares only the broker, and after {@link
 * #start} it has its own.
 */
public final class TestCluster implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
  private static final int PARALLELISM = 4;

  /** Suites run six at a time, and the jobs of a suite one after the other. */
  private static final int SHARED_SLOTS = 6 * PARALLELISM;

  private static final String SHARED_NETWORK_MEMORY = "384m";

  private boolean ownsFlink;
  private EmbeddedBroker broker;
  private LocalCluster flink;

  /** Starts with the first class that needs it, and ends with the JVM. */
  private static final class SharedBroker {
    private static final EmbeddedBroker BROKER = EmbeddedBroker.start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close, "shared-broker-close"));
    }
  }

  /** As {@link SharedBroker}. */
  private static final class SharedFlink {
    private static final LocalCluster FLINK = LocalCluster.start(settings(), SHARED_SLOTS);

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(FLINK::close, "shared-flink-close"));
    }

    private static Configuration settings() {
      return new Configuration()
          .set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM)
          .set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.parse(SHARED_NETWORK_MEMORY))
          .set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.parse(SHARED_NETWORK_MEMORY));
    }
  }

  public TestCluster() {
    this(false);
  }

  private TestCluster(boolean ownsFlink) {
    this.ownsFlink = ownsFlink;
  }

  /** Has a Flink cluster of its own, so that an end of its task manager meets no other suite. */
  public static TestCluster withMortalTaskManagers() {
    return new TestCluster(true);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    broker = SharedBroker.BROKER;
    flink = ownsFlink ? ownFlink() : SharedFlink.FLINK;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (ownsFlink) {
      flink.close();
    }
  }

  /** Returns the broker that all classes of the JVM share; nobody closes it. */
  public static EmbeddedBroker broker() {
    return SharedBroker.BROKER;
  }

  TestCluster start() {
    broker = EmbeddedBroker.start();
    flink = ownFlink();
    ownsFlink = true;
    return this;
  }

  private static LocalCluster ownFlink() {
    return LocalCluster.start(new Configuration(), PARALLELISM);
  }

  @Override
  public void close() {
    flink.close();
    broker.close();
  }

  /** Names a deployment; all tests need different names, since classes share the broker. */
  public TestDeployment deployment(String name) {
    return new TestDeployment(broker, flink, name);
  }

  /** Ends the task manager, and waits until the job runs again on another. */
  public void kill(LocalJob job) {
    int restarts = job.restarts();
    replaceTaskManager();
    TestDeployment.await(job::restarts, now -> now > restarts);
    job.awaitRunning(TestDeployment.PATIENCE);
  }

  /** Ends the task manager and starts another. */
  void replaceTaskManager() {
    if (!ownsFlink) {
      throw new IllegalStateException("other suites have jobs here: use withMortalTaskManagers()");
    }
    flink.replaceTaskManager();
  }

  /** Returns where the broker keeps the topics. */
  Path brokerDirectory() {
    return broker.directory();
  }

  LocalCluster flink() {
    return flink;
  }
}
