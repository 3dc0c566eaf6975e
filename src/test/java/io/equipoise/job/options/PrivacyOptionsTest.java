package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.DeadLetterEncryption;
import io.equipoise.job.RecordSizeLimit;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.Unredactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the options about sensitive values ask for, and where the key is. */
class PrivacyOptionsTest {
  private static final String SECRET = "thirty-two bytes of a dear secret";

  @TempDir private Path directory;

  private Path key(String secret) throws IOException {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    return Files.writeString(
        directory.resolve("key"), Base64.getEncoder().encodeToString(bytes) + "\n");
  }

  private static JobConfig config(String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("equipoise.deployment", "shop");
    all.put("kafka.bootstrap.servers", "broker:9092");
    for (int i = 0; i < options.length; i += 2) {
      all.put("equipoise." + options[i], options[i + 1]);
    }
    return JobConfig.from(Configuration.fromMap(all));
  }

  private static String refusal(String... options) {
    return assertThrows(InvalidOptionsException.class, () -> config(options)).getMessage();
  }

  private PrivacyOptions hiding(SensitiveValues sensitiveValues) throws IOException {
    return config(
            "privacy.sensitive-values",
            sensitiveValues.toString(),
            "privacy.key-file",
            key(SECRET).toString())
        .privacy();
  }

  @Test
  void nothingIsHiddenUnlessAskedFor() {
    PrivacyOptions privacyOptions = config().privacy();
    assertEquals(PrivacyOptions.PLAIN, privacyOptions);
    privacyOptions.check();
    assertEquals(SensitiveValues.PLAIN, privacyOptions.sensitive());
  }

  @ParameterizedTest
  @EnumSource(
      value = SensitiveValues.class,
      names = {"PSEUDONYMIZE", "REDACT"})
  void hidingNeedsAKeyAndTheRefusalSaysHowToMakeOne(SensitiveValues sensitiveValues)
      throws IOException {
    String refusal = refusal("privacy.sensitive-values", sensitiveValues.toString());
    assertTrue(refusal.contains("equipoise.privacy.key-file: given nothing"), refusal);
    assertTrue(refusal.contains("openssl rand -base64 32 > FILE"), refusal);
    hiding(sensitiveValues).check();
  }

  /** Who hides values does not want the reward of one person told either. */
  @Test
  void smallGroupsAreLeftOutWhereValuesAreHidden() throws IOException {
    assertEquals(1, config().privacy().minimumCount());
    assertEquals(10, hiding(SensitiveValues.PSEUDONYMIZE).minimumCount());
    assertEquals(10, hiding(SensitiveValues.REDACT).minimumCount());
    String file = key(SECRET).toString();
    for (int count : List.of(1, 25)) {
      JobConfig config =
          config(
              "privacy.sensitive-values",
              "redact",
              "privacy.key-file",
              file,
              "privacy.min-group-size",
              String.valueOf(count));
      assertEquals(count, config.privacy().minimumCount());
    }
  }

  @Test
  void valuesThatAreNoneAreRefused() {
    assertTrue(
        refusal("privacy.sensitive-values", "masked")
            .contains("allowed: plain, pseudonymize or redact"));
    assertTrue(refusal("privacy.min-group-size", "0").contains("allowed: 1 to 1000000"));
  }

  /** An auditor reads with the job's own file of options and need not have the key. */
  @Test
  void whatIsNoKeyIsRefusedAtTheStartAndNotBefore() throws IOException {
    Path shortKey = key("short");
    JobConfig config =
        config("privacy.sensitive-values", "pseudonymize", "privacy.key-file", shortKey.toString());
    StartRefusedException refused =
        assertThrows(StartRefusedException.class, () -> config.privacy().check());
    assertTrue(
        refused
            .getMessage()
            .contains("equipoise.privacy.key-file: " + shortKey + " contains 5 bytes"),
        refused.getMessage());
    assertFalse(refused.getMessage().contains("short="), refused.getMessage());
  }

