package io.equipoise.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.event.ArmCertificate;
import io.equipoise.event.CertificateStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

/** One line for each change, and no more than one a minute. */
class LockInAlarmTest {
  private final List<String> lines = new ArrayList<>();
  private final Counter counter = new SimpleCounter();
  private long now = TimeUnit.HOURS.toNanos(1);
  private final LockInAlarm alarm = new LockInAlarm(counter, () -> now, lines::add);

  private void lookAt(String segment, String... lockedIn) {
    List<ArmCertificate> certificates = new ArrayList<>();
    certificates.add(
        new ArmCertificate("fine", "gender", CertificateStatus.OPEN, 1_000L, 0.5, false));
    for (String arm : lockedIn) {
      certificates.add(
          new ArmCertificate(arm, "gender", CertificateStatus.OPEN, 1_900L, 0.0031, true));
    }
    alarm.lookAt(segment, certificates);
  }

  private void aMinuteLater() {
    now += TimeUnit.MINUTES.toNanos(1);
  }

  @Test
  void eachChangeOfTheSetIsLoggedOnceWithTheRemedy() {
    lookAt("s");
    assertThat(lines).isEmpty();
    lookAt("s", "one");
    aMinuteLater();
    lookAt("s", "one");
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .startsWith("Segment s: lock-in of one by gender.")
        .contains("about 1900 rewards", "0.31 %", "policy.explore: balanced", "tau");
    aMinuteLater();
    lookAt("s", "two", "one");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).contains("two by gender, one by gender.");
    aMinuteLater();
    lookAt("s", "one", "two");
    assertThat(lines).as("another order").hasSize(2);
    assertThat(counter.getCount()).isEqualTo(4);
  }

  @Test
  void aChangeWithinTheMinuteIsLoggedLater() {
    lookAt("s", "one");
    lookAt("other", "one");
    assertThat(lines).hasSize(1);
    aMinuteLater();
    lookAt("other", "one");
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).startsWith("Segment other");
  }

  @Test
  void whatComesBackIsLoggedAgain() {
    lookAt("s", "one");
    lookAt("s");
    aMinuteLater();
    lookAt("s", "one");
    assertThat(lines).hasSize(2);
  }
}
