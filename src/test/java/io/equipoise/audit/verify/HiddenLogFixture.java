package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Logs of one and the same deployment that tells all, hides behind tokens, or drops. */
abstract class HiddenLogFixture {
  static final long SEED = 7;
  static final int STEPS = TamperedLog.STEPS;

  /** Nobody plays these on; every test has copies to tamper with. */
  private static final PlayedDeployment TOKEN = played(SensitiveValues.PSEUDONYMIZE);

  private static final PlayedDeployment DROP = played(SensitiveValues.REDACT);

  @TempDir private Path directory;

  Path file = Path.of("");
  Path otherFile = Path.of("");
  final PlayedDeployment plain = TamperedLog.PLAYED.copy();
  final PlayedDeployment token = TOKEN.copy();
  final PlayedDeployment drop = DROP.copy();

  @BeforeEach
  void writeKeys() throws IOException {
    file = key("key", 1);
    otherFile = key("other", 2);
  }

  private Path key(String name, int fill) throws IOException {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) fill);
    return Files.writeString(
        directory.resolve(name), Base64.getEncoder().encodeToString(secret) + "\n");
  }

  /** The key is that of {@link #file}. */
  static PlayedDeployment played(SensitiveValues sensitiveValues) {
    return new PlayedDeployment(SEED, STEPS, sensitiveValues, TestKeys.of(1)).ended();
  }

  static List<Finding> check(PlayedDeployment played, KeyRing keys) {
    return new Auditor(played.log, played.texts(), AuditorTest.PLAIN, StartState.NOTHING, keys)
        .check();
  }

  static KeyRing keys(Path... files) {
    return KeyRing.read(List.of(files));
  }

  static List<LogRecord> records(PlayedDeployment played, LogTopic topic) {
    List<LogRecord> records = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      records.addAll(played.log.records(topic, partition));
    }
    return records;
  }

  static <T extends Record> List<T> all(PlayedDeployment played, LogTopic topic, Wire<T> wire) {
    return records(played, topic).stream().map(at -> wire.decode(Payloads.value(at))).toList();
  }

  String keyId() {
    return RedactionKey.read(file).id();
  }
}
