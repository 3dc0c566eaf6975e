-- Tables of Flink SQL for the topics of a deployment. Generated from avro/; do not edit.
-- Give the SQL client flink-sql-connector-kafka-5.0.0-2.2.jar and equipoise-sql.jar by -j: docs/integrations.md.
-- Another deployment and broker: sed "s/'demo\./'shop./; s/127.0.0.1:9092/kafka:9092/" tables.sql
-- A query reads until the ends of the topics at its start, and reads committed records only. To follow the
-- topics, SET 'execution.runtime-mode' = 'streaming', and add /*+ OPTIONS('scan.bounded.mode'='unbounded') */
-- to the name of the table.

CREATE TABLE `contexts` (
  `decisionId` STRING,
  `segment` STRING,
  `eventTime` TIMESTAMP_LTZ(3),
  `attributes` MAP<STRING, STRING>,
  `candidates` ARRAY<ROW<`id` STRING, `attributes` MAP<STRING, STRING>>>,
  `deadline` TIMESTAMP_LTZ(3),
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.contexts',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'ContextEvent',
  'avro-single-object.ignore-parse-errors' = 'true'
);

CREATE TABLE `rewards` (
  `decisionId` STRING,
  `rewardId` STRING,
  `segment` STRING,
  `eventTime` TIMESTAMP_LTZ(3),
  `reward` DOUBLE,
  `mediators` MAP<STRING, STRING>,
  `shownArm` STRING,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.rewards',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'RewardEvent',
  'avro-single-object.ignore-parse-errors' = 'true'
);

CREATE TABLE `decisions` (
  `decisionId` STRING,
  `place` ROW<`segment` STRING, `writerEpoch` INT, `seq` BIGINT>,
  `source` ROW<`topic` STRING, `partition` INT, `offset` BIGINT>,
  `eventTime` TIMESTAMP_LTZ(3),
  `versions` ROW<`specHash` STRING, `specVersion` BIGINT, `boundsHash` STRING, `boundsVersion` BIGINT, `modelFingerprint` STRING>,
  `policy` STRING,
  `arm` STRING,
  `reason` STRING,
  `errorCode` STRING,
  `certified` BOOLEAN,
  `fairSetSize` INT,
  `candidates` ARRAY<STRING>,
  `propensities` ROW<`kind` STRING, `values` ARRAY<DOUBLE>, `runs` ARRAY<INT>, `draws` INT>,
  `estimate` ROW<`index` DOUBLE, `mean` DOUBLE, `width` DOUBLE>,
  `features` ARRAY<DOUBLE>,
  `candidateFeatures` ARRAY<ARRAY<DOUBLE>>,
  `sample` ROW<`phase` INT, `type` INT>,
  `keyGroup` INT,
  `recovered` BOOLEAN,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.decisions',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'Decision'
);

CREATE TABLE `audit` (
  `decisionId` STRING,
  `place` ROW<`segment` STRING, `writerEpoch` INT, `seq` BIGINT>,
  `eventTime` TIMESTAMP_LTZ(3),
  `versions` ROW<`specHash` STRING, `specVersion` BIGINT, `boundsHash` STRING, `boundsVersion` BIGINT, `modelFingerprint` STRING>,
  `policy` STRING,
  `arm` STRING,
  `certified` BOOLEAN,
  `explored` BOOLEAN,
  `fairSetSize` INT,
  `effect` ROW<`attribute` STRING, `factual` STRING, `counterfactual` STRING, `kind` STRING, `identified` BOOLEAN, `estimate` DOUBLE, `lower` DOUBLE, `upper` DOUBLE, `unsupportedShare` DOUBLE, `leverage` DOUBLE, `interval` STRING, `information` DOUBLE, `imbalance` DOUBLE>,
  `conclusion` ROW<`threshold` DOUBLE, `unit` STRING, `verdict` STRING, `guarantee` STRING, `refutedAssumption` STRING>,
  `dual` DOUBLE,
  `excluded` ROW<`arm` STRING, `reward` DOUBLE, `verdict` STRING, `estimate` DOUBLE, `lower` DOUBLE, `upper` DOUBLE>,
  `cumulativeViolation` ROW<`estimated` DOUBLE, `upper` DOUBLE, `signed` DOUBLE>,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.audit',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'FairnessAudit'
);

