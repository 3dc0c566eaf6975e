package io.equipoise.job.options;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Finds out why brokers do not reply. A client that sends plain text to a TLS port, or TLS to a
 * plain-text port, only sees closed connections and retries until it times out.
 */
final class BrokerProbe {
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
    return "kafka.security.protocol: with %s, %s:%d accepts connections and does not reply in time; %s, and then needs a longer kafka.default.api.timeout.ms"
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
