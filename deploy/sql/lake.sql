-- Copies topics to Parquet files, one directory a day of Kafka's time stamps. Generated from avro/; do not edit.
-- Run it after tables.sql. lib/ also needs flink-parquet-2.2.0.jar with parquet-hadoop, its dependencies and zstd-jni,
-- and hadoop-client-api-3.4.2.jar and hadoop-client-runtime-3.4.2.jar; the paths may be of any file system of Flink.
-- In batch mode it copies what is there. To copy for ever, exactly once, before the INSERT statements:
--   SET 'execution.runtime-mode' = 'streaming'; SET 'execution.checkpointing.interval' = '10 min';
--   ALTER TABLE `decisions` SET ('scan.bounded.mode' = 'unbounded');   and so for the other two
SET 'table.local-time-zone' = 'UTC';

CREATE TABLE `lake_decisions` (`day` STRING) PARTITIONED BY (`day`) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///tmp/equipoise-lake/decisions',
  'format' = 'parquet',
  'parquet.compression' = 'ZSTD',
  'parquet.utc-timezone' = 'true',
  'parquet.write.int64.timestamp' = 'true',
  'parquet.timestamp.time.unit' = 'millis'
) LIKE `decisions` (EXCLUDING ALL);
INSERT INTO `lake_decisions`
SELECT `decisionId`, `place`, `source`, `eventTime`, `versions`, `policy`, `arm`, `reason`, `errorCode`, `certified`, `fairSetSize`, `candidates`, `propensities`, `estimate`, `features`, `candidateFeatures`, `sample`, `keyGroup`, `recovered`, `redaction`, DATE_FORMAT(`kafka_time`, 'yyyy-MM-dd') FROM `decisions`;

CREATE TABLE `lake_audit` (`day` STRING) PARTITIONED BY (`day`) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///tmp/equipoise-lake/audit',
  'format' = 'parquet',
  'parquet.compression' = 'ZSTD',
  'parquet.utc-timezone' = 'true',
  'parquet.write.int64.timestamp' = 'true',
  'parquet.timestamp.time.unit' = 'millis'
) LIKE `audit` (EXCLUDING ALL);
INSERT INTO `lake_audit`
SELECT `decisionId`, `place`, `eventTime`, `versions`, `policy`, `arm`, `certified`, `explored`, `fairSetSize`, `effect`, `conclusion`, `dual`, `excluded`, `cumulativeViolation`, `redaction`, DATE_FORMAT(`kafka_time`, 'yyyy-MM-dd') FROM `audit`;

CREATE TABLE `lake_segment_events` (`day` STRING) PARTITIONED BY (`day`) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///tmp/equipoise-lake/segment_events',
  'format' = 'parquet',
  'parquet.compression' = 'ZSTD',
  'parquet.utc-timezone' = 'true',
  'parquet.write.int64.timestamp' = 'true',
  'parquet.timestamp.time.unit' = 'millis'
) LIKE `segment_events` (EXCLUDING ALL);
INSERT INTO `lake_segment_events`
SELECT `type`, `place`, `eventTime`, `versions`, `decision`, `reward`, `adoption`, `previousBoundsHash`, `modelRetained`, `abortReason`, `assumption`, `refutedBounds`, `redaction`, DATE_FORMAT(`kafka_time`, 'yyyy-MM-dd') FROM `segment_events`;