CREATE TABLE `experiments` (
  `place` ROW<`segment` STRING, `writerEpoch` INT, `seq` BIGINT>,
  `eventTime` TIMESTAMP_LTZ(3),
  `versions` ROW<`specHash` STRING, `specVersion` BIGINT, `boundsHash` STRING, `boundsVersion` BIGINT, `modelFingerprint` STRING>,
  `policy` STRING,
  `design` ROW<`attribute` STRING, `groups` ARRAY<STRING>, `threshold` DOUBLE, `mode` STRING, `estimate` STRING, `specArms` ARRAY<STRING>, `control` STRING, `samples` BIGINT, `phases` INT, `budget` DOUBLE>,
  `phase` ROW<`place` INT, `stage` STRING, `number` INT, `samples` INT, `epsilon` DOUBLE, `effectBand` DOUBLE, `rewardBand` DOUBLE, `level` DOUBLE, `allocation` ARRAY<ROW<`type` INT, `arm` STRING, `share` DOUBLE, `samples` INT>>, `counts` ROW<`arrived` ARRAY<BIGINT>, `missing` BIGINT, `late` BIGINT, `notSampled` BIGINT, `rewardsLate` BIGINT, `rewardsDuplicate` BIGINT>, `costSpent` DOUBLE, `arms` ARRAY<ROW<`arm` STRING, `reward` DOUBLE, `forward` DOUBLE, `backward` DOUBLE, `selfCheck` DOUBLE, `rewardMass` DOUBLE, `forwardMass` DOUBLE, `backwardMass` DOUBLE, `rewardClip` DOUBLE, `forwardClip` DOUBLE, `backwardClip` DOUBLE, `clipped` DOUBLE, `effectLower` DOUBLE, `effectUpper` DOUBLE>>, `fair` ARRAY<STRING>, `leader` STRING, `gateClosed` BOOLEAN, `eliminated` ARRAY<ROW<`arm` STRING, `reason` STRING, `value` DOUBLE, `bound` DOUBLE>>, `after` ARRAY<STRING>, `statsHash` STRING>,
  `terminal` ROW<`kind` STRING, `arm` STRING, `by` STRING, `place` INT, `margin` DOUBLE, `delta` DOUBLE, `guarantee` STRING, `runnerUp` STRING, `runnerUpReward` DOUBLE, `proved` BOOLEAN, `abortReason` STRING, `samples` BIGINT, `costSpent` DOUBLE, `arms` ARRAY<ROW<`arm` STRING, `reward` DOUBLE, `forward` DOUBLE, `backward` DOUBLE, `selfCheck` DOUBLE, `rewardMass` DOUBLE, `forwardMass` DOUBLE, `backwardMass` DOUBLE, `rewardClip` DOUBLE, `forwardClip` DOUBLE, `backwardClip` DOUBLE, `clipped` DOUBLE, `effectLower` DOUBLE, `effectUpper` DOUBLE>>>,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.experiments',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'ExperimentRecord'
);

CREATE TABLE `segment_events` (
  `type` STRING,
  `place` ROW<`segment` STRING, `writerEpoch` INT, `seq` BIGINT>,
  `eventTime` TIMESTAMP_LTZ(3),
  `versions` ROW<`specHash` STRING, `specVersion` BIGINT, `boundsHash` STRING, `boundsVersion` BIGINT, `modelFingerprint` STRING>,
  `decision` ROW<`id` STRING, `hash` STRING, `seq` BIGINT, `arm` STRING, `propensity` DOUBLE, `propensities` ROW<`kind` STRING, `values` ARRAY<DOUBLE>, `runs` ARRAY<INT>, `draws` INT>, `features` ARRAY<DOUBLE>, `mediators` MAP<STRING, STRING>, `learnedReward` DOUBLE, `reason` STRING>,
  `reward` ROW<`id` STRING, `value` DOUBLE, `shownArm` STRING, `source` ROW<`topic` STRING, `partition` INT, `offset` BIGINT>>,
  `adoption` ROW<`arms` ARRAY<STRING>, `previousSpecHash` STRING, `specTextLost` BOOLEAN, `extendedVariables` ARRAY<STRING>, `stateReset` ARRAY<STRING>>,
  `previousBoundsHash` STRING,
  `modelRetained` BOOLEAN,
  `abortReason` STRING,
  `assumption` ROW<`kind` STRING, `name` STRING, `cell` MAP<STRING, STRING>, `logEvalue` DOUBLE, `logThreshold` DOUBLE, `observations` BIGINT, `remedy` STRING, `sinceSeq` BIGINT>,
  `refutedBounds` ROW<`arm` STRING, `context` MAP<STRING, STRING>, `lower` DOUBLE, `upper` DOUBLE, `estimate` DOUBLE, `estimateLower` DOUBLE, `estimateUpper` DOUBLE>,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.segment-events',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'SegmentEvent'
);

