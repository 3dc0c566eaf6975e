package io.equipoise.job;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker and a cluster of four slots. As an extension it has those that all classes of the JVM
 * share; after {@link #start} it has its own.
 */
public final class TestCluster implements BeforeAllCallback, AutoCloseable {
  private static final int SLOTS = 4;

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
    private static final LocalCluster FLINK = LocalCluster.start(new Configuration(), SLOTS);

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(FLINK::close, "shared-flink-close"));
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    broker = SharedBroker.BROKER;
    flink = SharedFlink.FLINK;
  }

  /** Returns the broker that all classes of the JVM share; nobody closes it. */
  public static EmbeddedBroker broker() {
    return SharedBroker.BROKER;
  }

  TestCluster start() {
    broker = EmbeddedBroker.start();
    flink = LocalCluster.start(new Configuration(), SLOTS);
    return this;
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
    flink.replaceTaskManager();
    TestDeployment.await(job::restarts, now -> now > restarts);
    job.awaitRunning(TestDeployment.PATIENCE);
  }

  /** Returns where the broker keeps the topics. */
  Path brokerDirectory() {
    return broker.directory();
  }

  LocalCluster flink() {
    return flink;
  }
}
