package io.equipoise.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Samples this process with the JDK's flight recorder. */
final class TimeProfile implements AutoCloseable {
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Recording recording = new Recording();

  private TimeProfile() {
    recording.enable(SAMPLE).withPeriod(PERIOD);
  }

  /** Starts to sample. */
  static TimeProfile start() {
    TimeProfile timeProfile = new TimeProfile();
    timeProfile.recording.start();
    return timeProfile;
  }

  /** Stops and returns the share of samples by part of the job. */
  Map<String, Double> shares() throws IOException {
    recording.stop();
    Path file = Files.createTempFile("equipoise-bench-", ".jfr");
    try {
      recording.dump(file);
      return read(file);
    } finally {
      Files.delete(file);
    }
  }

  private static Map<String, Double> read(Path file) throws IOException {
    ProfileParts profileParts = new ProfileParts();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(SAMPLE)) {
          profileParts.add(event);
        }
      }
    }
    return profileParts.shares();
  }

  @Override
  public void close() {
    recording.close();
  }
}
