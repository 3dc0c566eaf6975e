package io.equipoise.job;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker and a cluster of four slots. As an extension it starts a cluster for each test class, on
 * a broker that all classes of the JVM share; after {@link #start} it has a broker of its own.
 */
public final class TestCluster implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
  private static final int SLOTS = 4;

  private EmbeddedBroker broker;
  private LocalCluster flink;

  /** Starts with the first class that needs it, and ends with the JVM. */
  private static final class Shared {
    private static final EmbeddedBroker BROKER = EmbeddedBroker.start();

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(BROKER::close, "shared-broker-close"));
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    start(Shared.BROKER);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    flink.close();
  }

  TestCluster start() {
    return start(EmbeddedBroker.start());
  }

  private TestCluster start(EmbeddedBroker started) {
    broker = started;
    flink = LocalCluster.start(new Configuration(), SLOTS);
    return this;
  }

  @Override
  public void close() {
    flink.close();
    broker.close();
  }

  /** Names a deployment; all tests need different names, since classes share a broker. */
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
