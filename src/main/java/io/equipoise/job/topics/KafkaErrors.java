package io.equipoise.job.topics;

import io.equipoise.job.options.Secrets;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.jspecify.annotations.Nullable;

/**
 * Reports which option to correct if Kafka's clients cannot connect. Masks secrets that a client's
 * message quotes.
 */
final class KafkaErrors {
  private static final int SHORTEST_SECRET = 3;

  private final Map<String, String> settings;

  /** Takes the settings under {@code kafka.}, without the prefix. */
  KafkaErrors(Map<String, String> settings) {
    this.settings = new TreeMap<>(settings);
  }

  /** Returns one line: the option, what is wrong, and the remedy. */
  String explain(Throwable failure) {
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
          return "kafka.%s: %s cannot be used (%s); correct it, or kafka.%s"
              .formatted(
                  setting.getKey(),
                  setting.getValue(),
                  why,
                  setting.getKey().replace(".location", ".password"));
        }
      }
      if (message.contains("JAAS") || message.contains("LoginException")) {
        return "kafka.sasl.jaas.config: " + message;
      }
      for (String name : settings.keySet()) {
        if (message.contains(name)) {
          return "kafka." + name + ": " + message;
        }
      }
    }
    return "kafka.bootstrap.servers: %s: %s".formatted(given("bootstrap.servers", ""), why);
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

  /**
   * Finds out why brokers do not reply. A client that sends plain text to a TLS port, or TLS to a
   * plain-text port, only sees closed connections and retries until it times out.
   */
  private static final class BrokerProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final String servers;
    private final String protocol;

    /**
     * @param servers as in {@code kafka.bootstrap.servers}
     * @param protocol as in {@code kafka.security.protocol}
     */
    BrokerProbe(String servers, String protocol) {
      this.servers = servers;
      this.protocol = protocol;
    }

    /** Returns one line: the option, what is wrong, and the remedy. */
    String explain() {
      for (String server : servers.split(",", -1)) {
        int colon = server.lastIndexOf(':');
        if (colon > 0 && server.substring(colon + 1).strip().matches("[0-9]{1,5}")) {
          String host = server.substring(0, colon).strip();
          int port = Integer.parseInt(server.substring(colon + 1).strip());
          if (isOpen(host, port)) {
            return ofOpen(host, port);
          }
        }
      }
      return "kafka.bootstrap.servers: nothing listens at " + servers;
    }

    private String ofOpen(String host, int port) {
      boolean speaksTls = speaksTls(host, port);
      boolean asksForTls = protocol.endsWith("SSL");
      if (speaksTls && !asksForTls) {
        return "kafka.security.protocol: %s, but %s:%d uses TLS; set it to SSL or SASL_SSL"
            .formatted(protocol, host, port);
      }
      if (!speaksTls && asksForTls) {
        return "kafka.security.protocol: %s, but %s:%d does not use TLS; set it to PLAINTEXT or SASL_PLAINTEXT"
            .formatted(protocol, host, port);
      }
      return "kafka.security.protocol: with %s, %s:%d accepts connections and does not reply; %s"
          .formatted(
              protocol,
              host,
              port,
              protocol.startsWith("SASL")
                  ? "it may be no Kafka broker, or not use SASL, or it is slow"
                  : "it may require SASL, or it is slow");
    }

    private static boolean isOpen(String host, int port) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, port), (int) PATIENCE.toMillis());
        return true;
      } catch (IOException | IllegalArgumentException e) {
        return false;
      }
    }

    /** Accepts any TLS response, even with a certificate that this process does not trust. */
    private static boolean speaksTls(String host, int port) {
      try (Socket plain = new Socket()) {
        plain.connect(new InetSocketAddress(host, port), (int) PATIENCE.toMillis());
        plain.setSoTimeout((int) PATIENCE.toMillis());
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        try (SSLSocket tls = (SSLSocket) factory.createSocket(plain, host, port, true)) {
          tls.startHandshake();
          return true;
        }
      } catch (SSLHandshakeException e) {
        // A server that closes the connection without TLS causes an EOF wrapped in the same
        // exception.
        return !(e.getCause() instanceof EOFException);
      } catch (IOException e) {
        return false;
      }
    }
  }
}