CREATE TABLE `metrics` (
  `place` ROW<`segment` STRING, `writerEpoch` INT, `seq` BIGINT>,
  `eventTime` TIMESTAMP_LTZ(3),
  `versions` ROW<`specHash` STRING, `specVersion` BIGINT, `boundsHash` STRING, `boundsVersion` BIGINT, `modelFingerprint` STRING>,
  `policy` STRING,
  `trigger` STRING,
  `rounds` BIGINT,
  `previousSeq` BIGINT,
  `contexts` ROW<`decided` BIGINT, `rejected` BIGINT, `deadlineExceeded` BIGINT, `duplicate` BIGINT, `conflicting` BIGINT>,
  `decisions` ROW<`awaiting` BIGINT, `settled` BIGINT, `timedOut` BIGINT, `evicted` BIGINT, `closedNotLearnable` BIGINT>,
  `dedupEntries` BIGINT,
  `rewards` ROW<`applied` BIGINT, `buffered` BIGINT, `heldEarly` BIGINT, `duplicate` BIGINT, `conflicting` BIGINT, `late` BIGINT, `orphan` BIGINT, `notLearnable` BIGINT, `invalid` BIGINT>,
  `fairness` ROW<`verdicts` ROW<`certifiedFair` BIGINT, `unfair` BIGINT, `noOverlap` BIGINT, `fair` BIGINT, `uncertain` BIGINT, `notIdentified` BIGINT>, `fallbacks` BIGINT, `violations` BIGINT, `cumulativeViolation` ROW<`estimated` DOUBLE, `upper` DOUBLE, `signed` DOUBLE>, `noOverlapShare` DOUBLE, `overlapAlarm` BOOLEAN, `certificates` ARRAY<ROW<`arm` STRING, `attribute` STRING, `status` STRING, `rewardsToCertificate` BIGINT, `share` DOUBLE, `lockedIn` BOOLEAN>>>,
  `groups` ROW<`means` ARRAY<ROW<`attribute` STRING, `level` STRING, `rewards` BIGINT, `mean` DOUBLE>>, `difference` DOUBLE, `differenceOf` STRING, `suppressed` INT>,
  `splits` ARRAY<ROW<`attribute` STRING, `reference` STRING, `other` STRING, `referenceRewards` BIGINT, `otherRewards` BIGINT, `leftOut` BIGINT, `since` BIGINT, `gap` ROW<`name` STRING, `kind` STRING, `estimate` DOUBLE, `lower` DOUBLE, `upper` DOUBLE, `unmatched` DOUBLE>, `rest` ROW<`name` STRING, `kind` STRING, `estimate` DOUBLE, `lower` DOUBLE, `upper` DOUBLE, `unmatched` DOUBLE>, `parts` ARRAY<ROW<`name` STRING, `kind` STRING, `estimate` DOUBLE, `lower` DOUBLE, `upper` DOUBLE, `unmatched` DOUBLE>>>>,
  `arms` ROW<`listed` ARRAY<ROW<`arm` STRING, `decisions` BIGINT>>, `leftOut` INT, `decisionsLeftOut` BIGINT>,
  `assumptions` ROW<`tested` ARRAY<STRING>, `refuted` ARRAY<STRING>, `untested` ARRAY<STRING>>,
  `digests` ROW<`model` STRING, `pending` STRING>,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.metrics',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'SegmentMetrics'
);

CREATE TABLE `dead_letter` (
  `code` STRING,
  `message` STRING,
  `variables` ARRAY<STRING>,
  `limitBytes` INT,
  `recovered` BOOLEAN,
  `input` ROW<`source` ROW<`topic` STRING, `partition` INT, `offset` BIGINT>, `appendTime` TIMESTAMP_LTZ(3), `segment` STRING, `decisionId` STRING, `key` BYTES, `value` BYTES, `truncated` ROW<`keyBytes` INT, `valueBytes` INT>>,
  `change` ROW<`writerEpoch` INT, `seq` BIGINT>,
  `redaction` ROW<`mode` STRING, `keyId` STRING, `ciphertext` BYTES>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.dead-letter',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'DeadLetter'
);

CREATE TABLE `causal_bounds` (
  `set` ROW<`name` STRING, `version` BIGINT, `hash` STRING, `rows` INT, `graphHash` STRING>,
  `arm` STRING,
  `context` MAP<STRING, STRING>,
  `lower` DOUBLE,
  `upper` DOUBLE,
  `evidence` ROW<`mode` STRING, `covariates` ARRAY<STRING>, `estimand` STRING, `nMin` BIGINT, `delta` DOUBLE, `tableHash` STRING, `flags` ARRAY<STRING>>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.causal-bounds',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'CausalBound'
);

