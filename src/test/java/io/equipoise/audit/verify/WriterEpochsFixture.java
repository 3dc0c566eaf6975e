package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.job.RestlessDeployment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** A log of at-least-once delivery, with attempts that were killed, to be tampered with. */
abstract class WriterEpochsFixture {
  static final long SEED = 3;
  static final long MEMORY = 64 << 20;

  /** Every test has a copy of its log to tamper with. */
  private static final RestlessDeployment PLAYED = new RestlessDeployment(SEED, 500);

  final RestlessDeployment played = PLAYED;
  final MemoryLog log = PLAYED.log.copy();
  final WriterEpochHistory history = WriterEpochHistory.read(log, MEMORY);

  @TempDir Path directory;

  record Placed(LogRecord at, Decision decision, boolean isWithdrawn) {}

  List<Finding> check() {
    return check(List.of(), null);
  }

  List<Finding> check(List<Instant> faults, @Nullable Path witness) {
    VerifyOptions verifyOptions =
        new VerifyOptions(true, Duration.ZERO, MEMORY, 3, faults, Duration.ofMillis(1), witness);
    return new Auditor(log, played.texts(), verifyOptions).check();
  }

  /** Returns the valid decisions in the order in which the auditor reads them. */
  List<Placed> valid() {
    List<Placed> valid = new ArrayList<>();
    VoidRecords voids = new VoidRecords();
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        Decision decision = voids.decision(at);
        if (decision != null) {
          boolean isWithdrawn = history.isWithdrawn(decision.place());
          valid.add(new Placed(at, decision, isWithdrawn));
        }
      }
    }
    return valid;
  }

  Placed valid(Predicate<Placed> what) {
    return valid().stream().filter(what).findFirst().orElseThrow();
  }

  Placed recovered() {
    return valid(it -> it.decision.recovered() && !it.isWithdrawn && isChosen(it.decision));
  }

  Placed ordinary() {
    return valid(it -> !it.decision.recovered() && !it.isWithdrawn && isChosen(it.decision));
  }

  static boolean isChosen(Decision decision) {
    return decision.features() != null;
  }

  void replace(Placed placed, Decision decision) {
    log.replace(placedIn(placed.at), Wire.DECISION.encode(decision));
  }

  /** Finds a record as the log keeps it. */
  LogRecord placedIn(LogRecord at) {
    return log.records(at.slice().topic(), at.slice().partition()).stream()
        .filter(it -> it.offset() == at.offset())
        .findFirst()
        .orElseThrow();
  }

  static String other(String arm) {
    return arm.equals("A=left") ? "A=right" : "A=left";
  }
}
