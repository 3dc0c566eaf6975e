package io.equipoise.sql;

import io.equipoise.job.LoopbackFlink;
import io.equipoise.job.TestDeployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.CollectionUtil;

/** Runs the scripts of {@code deploy/sql} and queries of a deployment. */
final class SqlSession {
  private final StreamTableEnvironment tables;
  private final TestDeployment deployment;

  SqlSession(TestDeployment deployment) {
    this.deployment = deployment;
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, 1);
    settings.setString("rest.bind-port", "0");
    settings.setString("table.local-time-zone", "UTC");
    tables =
        StreamTableEnvironment.create(
            LoopbackFlink.environment(settings), EnvironmentSettings.inBatchMode());
  }

  /** Runs the statements of a script on the topics of the deployment. */
  SqlSession run(String script) throws Exception {
    return run(script, "", "");
  }

  /** As {@link #run(String)}, with a part of the script replaced. */
  SqlSession run(String script, String part, String replacement) throws Exception {
    String text =
        Files.readString(Path.of("deploy", "sql", script))
            .replace("'demo.", "'" + deployment.topics.deployment() + ".")
            .replace("127.0.0.1:9092", deployment.bootstrapServers());
    String here = part.isEmpty() ? text : text.replace(part, replacement);
    for (String statement : here.split(";\n", -1)) {
      String code = statement.replaceAll("(?m)^--.*$", "").strip();
      if (!code.isEmpty() && !code.startsWith("SET ")) {
        statement(code);
      }
    }
    return this;
  }

  /** Runs a statement to its end. */
  void statement(String statement) throws Exception {
    tables.executeSql(statement).await();
  }

  @SuppressWarnings("try") // closing the rows is interruptible
  List<Row> query(String query) throws Exception {
    try (CloseableIterator<Row> rows = tables.executeSql(query).collect()) {
      return List.copyOf(CollectionUtil.iteratorToList(rows));
    }
  }
}
