package io.equipoise.sql;

import io.equipoise.Docs;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.TopicTable;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.LogicalType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes the tables of Flink SQL, one for each topic of records, and those of the lake. */
class TableDefinitionsTest {
  /** Run with {@code -Dequipoise.write-docs=true} to write the files. */
  @ParameterizedTest
  @ValueSource(strings = {"tables.sql", "tables-confluent.sql"})
  void theTablesHaveTheColumnsOfTheSchemas(String file) throws Exception {
    boolean hasRegistry = file.equals("tables-confluent.sql");
    Docs.assertGenerated(
        "deploy/sql/" + file,
        TableDefinitionsTest.class,
        any ->
            """
-- Tables of Flink SQL for the topics of a deployment%s. Generated from avro/; do not edit.
-- Give the SQL client flink-sql-connector-kafka-5.0.0-2.2.jar and equipoise-sql.jar by -j: docs/integrations.md.
-- Another deployment and broker: sed "s/'demo\\./'shop./; s/127.0.0.1:9092/kafka:9092/" %s
-- A query reads until the ends of the topics at its start, and reads committed records only. To follow the
-- topics, SET 'execution.runtime-mode' = 'streaming', and add /*+ OPTIONS('scan.bounded.mode'='unbounded') */
-- to the name of the table.

"""
                    .formatted(hasRegistry ? " that uses a schema registry" : "", file)
                + TopicTable.topics().stream()
                    .filter(topic -> TopicTable.schema(topic) != null)
                    .map(topic -> table(topic, TopicTable.schema(topic), hasRegistry))
                    .collect(Collectors.joining("\n"))
                + """

-- Every record of decisions as bytes. With at-least-once delivery, those without bytes start a writer epoch.
CREATE TABLE `raw_decisions` (
  `value` BYTES,
  `headers` MAP<STRING, BYTES> METADATA VIRTUAL,
"""
                + PLACE
                + source(new Topics("deployment").decisions())
                + "  'format' = 'raw'\n);\n");
  }

  /** Run with {@code -Dequipoise.write-docs=true} to write the file. */
  @Test
  void theLakeHasTheColumnsOfTheTables() throws Exception {
    Docs.assertGenerated(
        "deploy/sql/lake.sql",
        TableDefinitionsTest.class,
        any ->
            """
            -- Copies topics to Parquet files, one directory a day of Kafka's time stamps. Generated from avro/; do not edit.
            -- Run it after tables.sql. lib/ also needs flink-parquet-2.2.0.jar with parquet-hadoop, its dependencies and zstd-jni,
            -- and hadoop-client-api-3.4.2.jar and hadoop-client-runtime-3.4.2.jar; the paths may be of any file system of Flink.
            -- In batch mode it copies what is there. To copy for ever, exactly once, before the INSERT statements:
            --   SET 'execution.runtime-mode' = 'streaming'; SET 'execution.checkpointing.interval' = '10 min';
            --   ALTER TABLE `decisions` SET ('scan.bounded.mode' = 'unbounded');   and so for the other two
            SET 'table.local-time-zone' = 'UTC';

            """
                + Stream.of(LogTopic.DECISIONS, LogTopic.AUDIT, LogTopic.SEGMENT_EVENTS)
                    .map(TableDefinitionsTest::lake)
                    .collect(Collectors.joining("\n")));
  }

  private static String lake(LogTopic topic) {
    String table = topic.suffix().replace('-', '_');
    String columns =
        TopicTable.schema(new Topics("deployment").of(topic)).getFields().stream()
            .map(field -> "`" + field.name() + "`, ")
            .collect(Collectors.joining());
    return """
    CREATE TABLE `lake_%1$s` (`day` STRING) PARTITIONED BY (`day`) WITH (
      'connector' = 'filesystem',
      'path' = 'file:///tmp/equipoise-lake/%1$s',
      'format' = 'parquet',
      'parquet.compression' = 'ZSTD',
      'parquet.utc-timezone' = 'true',
      'parquet.write.int64.timestamp' = 'true',
      'parquet.timestamp.time.unit' = 'millis'
    ) LIKE `%1$s` (EXCLUDING ALL);
    INSERT INTO `lake_%1$s`
    SELECT %2$sDATE_FORMAT(`kafka_time`, 'yyyy-MM-dd') FROM `%1$s`;
    """
        .formatted(table, columns);
  }

  private static final String PLACE =
      """
        `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
        `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
        `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
        WATERMARK FOR `kafka_time` AS `kafka_time`
      ) WITH (
        'connector' = 'kafka',
      """;

  private static String table(String topic, Schema schema, boolean hasRegistry) {
    String suffix = topic.substring(topic.indexOf('.') + 1);
    boolean isInput =
        suffix.equals(LogTopic.CONTEXTS.suffix()) || suffix.equals(LogTopic.REWARDS.suffix());
    String columns =
        schema.getFields().stream()
            .map(
                field ->
                    "  `%s` %s,\n"
                        .formatted(
                            field.name(), sql(AvroColumns.type(field.schema()).getLogicalType())))
            .collect(Collectors.joining());
    return "CREATE TABLE `%s` (\n".formatted(suffix.replace('-', '_').toLowerCase(Locale.ROOT))
        + columns
        + PLACE
        + source(topic)
        + "  'format' = 'avro-single-object',\n"
        + (hasRegistry
            ? "  'avro-single-object.schema.registry.url' = 'http://127.0.0.1:8081',\n"
            : "")
        + "  'avro-single-object.record' = '%s'".formatted(schema.getName())
        + (isInput ? ",\n  'avro-single-object.ignore-parse-errors' = 'true'\n" : "\n")
        + ");\n";
  }

  private static String source(String topic) {
    return """
             'topic' = 'demo.%s',
             'properties.bootstrap.servers' = '127.0.0.1:9092',
             'properties.isolation.level' = 'read_committed',
             'scan.startup.mode' = 'earliest-offset',
             'scan.bounded.mode' = 'latest-offset',
           """
        .formatted(topic.substring(topic.indexOf('.') + 1));
  }

  private static String sql(LogicalType type) {
    return type.asSerializableString()
        .replace("VARCHAR(2147483647)", "STRING")
        .replace("VARBINARY(2147483647)", "BYTES")
        .replace("TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(3)");
  }
}
