package io.equipoise.http;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of a server; {@link HttpOptions} reads and checks them.
 *
 * @param address name or address to listen on
 * @param port 0 for any free one
 * @param keystore PKCS12 file with the server's key and certificates; null for plain HTTP
 * @param keystorePassword null if there is no keystore
 * @param tokens who may call
 * @param maxRequestBytes largest body
 * @param maxConnections open connections; further ones wait
 * @param stopTimeout how long a stop waits for open requests
 */
public record HttpSettings(
    String address,
    int port,
    @Nullable Path keystore,
    @Nullable String keystorePassword,
    ApiTokens tokens,
    int maxRequestBytes,
    int maxConnections,
    Duration stopTimeout) {
  private static final int MAX_REQUEST_BYTES = 256 << 10;
  private static final int MAX_CONNECTIONS = 4096;
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  /** Returns the defaults on the loopback address, without tokens. */
  public static HttpSettings loopback(int port) {
    return new HttpSettings(
        "127.0.0.1",
        port,
        null,
        null,
        ApiTokens.none(),
        MAX_REQUEST_BYTES,
        MAX_CONNECTIONS,
        STOP_TIMEOUT);
  }

  /** Prints neither the password nor the tokens. */
  @Override
  public String toString() {
    return "%s://%s:%d".formatted(keystore == null ? "http" : "https", address, port);
  }
}
