-- Views over the tables of tables.sql, for both delivery modes. They leave out records that a failure withdrew with
-- at-least-once delivery, by the rules of docs/delivery.md. With exactly-once delivery there are none.

-- Where a writer epoch starts in a partition of decisions: at its marker, or else at its first decision of a key group.
CREATE VIEW `writer_epochs` AS
SELECT
  `kafka_partition`,
  `kafka_offset`,
  CAST(CAST(`headers`['equipoise.writer-epoch'] AS STRING) AS INT) AS `writer_epoch`,
  CAST(CAST(`headers`['equipoise.first-key-group'] AS STRING) AS INT) AS `first_key_group`,
  CAST(CAST(`headers`['equipoise.last-key-group'] AS STRING) AS INT) AS `last_key_group`
FROM `raw_decisions`
WHERE `value` IS NULL AND `headers`['equipoise.writer-epoch'] IS NOT NULL
UNION ALL
SELECT `kafka_partition`, MIN(`kafka_offset`), `place`.`writerEpoch`, `keyGroup`, `keyGroup`
FROM `decisions`
GROUP BY `kafka_partition`, `place`.`writerEpoch`, `keyGroup`;

-- The final decision on each context: the first valid one. Answers to contexts that repeat an id are left out. An id that
-- the job had forgotten has a decision for each of its contexts. last_seq is the seq that segment events know the decision
-- by: that of its last repetition after a failure.
CREATE VIEW `valid_decisions` AS
SELECT * FROM (
  SELECT *,
    ROW_NUMBER() OVER (
      PARTITION BY `place`.`segment`, `decisionId`, `source`.`partition`, `source`.`offset` ORDER BY `kafka_offset`) AS `repetition`,
    LAST_VALUE(`place`.`seq`) OVER (
      PARTITION BY `place`.`segment`, `decisionId`, `source`.`partition`, `source`.`offset` ORDER BY `kafka_offset`
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS `last_seq`
  FROM (SELECT *, `place`.`writerEpoch` AS `writer_epoch` FROM `decisions`) AS d
  WHERE `reason` <> 'REPEATED' AND NOT EXISTS (
    SELECT 1 FROM `writer_epochs` AS w
    WHERE w.`kafka_partition` = d.`kafka_partition`
      AND w.`kafka_offset` < d.`kafka_offset`
      AND w.`writer_epoch` > d.`writer_epoch`
      AND (d.`keyGroup` < 0 OR d.`keyGroup` BETWEEN w.`first_key_group` AND w.`last_key_group`)))
WHERE `repetition` = 1;

-- The first seq of each writer epoch of a segment. It withdraws what earlier epochs wrote from there on.
CREATE VIEW `segment_epochs` AS
SELECT `segment`, `writer_epoch`, MIN(`seq`) AS `first_seq`
FROM (
  SELECT `place`.`segment` AS `segment`, `place`.`writerEpoch` AS `writer_epoch`, `place`.`seq` AS `seq` FROM `decisions`
  UNION ALL
  SELECT `place`.`segment`, `place`.`writerEpoch`, `place`.`seq` FROM `segment_events`)
WHERE `seq` > 0
GROUP BY `segment`, `writer_epoch`;

-- How decisions ended: with a learned reward, with the default of the spec, or without. When a window closes the job knows
-- its decision by the hash of the id only; decision_id is null then.
CREATE VIEW `decision_ends` AS
SELECT
  `segment`,
  `decision`.`id` AS `decision_id`,
  COALESCE(`decision`.`hash`, SUBSTRING(SHA256(`decision`.`id`), 1, 32)) AS `decision_hash`,
  `decision`.`seq` AS `decision_seq`,
  `type`,
  `decision`.`arm` AS `shown_arm`,
  `decision`.`propensity` AS `propensity`,
  `decision`.`learnedReward` AS `learned_reward`,
  `eventTime` AS `event_time`
FROM (
  SELECT *, `place`.`segment` AS `segment`, `place`.`writerEpoch` AS `writer_epoch`, `place`.`seq` AS `seq`
  FROM `segment_events`) AS e
WHERE `type` IN ('REWARD_APPLIED', 'REWARD_TIMEOUT', 'WINDOW_CLOSED', 'DECISION_EVICTED') AND NOT EXISTS (
  SELECT 1 FROM `segment_epochs` AS w
  WHERE w.`segment` = e.`segment` AND w.`writer_epoch` > e.`writer_epoch` AND w.`first_seq` <= e.`seq`);

-- One row for each decision. learned_reward is null while the decision waits, and if nothing was learned.
CREATE VIEW `decisions_with_rewards` AS
SELECT
  d.`place`.`segment` AS `segment`,
  d.`decisionId` AS `decision_id`,
  d.`eventTime` AS `decided_at`,
  d.`policy`,
  d.`arm`,
  d.`reason`,
  d.`certified`,
  d.`estimate`.`width` AS `width`,
  r.`type` AS `ended_by`,
  r.`shown_arm`,
  r.`propensity`,
  r.`learned_reward`,
  r.`event_time` AS `ended_at`
FROM `valid_decisions` AS d
LEFT JOIN `decision_ends` AS r
  ON r.`segment` = d.`place`.`segment` AND r.`decision_seq` = d.`last_seq`
  AND r.`decision_hash` = SUBSTRING(SHA256(d.`decisionId`), 1, 32);

-- Decisions of a policy by hour. regret_bound is twice the mean width of the intervals of the chosen arms: it bounds the
-- mean regret of an optimistic policy while its intervals hold. It is null while arms are chosen that have no data (width 1E6).
CREATE VIEW `hourly` AS
SELECT
  `segment`,
  FLOOR(`decided_at` TO HOUR) AS `hour_start`,
  COUNT(*) AS `decisions`,
  AVG(CASE WHEN `certified` THEN 1.0E0 ELSE 0.0E0 END) AS `certified_share`,
  COUNT(`learned_reward`) AS `rewards`,
  AVG(`learned_reward`) AS `mean_reward`,
  CASE WHEN MAX(`width`) < 1.0E6 THEN 2 * AVG(`width`) END AS `regret_bound`
FROM `decisions_with_rewards`
WHERE `reason` NOT IN ('REJECTED', 'DEADLINE_EXCEEDED')
GROUP BY `segment`, FLOOR(`decided_at` TO HOUR);

-- Audited effects of each attribute. The interval contains those of all audits.
CREATE VIEW `effects` AS
SELECT
  `segment`,
  `effect`.`attribute` AS `attribute`,
  `effect`.`kind` AS `kind`,
  `arm`,
  COUNT(*) AS `audits`,
  AVG(`effect`.`estimate`) AS `mean_estimate`,
  MIN(`effect`.`lower`) AS `lowest`,
  MAX(`effect`.`upper`) AS `highest`,
  COUNT(*) FILTER (WHERE `conclusion`.`verdict` = 'CERTIFIED_FAIR') AS `certified_fair`,
  COUNT(*) FILTER (WHERE `conclusion`.`verdict` = 'UNFAIR') AS `unfair`,
  COUNT(*) FILTER (WHERE `conclusion`.`verdict` = 'NO_OVERLAP') AS `no_overlap`
FROM (
  SELECT *, `place`.`segment` AS `segment`, `place`.`writerEpoch` AS `writer_epoch`, `place`.`seq` AS `seq`
  FROM `audit`) AS a
WHERE NOT EXISTS (
  SELECT 1 FROM `segment_epochs` AS w
  WHERE w.`segment` = a.`segment` AND w.`writer_epoch` > a.`writer_epoch` AND w.`first_seq` <= a.`seq`)
GROUP BY `segment`, `effect`.`attribute`, `effect`.`kind`, `arm`;

-- Refused inputs by topic and code. An input that was refused again after a failure counts once.
CREATE VIEW `dead_letters` AS
SELECT `topic`, `code`, COUNT(*) AS `inputs`
FROM (
  SELECT DISTINCT
    `input`.`source`.`topic` AS `topic`,
    `input`.`source`.`partition` AS `source_partition`,
    `input`.`source`.`offset` AS `source_offset`,
    `code`
  FROM `dead_letter`)
GROUP BY `topic`, `code`;
