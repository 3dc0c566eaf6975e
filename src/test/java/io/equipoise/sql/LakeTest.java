package io.equipoise.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.Place;
import io.equipoise.event.Wire;
import io.equipoise.job.TestCluster;
import io.equipoise.job.TestDeployment;
import io.equipoise.segment.TestSpecs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies topics to Parquet files, which DuckDB reads, and to an Iceberg table. The libraries are
 * those of the profile {@code foreign}.
 */
@Tag("foreign")
class LakeTest {
  private static final int RECORDS = 5;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void duckDbReadsTheParquetFilesAndFlinkTheIcebergTable(@TempDir Path directory) throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("lake").publish(TestSpecs.dUcb())) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        var place = new Place("s" + i, 1, i + 1);
        deployment.send(
            deployment.topics.decisions(),
            "s",
            Wire.DECISION.encode(SqlViewsTest.decision(place, "d" + i)));
        deployment.send(
            deployment.topics.segmentEvents(),
            "s",
            Wire.SEGMENT_EVENT.encode(SqlViewsTest.end(place, "d" + i)));
        sent.add("d" + i + ", s" + i);
      }
      SqlSession sql = new SqlSession(deployment).run("tables.sql");
      sql.run("lake.sql", "/tmp/equipoise-lake", directory.resolve("lake").toString());
      assertEquals(
          sent.stream().map(it -> it + ", EXPLOIT, 0.5").toList(),
          duckDb(
              """
              SELECT d.decisionId, d.place.segment, d.reason, e.decision.learnedReward
              FROM read_parquet('%1$s/decisions/day=*/*', hive_partitioning = true) d
              JOIN read_parquet('%1$s/segment_events/day=*/*', hive_partitioning = true) e
                ON e.place.segment = d.place.segment
                AND coalesce(e.decision.hash, substr(sha256(e.decision.id), 1, 32)) = substr(sha256(d.decisionId), 1, 32)
              WHERE e.eventTime = epoch_ms(1000 * d.place.seq)
              ORDER BY 1
              """
                  .formatted(directory.resolve("lake"))));
      sql.statement(
          "CREATE CATALOG lake WITH ('type' = 'iceberg', 'catalog-type' = 'hadoop', 'warehouse' = '%s')"
              .formatted(directory.resolve("iceberg").toUri()));
      sql.statement("CREATE DATABASE lake.shop");
      sql.statement(
          "CREATE TABLE lake.shop.decisions AS SELECT decisionId, place, arm, kafka_time FROM decisions");
      assertEquals(
          sent,
          sql.query("SELECT decisionId, place.segment FROM lake.shop.decisions").stream()
              .map(row -> row.getField(0) + ", " + row.getField(1))
              .sorted()
              .toList());
    }
  }

  private static List<String> duckDb(String query) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
          row.add(result.getString(column));
        }
        rows.add(String.join(", ", row));
      }
    }
    return rows;
  }
}
