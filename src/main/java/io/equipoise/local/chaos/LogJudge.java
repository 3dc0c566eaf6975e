package io.equipoise.local.chaos;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.Origin;
import io.equipoise.event.Outcome;
import io.equipoise.event.TopicKind;
import io.equipoise.event.Wire;
import io.equipoise.job.JobConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Judges that every context is answered once (I1), that every reward is learnt or refused once
 * (I2), that numbers are gapless (I4) and that every bad record is a dead letter once (I7).
 *
 * <p>Keeps every id and origin in memory, so it is for runs of hours, not months.
 */
final class LogJudge implements Judge {
  private final Reading reading;

  /** How a topic is read from its beginning to its end. */
  interface Reading {
    /** Passes on every committed record, in the order of each partition. */
    void read(JobConfig config, String topic, Consumer<ConsumerRecord<byte[], byte[]>> to);
  }

  /** Judges what is on Kafka. */
  LogJudge() {
    this((config, topic, to) -> CommittedTopic.read(config.kafka(), topic, to));
  }

  LogJudge(Reading reading) {
    this.reading = reading;
  }

  @Override
  public Judgement judge(JobConfig config) {
    return new Trial(config, reading).run();
  }

  /** One reading of one log. */
  private static final class Trial {
    private final JobConfig config;
    private final Reading reading;
    private final InputDecoder decoder;
    private final List<String> violations = new ArrayList<>();
    private final SeqBook seqs = new SeqBook(violations);
    private final Map<String, Integer> decisions = new HashMap<>();
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, Integer> letters = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private long decided;
    private long applied;

    private Trial(JobConfig config, Reading reading) {
      this.config = config;
      this.reading = reading;
      this.decoder = new InputDecoder(config.maxRecordBytes());
    }

    private Judgement run() {
      var topics = config.topics();
      reading.read(config, topics.decisions(), this::decision);
      reading.read(config, topics.outcomes(), this::outcome);
      reading.read(
          config,
          topics.deadLetter(),
          record -> {
            var letter = Wire.DEAD_LETTER.decode(record.value());
            letters.merge(
                place(letter.topic(), letter.partition(), letter.offset()), 1, Integer::sum);
          });
      reading.read(config, topics.contexts(), this::context);
      reading.read(config, topics.rewards(), this::reward);
      seqs.close();
      decisions.keySet().stream()
          .filter(key -> !asked.contains(key))
          .sorted()
          .forEach(key -> violations.add("I1: " + key + " was decided and never asked"));
      return new Judgement(violations, asked.size(), decided, applied);
    }

    private void decision(ConsumerRecord<byte[], byte[]> record) {
      Decision decision = Wire.DECISION.decode(record.value());
      decided++;
      decisions.merge(key(decision.segment(), decision.decisionId()), 1, Integer::sum);
      seqs.record(
          record.topic(), record.partition(), decision.segment(), decision.shard(), decision.seq());
    }

    private void outcome(ConsumerRecord<byte[], byte[]> record) {
      Outcome outcome = Wire.OUTCOME.decode(record.value());
      seqs.record(
          record.topic(), record.partition(), outcome.segment(), outcome.shard(), outcome.seq());
      String topic = outcome.rewardTopic();
      Integer partition = outcome.rewardPartition();
      Long offset = outcome.rewardOffset();
      if (topic != null && partition != null && offset != null) {
        applied++;
        uses.merge(place(topic, partition, offset), 1, Integer::sum);
      }
    }

    private void context(ConsumerRecord<byte[], byte[]> record) {
      String place = place(record.topic(), record.partition(), record.offset());
      int refused = letters.getOrDefault(place, 0);
      if (!(decode(TopicKind.CONTEXTS, record) instanceof Decoded.Good good)) {
        expect(
            refused == 1, "I7: the bad record at " + place + " has " + refused + " dead letters");
        return;
      }
      ContextEvent context = (ContextEvent) good.input();
      String key = key(context.segment(), context.decisionId());
      boolean isFirst = asked.add(key);
      boolean mustBeRefused = !isFirst || context.fault() != null;
      expect(
          mustBeRefused ? refused == 1 : refused <= 1,
          "I7: the context at " + place + " has " + refused + " dead letters");
      if (isFirst) {
        int answers = decisions.getOrDefault(key, 0);
        expect(answers == 1, "I1: " + key + " has " + answers + " decisions");
      }
    }

    private void reward(ConsumerRecord<byte[], byte[]> record) {
      String place = place(record.topic(), record.partition(), record.offset());
      int used = uses.getOrDefault(place, 0);
      int refused = letters.getOrDefault(place, 0);
      if (!(decode(TopicKind.REWARDS, record) instanceof Decoded.Good good)) {
        expect(
            refused == 1, "I7: the bad record at " + place + " has " + refused + " dead letters");
        return;
      }
      Input reward = good.input();
      boolean mayBeHeld = !decisions.containsKey(key(reward.segment(), reward.decisionId()));
      expect(
          used + refused == 1 || (mayBeHeld && used + refused == 0),
          "I2: the reward at %s is used %d times and refused %d times"
              .formatted(place, used, refused));
    }

    private Decoded decode(TopicKind kind, ConsumerRecord<byte[], byte[]> record) {
      Origin origin =
          new Origin(record.topic(), record.partition(), record.offset(), record.timestamp());
      long latest = record.timestamp() + config.allowedSkew().toMillis();
      return decoder.decode(kind, record.key(), record.value(), origin, latest);
    }

    private void expect(boolean holds, String otherwise) {
      if (!holds) {
        violations.add(otherwise);
      }
    }

    private static String key(String segment, String id) {
      return segment + "/" + id;
    }

    private static String place(String topic, int partition, long offset) {
      return topic + "-" + partition + "@" + offset;
    }
  }
}