CREATE TABLE `watch` (
  `type` STRING,
  `segment` STRING,
  `id` STRING,
  `challenger` ROW<`name` STRING, `specHash` STRING, `specText` STRING, `championHash` STRING, `number` INT, `batch` INT, `alpha` DOUBLE, `share` DOUBLE, `margin` DOUBLE, `certifiedShare` DOUBLE, `maxViolation` DOUBLE, `maxGaps` MAP<STRING, DOUBLE>, `trainFrom` TIMESTAMP_LTZ(3), `partition` INT, `startOffset` BIGINT, `registeredAt` TIMESTAMP_LTZ(3), `modelKept` BOOLEAN>,
  `groups` ROW<`attributes` ARRAY<STRING>, `quantity` STRING, `arms` ARRAY<STRING>, `tolerance` DOUBLE, `alpha` DOUBLE, `rowsBetweenFalseAlarms` BIGINT, `partition` INT, `startOffset` BIGINT, `registeredAt` TIMESTAMP_LTZ(3)>,
  `evidence` ROW<`rows` BIGINT, `seq` BIGINT, `pending` BIGINT, `missing` BIGINT, `leftOut` BIGINT, `ofChallenger` ROW<`value` DOUBLE, `valueLow` DOUBLE, `valueHigh` DOUBLE, `championMean` DOUBLE, `difference` DOUBLE, `differenceLow` DOUBLE, `differenceHigh` DOUBLE, `gateLow` DOUBLE, `ips` DOUBLE, `snips` DOUBLE, `meanWeight` DOUBLE, `maxWeight` DOUBLE, `effectiveRows` DOUBLE, `unsupported` DOUBLE, `certifiedShare` DOUBLE, `championCertifiedShare` DOUBLE, `upperViolation` DOUBLE, `gaps` ARRAY<ROW<`attribute` STRING, `level` STRING, `low` DOUBLE, `high` DOUBLE>>, `rowsToPass` BIGINT, `failing` ARRAY<STRING>, `passes` BOOLEAN>, `ofGroups` ROW<`tests` ARRAY<ROW<`level` STRING, `rows` BIGINT, `sum` DOUBLE, `missing` BIGINT, `otherRows` BIGINT, `otherSum` DOUBLE, `otherMissing` BIGINT, `low` DOUBLE, `high` DOUBLE, `logEvalue` DOUBLE, `alarm` BOOLEAN, `flagged` BOOLEAN>>, `logChange` DOUBLE, `changeAlarms` BIGINT, `changeSince` BIGINT>>,
  `ended` ROW<`reason` STRING, `message` STRING, `adopted` STRING>,
  `promoted` ROW<`specKey` STRING, `modelKept` BOOLEAN, `evidence` ROW<`rows` BIGINT, `seq` BIGINT, `pending` BIGINT, `missing` BIGINT, `leftOut` BIGINT, `ofChallenger` ROW<`value` DOUBLE, `valueLow` DOUBLE, `valueHigh` DOUBLE, `championMean` DOUBLE, `difference` DOUBLE, `differenceLow` DOUBLE, `differenceHigh` DOUBLE, `gateLow` DOUBLE, `ips` DOUBLE, `snips` DOUBLE, `meanWeight` DOUBLE, `maxWeight` DOUBLE, `effectiveRows` DOUBLE, `unsupported` DOUBLE, `certifiedShare` DOUBLE, `championCertifiedShare` DOUBLE, `upperViolation` DOUBLE, `gaps` ARRAY<ROW<`attribute` STRING, `level` STRING, `low` DOUBLE, `high` DOUBLE>>, `rowsToPass` BIGINT, `failing` ARRAY<STRING>, `passes` BOOLEAN>, `ofGroups` ROW<`tests` ARRAY<ROW<`level` STRING, `rows` BIGINT, `sum` DOUBLE, `missing` BIGINT, `otherRows` BIGINT, `otherSum` DOUBLE, `otherMissing` BIGINT, `low` DOUBLE, `high` DOUBLE, `logEvalue` DOUBLE, `alarm` BOOLEAN, `flagged` BOOLEAN>>, `logChange` DOUBLE, `changeAlarms` BIGINT, `changeSince` BIGINT>>>,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.watch',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'avro-single-object',
  'avro-single-object.record' = 'WatchRecord'
);

-- Every record of decisions as bytes. With at-least-once delivery, those without bytes start a writer epoch.
CREATE TABLE `raw_decisions` (
  `value` BYTES,
  `headers` MAP<STRING, BYTES> METADATA VIRTUAL,
  `kafka_partition` INT METADATA FROM 'partition' VIRTUAL,
  `kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL,
  `kafka_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  WATERMARK FOR `kafka_time` AS `kafka_time`
) WITH (
  'connector' = 'kafka',
  'topic' = 'demo.decisions',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'raw'
);
