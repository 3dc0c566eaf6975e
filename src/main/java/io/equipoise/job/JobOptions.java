package io.equipoise.job;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.equipoise.join.disclosure.Disclosure;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions.OptionBuilder;
import org.apache.flink.configuration.MemorySize;

/** The job's options. Settings under {@code kafka.} go to every Kafka client as they are. */
public final class JobOptions {
  static final String PREFIX = "equipoise.";
  static final String KAFKA_PREFIX = "kafka.";

  public static final ConfigOption<String> DEPLOYMENT =
      option("deployment")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Name of this deployment; required. Topics, consumer group and transactional ids"
                  + " begin with it. Lower-case letters, digits and hyphens.");

  public static final ConfigOption<Delivery> DELIVERY =
      option("delivery")
          .enumType(Delivery.class)
          .defaultValue(Delivery.EXACTLY_ONCE)
          .withDescription(
              "What readers of decisions may rely on. `exactly-once`: each decision is there once;"
                  + " an answer costs about one checkpoint interval. `at-least-once`: answers take"
                  + " milliseconds, and the first valid record of a decision is the answer,"
                  + " whatever fails; it may be there again with the same arm. Goes from the first"
                  + " to the second with a savepoint, not back.");

  public static final ConfigOption<MemorySize> ANSWERS_MEMORY =
      option("answers.memory")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(256))
          .withDescription(
              "Heap that a subtask may take, where delivery is `at-least-once`, for answers that it"
                  + " finds on `decisions` when it starts and that wait for their contexts to come"
                  + " again. A start that finds more is refused; with more, and the task heap for"
                  + " it, it succeeds from the same checkpoint. How many there can be stands under"
                  + " Delivery.");

  public static final ConfigOption<List<String>> SPECS =
      option("specs")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription(
              "Files of segment specs, or directories of them, separated by semicolons. The"
                  + " launcher checks and publishes them before it submits the job; when empty, the"
                  + " specs on the topic apply.");

  public static final ConfigOption<Integer> PARTITIONS =
      option("partitions")
          .intType()
          .defaultValue(4)
          .withDescription(
              "Partitions of the topics that are created, but for `specs` and `priors`, which have"
                  + " one. Topics that exist keep theirs.");

  public static final ConfigOption<Integer> REPLICATION_FACTOR =
      option("replication-factor")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Replicas of each partition of the topics that are created. Use 3 in production.");

  public static final ConfigOption<Duration> ALLOWED_SKEW =
      option("time.allowed-skew")
          .durationType()
          .defaultValue(Duration.ofMinutes(10))
          .withDescription(
              "How far a record's event time may be ahead of the time it was appended to its topic."
                  + " A record further ahead is refused as FUTURE.");

  public static final ConfigOption<Duration> ALLOWED_LAG =
      option("time.allowed-lag")
          .durationType()
          .defaultValue(Duration.ofDays(30))
          .withDescription(
              "How far a record's event time may be behind the time it was appended to its topic. A"
                  + " record further behind is refused as EVENT_TIME_TOO_OLD: alone on its"
                  + " partition it would hold event time back in all segments. Raise it to load"
                  + " older events. Flink's gauge `eventTimeLag` of a topic and partition is how"
                  + " far its event time is behind the clock, in milliseconds.");

  public static final ConfigOption<Duration> IDLE_ADVANCE =
      option("time.idle-advance")
          .durationType()
          .defaultValue(Duration.ofMinutes(30))
          .withDescription(
              "After this long without a record that moves it on, a partition's event time follows"
                  + " the clock, minus the allowed skew. Must exceed `equipoise.outage.longest`, or"
                  + " decisions expire while their rewards wait in Kafka.");

  public static final ConfigOption<Duration> OUT_OF_ORDERNESS =
      option("time.out-of-orderness")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "How far behind the newest record of its partition a record's event time may be"
                  + " before timers have run ahead of it.");

  public static final ConfigOption<Duration> CHECKPOINT_INTERVAL =
      option("checkpoint.interval")
          .durationType()
          .defaultValue(Duration.ofMillis(500))
          .withDescription(
              "Time between checkpoints, hence about the time an exactly-once answer takes. Decides"
                  + " over `execution.checkpointing.interval`.");

  public static final ConfigOption<Duration> LONGEST_OUTAGE =
      option("outage.longest")
          .durationType()
          .defaultValue(Duration.ofMinutes(9))
          .withDescription(
              "The longest time between a failure and the job's recovery that loses nothing."
                  + " `kafka.transaction.timeout.ms` must exceed the longest life of a transaction:"
                  + " this, the checkpoint interval, and the checkpoints that may fail meanwhile"
                  + " (Operations has the formula; default: 30 s more). It must be within the"
                  + " brokers' `transaction.max.timeout.ms`, 15 minutes where nobody set it.");

  public static final ConfigOption<MemorySize> MAX_RECORD_BYTES =
      option("max-record-bytes")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription(
              "Largest value that is read or written. Topics that are created take 64 KiB more, and"
                  + " the dead letter takes what they take and 64 KiB.");

  public static final ConfigOption<Disclosure> OUTPUTS_SENSITIVE =
      option("outputs.sensitive")
          .enumType(Disclosure.class)
          .defaultValue(Disclosure.PLAIN)
          .withDescription(
              "What decisions, audit, outcomes and dead letters tell of sensitive attributes."
                  + " `plain`: their values. `token`: a name that only the key can make, the values"
                  + " encrypted beside it. `drop`: nothing, for good; I3 and I5 cannot be judged"
                  + " then. Not `plain`: dead letters are encrypted.");

  public static final ConfigOption<String> OUTPUTS_KEY_FILE =
      option("outputs.key-file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "File with the key for `token`, `drop` and their dead letters: base64 of at least 32"
                  + " bytes, as `openssl rand -base64 32` makes. Under the same path on the"
                  + " launcher and on every TaskManager; the job carries the path only.");

  public static final ConfigOption<Integer> OUTPUTS_MINIMUM_COUNT =
      option("outputs.minimum-count")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Rewards that a group must have before metrics tell its mean; smaller ones are left"
                  + " out, with the next smaller if they could be worked out from it. 1 tells"
                  + " all. Where `equipoise.outputs.sensitive` is `token` or `drop`, the default is"
                  + " 10.");

  public static final ConfigOption<Boolean> OUTPUTS_FEATURES =
      option("outputs.features")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether decisions carry the encoded features that choice and audit read. `false`:"
                  + " smaller records; `audit verify` takes the features from each decision's"
                  + " context, and cannot judge I3 and I5 once `contexts` does not have it any"
                  + " more. Outcomes carry theirs always.");

  public static final ConfigOption<Integer> SEGMENTS_MOST =
      option("segments.most")
          .intType()
          .defaultValue(100_000)
          .withDescription(
              "How many segments have state at most. Inputs of one more go to the dead letter as"
                  + " TOO_MANY_SEGMENTS and leave nothing behind. Divided evenly over the 128 key"
                  + " groups, so that names which hash unevenly reach it a little earlier.");

  public static final ConfigOption<Boolean> BEGIN_ANEW =
      option("begin-anew")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether a start without savepoint or checkpoint goes on where `decisions` or"
                  + " `outcomes` hold records of the deployment. `false`: it is refused. `true`:"
                  + " models, limits, awaiting decisions and what is known of repetitions are lost;"
                  + " rewards of earlier decisions become orphans; contexts behind the offsets that"
                  + " the consumer group has committed are answered again; `seq` begins at 1 again"
                  + " in every segment, which `audit verify` names (I4) ever after. Take it out"
                  + " after that start. With exactly-once delivery it also decides whether a start"
                  + " may go on from a savepoint or checkpoint that the topics are ahead of:"
                  + " contexts that were answered since are answered again, with other arms, and"
                  + " `seq` repeats.");

  public static final ConfigOption<OnLostRecords> ON_LOST_RECORDS =
      option("on-lost-records")
          .enumType(OnLostRecords.class)
          .defaultValue(OnLostRecords.CONTINUE)
          .withDescription(
              "What an exactly-once start does when decisions or outcomes that its state has"
                  + " written are not on the topics, after an outage longer than"
                  + " `equipoise.outage.longest`. `continue`: an ERROR names segments and seq, the"
                  + " counter `lostRecords` counts them, and the job goes on. `fail`: it is"
                  + " refused.");

  private JobOptions() {}

  private static OptionBuilder option(String name) {
    return key(PREFIX + name);
  }
}
