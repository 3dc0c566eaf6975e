package io.equipoise.job;

import io.equipoise.job.options.Topics;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A committed savepoint of one version of state, with the topics as they were beside it. The topics
 * are put on a new broker, so that the savepoint's offsets mean what they meant. It must be taken
 * while nothing flows, hence without transactions that the new broker would not know.
 *
 * @param directory holds the savepoint's files and the topics' lines
 */
record GoldenSavepoint(Path directory) {
  private static final String TOPICS = "topics.txt";

  static GoldenSavepoint ofVersion(int version) {
    return new GoldenSavepoint(Path.of("src/test/resources/savepoint-v" + version));
  }

  /** Returns what a job is started from. */
  String location() {
    return directory.toUri().toString();
  }

  /** Ends a job that has answered all it was sent, and keeps what it has learned and written. */
  void write(TestDeployment deployment, LocalJob job, Path scratch) throws IOException {
    job.checkpoint(); // what it wrote is committed, and the next transactions are empty
    job.checkpoint();
    Path written = Path.of(URI.create(job.savepoint(scratch)));
    job.cancel();
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(written)) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
    Files.writeString(directory.resolve(TOPICS), text(deployment));
  }

  /** Returns all topics as lines of suffix, key and value, in the order of their offsets. */
  private static String text(TestDeployment deployment) {
    Base64.Encoder base64 = Base64.getEncoder();
    StringBuilder text = new StringBuilder();
    for (String topic : all(deployment.topics)) {
      for (ConsumerRecord<byte[], byte[]> record : deployment.read(topic)) {
        text.append(topic.substring(topic.indexOf('.'))).append(' ');
        text.append(base64.encodeToString(record.key())).append(' ');
        text.append(base64.encodeToString(record.value())).append('\n');
      }
    }
    return text.toString();
  }

  /** Puts the topics' records on a deployment's. */
  void replay(TestDeployment deployment) throws IOException {
    Base64.Decoder base64 = Base64.getDecoder();
    for (String line : Files.readAllLines(directory.resolve(TOPICS))) {
      String[] parts = line.split(" ", -1);
      deployment.send(
          new ProducerRecord<>(
              deployment.topics.deployment() + parts[0],
              base64.decode(parts[1]),
              base64.decode(parts[2])));
    }
  }

  private static List<String> all(Topics topics) {
    return Stream.of(
            topics.inputs(), topics.outputs(), List.of(topics.specs(), topics.causalBounds()))
        .flatMap(List::stream)
        .toList();
  }
}
