package io.equipoise.job.options;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.jspecify.annotations.Nullable;

/**
 * Reports which option to correct if Kafka's clients, or the client of a schema registry with the
 * same settings of TLS, cannot connect. Masks secrets that a client's message quotes.
 */
public final class KafkaErrors {
  private static final int SHORTEST_SECRET = 3;
  private static final String TRUST_STORE = "ssl.truststore.location";

  private final String prefix;
  private final Map<String, String> settings;

  /**
   * Takes the settings of a client.
   *
   * @param prefix of their options
   * @param settings without the prefix
   */
  public KafkaErrors(String prefix, Map<String, String> settings) {
    this.prefix = prefix;
    this.settings = new TreeMap<>(settings);
  }

  /** Takes the settings of a job's clients. */
  public static KafkaErrors of(JobConfig config) {
    return new KafkaErrors(JobOptions.KAFKA_PREFIX, config.kafkaSettings());
  }

  /** Takes the settings of a job's clients from a configuration, valid or not. */
  public static KafkaErrors of(Configuration given) {
    return new KafkaErrors(JobOptions.KAFKA_PREFIX, KafkaSettings.given(given));
  }

  /** Returns whether a client of Kafka threw an exception or its cause. */
  public static boolean areIn(Throwable failure) {
    return causes(failure).stream().anyMatch(KafkaException.class::isInstance);
  }

  /** Returns the message of an exception, and {@link #explain} if a client caused it. */
  public @Nullable String message(RuntimeException failure) {
    String message = failure.getMessage();
    return failure instanceof KafkaException
        ? explain(failure)
        : areIn(failure) ? message + ": " + explain(failure) : message;
  }

  /** Returns one line: the option, what is wrong, and the remedy. */
  public String explain(Throwable failure) {
    List<Throwable> causes = causes(failure);
    for (Throwable cause : causes) {
      String known = known(cause, causes);
      if (known != null) {
        return masked(known);
      }
    }
    return masked(unknown(causes));
  }

  private @Nullable String known(Throwable cause, List<Throwable> causes) {
    if (cause instanceof UnsupportedSaslMechanismException) {
      return "kafka.sasl.mechanism: the brokers do not accept %s (%s)"
          .formatted(given("sasl.mechanism", "GSSAPI"), cause.getMessage());
    }
    if (cause instanceof SaslAuthenticationException) {
      return "kafka.sasl.jaas.config: the brokers reject its user or password (%s); correct them, or kafka.sasl.mechanism, which is %s"
          .formatted(cause.getMessage(), given("sasl.mechanism", "GSSAPI"));
    }
    if (cause instanceof SslAuthenticationException) {
      return ofTls(causes);
    }
    if (cause instanceof AuthorizationException) {
      return "kafka.sasl.jaas.config: the brokers do not allow this user to do it (%s); add the ACL, or name another user"
          .formatted(cause.getMessage());
    }
    if (cause instanceof TimeoutException) {
      return new BrokerProbe(given("bootstrap.servers", ""), protocol()).explain();
    }
    return null;
  }

  private String ofTls(List<Throwable> causes) {
    String why = String.valueOf(causes.get(causes.size() - 1).getMessage());
    for (Throwable cause : causes) {
      if (cause instanceof CertificateExpiredException
          || cause instanceof CertificateNotYetValidException) {
        return "kafka.ssl.truststore.location: the brokers' certificate is expired or not yet valid (%s); renew it on the brokers, and here if the trust store contains it"
            .formatted(cause.getMessage());
      }
    }
    boolean isUntrusted =
        causes.stream()
            .anyMatch(
                it ->
                    it instanceof CertPathBuilderException
                        || it instanceof CertPathValidatorException);
    if (isUntrusted) {
      return "kafka.ssl.truststore.location: no certificate in %s matches the brokers' (%s)"
          .formatted(given("ssl.truststore.location", "Java's default trust store"), why);
    }
    String lower = why.toLowerCase(Locale.ROOT);
    if (lower.contains("subject alternative")) {
      return "kafka.bootstrap.servers: the brokers' certificate is for other names (%s); use a name of the certificate"
          .formatted(why);
    }
    if (lower.contains("received fatal alert")) {
      return "kafka.ssl.keystore.location: the brokers reject the certificate of this client (%s)"
          .formatted(why);
    }
    return "kafka.security.protocol: the TLS handshake with the brokers failed under %s (%s)"
        .formatted(protocol(), why);
  }

  /** If the client cannot be created, its message names a file, an option, or neither. */
  private String unknown(List<Throwable> causes) {
    String why = String.valueOf(causes.get(causes.size() - 1).getMessage());
    for (Throwable cause : causes) {
      String message = String.valueOf(cause.getMessage());
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        boolean isFile = setting.getKey().endsWith(".location");
        if (isFile && message.contains(setting.getValue())) {
          return ofFile(setting.getKey(), causes, why);
        }
      }
      if (message.contains("JAAS") || message.contains("LoginException")) {
        return prefix + "sasl.jaas.config: " + message;
      }
      for (String name : settings.keySet()) {
        if (message.contains(name)) {
          return prefix + name + ": " + message;
        }
      }
    }
    if (settings.containsKey(TRUST_STORE)
        && isOf(causes, InvalidAlgorithmParameterException.class)) {
      return "%s%s: %s has no certificate that can be read without %s"
          .formatted(prefix, TRUST_STORE, given(TRUST_STORE, ""), prefix + passwordOf(TRUST_STORE));
    }
    if (settings.containsKey(TRUST_STORE) && isOf(causes, IOException.class)) {
      return ofFile(TRUST_STORE, causes, why);
    }
    return "%sbootstrap.servers: %s: %s".formatted(prefix, given("bootstrap.servers", ""), why);
  }

  private String ofFile(String option, List<Throwable> causes, String why) {
    String wrong =
        isOf(causes, NoSuchFileException.class)
            ? "there is no such file"
            : isOf(causes, GeneralSecurityException.class) ? "its password is wrong" : why;
    return "%s%s: %s cannot be used (%s); correct it, or %s%s"
        .formatted(prefix, option, given(option, ""), wrong, prefix, passwordOf(option));
  }

  private static String passwordOf(String location) {
    return location.replace(".location", ".password");
  }

  private static boolean isOf(List<Throwable> causes, Class<?> type) {
    return causes.stream().anyMatch(type::isInstance);
  }

  private String protocol() {
    return given("security.protocol", "PLAINTEXT");
  }

  private String given(String name, String standard) {
    return settings.getOrDefault(name, standard);
  }

  /** Masks all secrets: whole values, and quoted parts. */
  private String masked(String text) {
    String masked = text;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      if (!Secrets.isSecret(setting.getKey(), setting.getValue())) {
        continue;
      }
      masked = masked.replace(setting.getValue(), Secrets.MASK);
      for (String quoted : setting.getValue().split("[\"']", -1)) {
        boolean isSecret = quoted.length() >= SHORTEST_SECRET && !quoted.contains("=");
        masked = isSecret ? masked.replace(quoted, Secrets.MASK) : masked;
      }
    }
    return masked;
  }

  private static List<Throwable> causes(Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable at = failure; at != null && !causes.contains(at); at = at.getCause()) {
      causes.add(at);
    }
    return causes;
  }
}