  @Test
  void whereTheKeyIsMissingOrAnotherTheWriterSaysSo() throws IOException {
    PrivacyOptions privacyOptions = hiding(SensitiveValues.PSEUDONYMIZE);
    assertNotNull(privacyOptions.redactor(hash -> null));
    Path file = key(SECRET + " of another machine");
    IllegalStateException other =
        assertThrows(IllegalStateException.class, () -> privacyOptions.redactor(hash -> null));
    assertTrue(other.getMessage().contains("on the launcher"), other.getMessage());
    Files.delete(file);
    IllegalStateException missing =
        assertThrows(IllegalStateException.class, () -> privacyOptions.redactor(hash -> null));
    assertTrue(
        missing
            .getMessage()
            .endsWith("put the key into this file on every TaskManager, under this path"),
        missing.getMessage());
  }

  /** The job graph is kept where jobs are recovered from. */
  @Test
  void whatGoesWithTheJobGraphAndWhatIsPrintedHasNoSecret() throws IOException {
    PrivacyOptions privacyOptions = hiding(SensitiveValues.PSEUDONYMIZE);
    DeadLetterEncryption seal = new DeadLetterEncryption(privacyOptions);
    seal.open();
    ByteArrayOutputStream graph = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(graph)) {
      out.writeObject(privacyOptions);
      out.writeObject(seal);
    }
    String bytes = graph.toString(StandardCharsets.ISO_8859_1) + privacyOptions;
    assertFalse(bytes.contains(SECRET.substring(0, 8)));
    assertFalse(
        bytes.contains(Files.readString(directory.resolve("key")).substring(0, 8)), "in base64");
  }

  private static Emission letter(@Nullable String key, @Nullable String segment) {
    DeadLetter plain =
        DeadLetter.undecodable(
            ErrorCode.MALFORMED,
            "It ends early",
            new Origin("contexts", 0, 7, 8),
            bytes("who sent it"),
            bytes("what was sent"));
    return Emission.of(plain.of(segment, null), key == null ? null : bytes(key));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(
      value = SensitiveValues.class,
      names = {"PSEUDONYMIZE", "REDACT"})
  void aLetterIsSealedAndItsOwnKeyKeptOnlyWhereItIsTheSegment(SensitiveValues sensitiveValues)
      throws IOException {
    DeadLetterEncryption seal = new DeadLetterEncryption(hiding(sensitiveValues));
    seal.open();
    Emission given = letter("s", "s");
    Emission sealed = seal.seal(given);
    assertArrayEquals(bytes("s"), sealed.key());
    assertFalse(
        new String(sealed.value(), StandardCharsets.ISO_8859_1).contains("sent"), "as it was sent");
    KeyRing keys = KeyRing.read(List.of(directory.resolve("key")));
    assertEquals(
        Wire.DEAD_LETTER.decode(given.value()).withPlainMessage(),
        new Unredactor(keys).reveal(Wire.DEAD_LETTER.decode(sealed.value())));
    assertNull(seal.seal(letter("who sent it", null)).key());
    assertNull(seal.seal(letter("who sent it", "s")).key());
    assertNull(seal.seal(letter(null, "s")).key());
  }

  @Test
  void lettersOfAPlainDeploymentAndOtherRecordsPassUntouched() throws IOException {
    DeadLetterEncryption plain = new DeadLetterEncryption(PrivacyOptions.PLAIN);
    plain.open();
    Emission letter = letter("s", "s");
    assertSame(letter, plain.seal(letter));
    Emission decision = new Emission(LogTopic.DECISIONS, bytes("s"), bytes("any"));
    DeadLetterEncryption hiding = new DeadLetterEncryption(hiding(SensitiveValues.PSEUDONYMIZE));
    assertSame(decision, hiding.seal(decision));
  }

  /** Seals and padding are more bytes: what was cut to fit still does. */
  @Test
  void aLetterThatWasCutToFitStillFitsUnderItsSeal() throws IOException {
    int most = 1 << 18;
    DeadLetterEncryption seal = new DeadLetterEncryption(hiding(SensitiveValues.PSEUDONYMIZE));
    seal.open();
    RecordSizeLimit fit = new RecordSizeLimit(most, most - seal.mostAddedBytes());
    for (int size = most - (70 << 10); size < most + (10 << 10); size += 509) {
      DeadLetter plain =
          DeadLetter.undecodable(
              ErrorCode.OVERSIZED,
              "x".repeat(10_000),
              new Origin("contexts", 0, 7, 8),
              bytes("k".repeat(300)),
              new byte[size]);
      Emission sealed = seal.seal(fit.fit(Emission.of(plain, bytes("s"))));
      assertTrue(sealed.value().length < most, size + " gives " + sealed.value().length);
    }
  }
}
