package io.equipoise.job.options;

import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.Unredactor;
import io.equipoise.privacy.UnusableKeyException;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures how the output topics redact sensitive values. The stored job graph contains these
 * options. So they have only the key's file and id, and each writer reads the file on its own
 * machine.
 *
 * @param keyFile absolute path, the same on every machine; null if nothing is redacted
 * @param keyId id of the launcher's key; null if it found none
 * @param minimumCount rewards that a group needs to appear in metrics
 * @param areFeaturesTold whether decisions contain their features
 * @param deployment binds pseudonyms and ciphertexts to the deployment
 */
public record PrivacyOptions(
    SensitiveValues sensitive,
    @Nullable String keyFile,
    @Nullable String keyId,
    int minimumCount,
    boolean areFeaturesTold,
    String deployment)
    implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(PrivacyOptions.class);
  private static final int MOST_COUNT = 1_000_000;

  /** A usual threshold of statistical offices for sensitive values. */
  private static final int MINIMUM_WHERE_HIDDEN = 10;

  /** Redacts nothing. */
  public static final PrivacyOptions PLAIN =
      new PrivacyOptions(SensitiveValues.PLAIN, null, null, 1, true, "");

  /** Reads the options; {@link #check} and the writers check whether the file contains a key. */
  static PrivacyOptions read(OptionReader reader, Configuration given, Delivery delivery) {
    SensitiveValues sensitive =
        reader.read(
            JobOptions.PRIVACY_SENSITIVE_VALUES, "plain, pseudonymize or redact", any -> true);
    String file = given.getOptional(JobOptions.PRIVACY_KEY_FILE).orElse(null);
    boolean isNeeded = sensitive != SensitiveValues.PLAIN;
    if (file == null ? isNeeded : file.isBlank()) {
      reader.fault(
          JobOptions.PRIVACY_KEY_FILE.key(),
          "nothing",
          "a key file"
              + (isNeeded
                  ? ", which %s: %s needs; make a key: openssl rand -base64 32 > FILE"
                      .formatted(JobOptions.PRIVACY_SENSITIVE_VALUES.key(), sensitive)
                  : "; or leave it out"));
    }
    if (sensitive == SensitiveValues.REDACT && delivery == Delivery.AT_LEAST_ONCE) {
      reader.fault(
          JobOptions.PRIVACY_SENSITIVE_VALUES.key(),
          sensitive.toString(),
          "plain or pseudonymize if "
              + JobOptions.DELIVERY.key()
              + ": "
              + delivery
              + ", which learns again from its published decisions");
    }
    String path =
        file == null || sensitive == SensitiveValues.PLAIN
            ? null
            : Path.of(file).toAbsolutePath().toString();
    return new PrivacyOptions(
        sensitive,
        path,
        path == null ? null : idIn(path),
        minimumCount(reader, given, sensitive),
        reader.read(JobOptions.PRIVACY_FEATURES, "true or false", any -> true),
        path == null ? "" : given.getOptional(JobOptions.DEPLOYMENT).orElse(""));
  }

  private static int minimumCount(
      OptionReader reader, Configuration given, SensitiveValues sensitive) {
    int count =
        reader.read(
            JobOptions.PRIVACY_MIN_GROUP_SIZE,
            "1 to " + MOST_COUNT,
            it -> it >= 1 && it <= MOST_COUNT);
    boolean isGiven = given.contains(JobOptions.PRIVACY_MIN_GROUP_SIZE);
    return isGiven || sensitive == SensitiveValues.PLAIN ? count : MINIMUM_WHERE_HIDDEN;
  }

  private static @Nullable String idIn(String path) {
    try {
      return RedactionKey.read(Path.of(path)).id();
    } catch (UnusableKeyException e) {
      return null; // readers of topics need no key
    }
  }

  /**
   * Checks that the key is available, before anything is started.
   *
   * @throws StartRefusedException if it is not
   */
  public void check() {
    try {
      key();
      warnOfReaders();
    } catch (UnusableKeyException e) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(JobOptions.PRIVACY_KEY_FILE.key() + ": " + e.getMessage()));
    }
  }

  private void warnOfReaders() {
    if (keyFile == null) {
      return;
    }
    try {
      Set<PosixFilePermission> others = EnumSet.noneOf(PosixFilePermission.class);
      others.addAll(Files.getPosixFilePermissions(Path.of(keyFile)));
      others.removeAll(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
      if (!others.isEmpty()) {
        LOG.warn(
            "Users other than the owner have {} on the key in {}; chmod 400 it", others, keyFile);
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("Cannot determine who can read {}", keyFile, e);
    }
  }

  /**
   * Returns the redactor with the key of this machine.
   *
   * @param specs finds a spec by its hash
   * @throws IllegalStateException if the key is missing or differs from the launcher's
   */
  public Redactor redactor(Function<String, @Nullable SegmentSpec> specs) {
    return new Redactor(sensitive, keyHere(), minimumCount, areFeaturesTold, specs);
  }

  /**
   * Returns the decryption of values that a job with the same key redacted.
   *
   * @throws IllegalStateException as {@link #redactor}
   */
  public Unredactor unredactor() {
    RedactionKey key = keyHere();
    return new Unredactor(key == null ? KeyRing.none() : KeyRing.of(key));
  }

  private @Nullable RedactionKey keyHere() {
    RedactionKey key;
    try {
      key = key();
    } catch (UnusableKeyException e) {
      throw new IllegalStateException(
          JobOptions.PRIVACY_KEY_FILE.key()
              + ": "
              + e.getMessage()
              + " on every TaskManager, under this path",
          e);
    }
    if (key != null && keyId != null && !keyId.equals(key.id())) {
      throw new IllegalStateException(
          "%s: %s contains key %s here, but key %s on the launcher; distribute the same key to all machines"
              .formatted(JobOptions.PRIVACY_KEY_FILE.key(), keyFile, key.id(), keyId));
    }
    return key;
  }

  private @Nullable RedactionKey key() {
    return keyFile == null ? null : RedactionKey.read(Path.of(keyFile)).forDeployment(deployment);
  }
}
