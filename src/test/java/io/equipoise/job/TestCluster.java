package io.equipoise.job;

import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker and a cluster of four slots, for all tests of a class or for one. */
public final class TestCluster implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
  private static final int SLOTS = 4;

  private EmbeddedBroker broker;
  private LocalCluster flink;

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
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

  /** Names a deployment; tests of a class need different names. */
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
