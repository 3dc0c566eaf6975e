package io.equipoise.job.options;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.equipoise.privacy.SensitiveValues;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions.OptionBuilder;
import org.apache.flink.configuration.MemorySize;

/** Defines the job's options. Settings under {@code kafka.} go unchanged to every Kafka client. */
public final class JobOptions {
  static final String PREFIX = "equipoise.";
  static final String KAFKA_PREFIX = "kafka.";
  public static final String REGISTRY_PREFIX = "schema.registry.";

  public static final ConfigOption<String> DEPLOYMENT =
      option("deployment")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Name of this deployment; required. Topics, consumer group and transactional "
                  + "ids begin with it. Lower-case letters, digits and hyphens.");

  public static final ConfigOption<Delivery> DELIVERY =
      option("delivery")
          .enumType(Delivery.class)
          .defaultValue(Delivery.EXACTLY_ONCE)
          .withDescription(
              "What readers of decisions may rely on. `exactly-once`: each decision is on the "
                  + "topic once, after about one checkpoint interval. `at-least-once`: a decision "
                  + "takes milliseconds and may be repeated with the same arm; its first valid "
                  + "record counts. With a savepoint the job can change from the first to the "
                  + "second, not back.");

  public static final ConfigOption<MemorySize> RECOVERY_MAX_MEMORY =
      option("recovery.max-memory")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(256))
          .withDescription(
              "With delivery `at-least-once`: heap of a subtask for decisions that a start finds on"
                  + " `decisions` and that wait for their contexts to arrive again. A start that"
                  + " needs more is refused. Raise this option and the task heap, and start from"
                  + " the same checkpoint.");

  public static final ConfigOption<Duration> WARM_UP =
      option("warm-up")
          .durationType()
          .defaultValue(Duration.ofSeconds(4))
          .withDescription(
              "At a start, not after a failure: how long a process plays invented contexts and"
                  + " rewards in memory at most, before it reads its inputs. Then the first people do"
                  + " not wait for class loading and compilation. `0 ms` plays none.");

  public static final ConfigOption<List<String>> SPECS =
      option("specs")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription(
              "Files of segment specs, or directories of them, separated by semicolons. The "
                  + "launcher checks and publishes them before it submits the job. If empty, the "
                  + "specs on the topic apply.");

  public static final ConfigOption<Integer> PARTITIONS =
      option("partitions")
          .intType()
          .defaultValue(4)
          .withDescription(
              "Partitions of the topics that the job creates. `specs` and `causal-bounds` always "
                  + "have one. Existing topics keep theirs.");

  public static final ConfigOption<Integer> REPLICATION_FACTOR =
      option("replication-factor")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Replicas of each partition of the topics that the job creates. Use 3 in "
                  + "production.");

  public static final ConfigOption<Duration> MAX_CLOCK_SKEW =
      option("time.max-clock-skew")
          .durationType()
          .defaultValue(Duration.ofMinutes(10))
          .withDescription(
              "How far a record's event time may be ahead of its append time. A record "
                  + "further ahead is rejected with EVENT_TIME_IN_FUTURE.");

  public static final ConfigOption<Duration> MAX_LAG =
      option("time.max-lag")
          .durationType()
          .defaultValue(Duration.ofDays(30))
          .withDescription(
              "How far a record's event time may be behind its append time. A record further behind"
                  + " is rejected with EVENT_TIME_TOO_OLD. To load older events, raise it, "
                  + "`equipoise.time.idle-timeout` and `equipoise.time.max-append-delay`.");

  public static final ConfigOption<Duration> IDLE_TIMEOUT =
      option("time.idle-timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(30))
          .withDescription(
              "After this long without a record that advances it, a partition that cannot be read to"
                  + " its end follows the clock minus the allowed skew, and so does every partition"
                  + " if no input has a record. A record whose event time is this far"
                  + " behind its append time advances nothing, so no sender holds back other"
                  + " segments. Must exceed `equipoise.max-outage`. Otherwise decisions expire"
                  + " while their rewards wait in Kafka.");

  public static final ConfigOption<Duration> MAX_OUT_OF_ORDERNESS =
      option("time.max-out-of-orderness")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "How far a record's event time may be behind the newest record of its partition "
                  + "before timers have overtaken it.");

  public static final ConfigOption<Duration> MAX_APPEND_DELAY =
      option("time.max-append-delay")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "How long windows wait for rewards after their end, by the append times of contexts"
                  + " and rewards. A partition that has been read to its end follows the newest of"
                  + " these times minus this, so a quiet partition delays no window. Must exceed the"
                  + " time between an event and its append, and the difference between the brokers'"
                  + " clocks. If `equipoise.time.max-out-of-orderness` is larger, that applies.");

  public static final ConfigOption<Duration> MAX_OUTAGE =
      option("max-outage")
          .durationType()
          .defaultValue(Duration.ofMinutes(9))
          .withDescription(
              "The longest time between a failure and the job's recovery without loss. "
                  + "`kafka.transaction.timeout.ms` must exceed this, the checkpoint interval, and "
                  + "the checkpoints that may fail meanwhile (default: 30 s more; "
                  + "docs/operations.md has the formula). It must be within the brokers' "
                  + "`transaction.max.timeout.ms`, which is 15 minutes by default.");

  public static final ConfigOption<MemorySize> MAX_RECORD_BYTES =
      option("max-record-bytes")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription(
              "Largest value that the job reads or writes. Topics that the job creates accept "
                  + "64 KiB more, and the dead letter another 64 KiB.");

  public static final ConfigOption<SensitiveValues> PRIVACY_SENSITIVE_VALUES =
      option("privacy.sensitive-values")
          .enumType(SensitiveValues.class)
          .defaultValue(SensitiveValues.PLAIN)
          .withDescription(
              "What the outputs contain of sensitive attributes. `plain`: their values."
                  + " `pseudonymize`: a pseudonym that only the key can make, and the encrypted"
                  + " value. `redact`: nothing; I3 and I5 cannot be checked then. With"
                  + " `pseudonymize` and `redact`, dead letters are encrypted.");

  public static final ConfigOption<String> PRIVACY_KEY_FILE =
      option("privacy.key-file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "File with the key for `pseudonymize`, `redact` and their dead letters: base64 of at "
                  + "least 32 bytes, as `openssl rand -base64 32` makes. It has the same path on "
                  + "the launcher and on every TaskManager. The job carries only the path.");

  public static final ConfigOption<Integer> PRIVACY_MIN_GROUP_SIZE =
      option("privacy.min-group-size")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Rewards that a group must have before metrics contain its mean. Smaller groups are"
                  + " left out, and the next smaller one if its mean would reveal them. 1 reports"
                  + " all groups. The default is 10 where `equipoise.privacy.sensitive-values` is"
                  + " `pseudonymize` or `redact`.");

  public static final ConfigOption<Boolean> PRIVACY_FEATURES =
      option("privacy.features")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether decisions contain the encoded features. `false`: smaller records; `audit"
                  + " verify` reads the features from each decision's context, and cannot check I3"
                  + " and I5 after `contexts` has lost it. Segment events always contain theirs.");

  public static final ConfigOption<Integer> SEGMENTS_MOST =
      option("segments.most")
          .intType()
          .defaultValue(100_000)
          .withDescription(
              "Maximum number of active segments. Contexts of further new segments are answered"
                  + " REJECTED, their inputs go to the dead letter as TOO_MANY_SEGMENTS, and leave"
                  + " no state. Passivated segments do not count, and may always return. Each"
                  + " subtask has an equal part of the limit. Names with one `String.hashCode` take"
                  + " at most 1/128 of the limit, or 16. The job warns at 80 %.");

  public static final ConfigOption<Integer> SEGMENTS_MOST_PASSIVATED =
      option("segments.most-passivated")
          .intType()
          .defaultValue(1_000_000)
          .withDescription(
              "Maximum number of passivated segments, which `idle-state` of a spec leaves; divided"
                  + " like `equipoise.segments.most`. At the limit idle segments stay active and"
                  + " keep their state. The job warns at 80 %.");

  public static final ConfigOption<List<String>> INPUTS_SKIP =
      option("inputs.skip")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription(
              "Offsets of `contexts` and `rewards` that are not read, because reading them ends the"
                  + " job: `TOPIC/PARTITION/OFFSET` or `TOPIC/PARTITION/FIRST-LAST`, separated by"
                  + " semicolons. Each offset at or after the job's position goes to the dead"
                  + " letter as SKIPPED, without bytes; offsets that the job has passed are not"
                  + " touched. A range of compressed records ends with the last offset of their"
                  + " batch. Reads one record a poll: remove the option when the job has passed the"
                  + " offsets. `audit verify` needs it as long as the records are on the topic.");

  public static final ConfigOption<Boolean> ALLOW_EMPTY_STATE =
      option("allow-empty-state")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether to allow a start without savepoint or checkpoint although `decisions` or"
                  + " `segment-events` have records of the deployment. `false`: the start is"
                  + " refused. `true`: models, limits, pending decisions and remembered ids are"
                  + " lost; rewards of earlier decisions become orphans; contexts after the"
                  + " committed offsets of the consumer group are decided again; `seq` begins at 1"
                  + " again in every segment, which `audit verify` reports (I4) from then on."
                  + " Remove it after that start. With exactly-once delivery it also allows a start"
                  + " from an older savepoint or checkpoint: contexts decided since then are"
                  + " decided again, with other arms, and `seq` repeats.");

  public static final ConfigOption<Boolean> ALLOW_REPLACED_INPUTS =
      option("allow-replaced-inputs")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether to allow a start from a savepoint or checkpoint although `contexts` or"
                  + " `rewards` is not the topic that it has read (deleted and created again, or a"
                  + " mirror), or ends before the offsets that it has read. `false`: the start is"
                  + " refused. `true`: reading continues at the old offsets. Records before them are"
                  + " never answered or learned; a partition that ends before them is read from its"
                  + " beginning, where contexts whose ids are forgotten are decided again. Set it"
                  + " only for a mirror with the same offsets, or to accept that, and remove it"
                  + " after that start.");

  public static final ConfigOption<OnLostRecords> ON_LOST_RECORDS =
      option("on-lost-records")
          .enumType(OnLostRecords.class)
          .defaultValue(OnLostRecords.CONTINUE)
          .withDescription(
              "What an exactly-once start does if decisions or segment events that its state has"
                  + " written are not on the topics, after an outage longer than"
                  + " `equipoise.max-outage`; and an at-least-once start if retention has removed"
                  + " the contexts of decisions that no checkpoint has. `continue`: an ERROR names"
                  + " the segments, the counter `lostRecords` counts the records, and the job"
                  + " continues. `fail`: the start is refused.");

  public static final ConfigOption<RecordFormat> FORMAT_INPUTS =
      option("format.inputs")
          .enumType(RecordFormat.class)
          .defaultValue(RecordFormat.SINGLE_OBJECT)
          .withDescription(
              "How the gateway and `bounds --publish` write `contexts`, `rewards` and"
                  + " `causal-bounds`: `single-object`, or `confluent` with ids of a schema registry."
                  + " Job and tools read both, records in Confluent's format if"
                  + " `schema.registry.url` is set.");

  public static final ConfigOption<RecordFormat> FORMAT_OUTPUTS =
      option("format.outputs")
          .enumType(RecordFormat.class)
          .defaultValue(RecordFormat.SINGLE_OBJECT)
          .withDescription("How the job writes its outputs: `single-object` or `confluent`.");

  public static final ConfigOption<String> REGISTRY_URL =
      registry("url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Schema registries with Confluent's REST interface, separated by commas; the next is"
                  + " asked if one does not answer. Settings under `schema.registry.ssl.` are"
                  + " those of a Kafka client: `schema.registry.ssl.truststore.location` and others.");

  public static final ConfigOption<String> REGISTRY_BASIC_AUTH =
      registry("basic.auth.user.info")
          .stringType()
          .noDefaultValue()
          .withDescription("`USER:PASSWORD` for the schema registry.");

  public static final ConfigOption<String> REGISTRY_BEARER_TOKEN =
      registry("bearer.auth.token")
          .stringType()
          .noDefaultValue()
          .withDescription("Token for the schema registry, instead of user and password.");

  public static final ConfigOption<SubjectNameStrategy> REGISTRY_SUBJECTS =
      registry("subject.name.strategy")
          .enumType(SubjectNameStrategy.class)
          .defaultValue(SubjectNameStrategy.TOPIC_NAME)
          .withDescription(
              "The subject of a schema: `topic-name` (`demo.decisions-value`), `record-name`"
                  + " (`io.equipoise.wire.Decision`) or `topic-record-name`"
                  + " (`demo.decisions-io.equipoise.wire.Decision`).");

  public static final ConfigOption<Boolean> REGISTRY_REGISTER =
      registry("auto.register.schemas")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether launcher and gateway register the schemas that they write with. `false`: they"
                  + " must be registered already.");

  private JobOptions() {}

  private static OptionBuilder registry(String name) {
    return key(REGISTRY_PREFIX + name);
  }

  private static OptionBuilder option(String name) {
    return key(PREFIX + name);
  }
}
