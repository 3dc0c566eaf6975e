package io.equipoise.http;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.equipoise.job.options.OptionReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.UnrecoverableKeyException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and checks the options of a server, under the name of its service: {@code gateway.port}.
 * They are in the same file as the options of the job.
 */
public final class HttpOptions {
  private static final Logger LOG = LoggerFactory.getLogger(HttpOptions.class);
  private static final int MOST_PORT = 65_535;
  private static final String NONE = "";
  private static final String A_FILE = "a file that exists";

  private final ConfigOption<String> address;
  private final ConfigOption<Integer> port;
  private final ConfigOption<String> keystore;
  private final ConfigOption<String> keystorePassword;
  private final ConfigOption<Boolean> allowPlainHttp;
  private final ConfigOption<String> tokensFile;
  private final ConfigOption<MemorySize> maxRequestBytes;
  private final ConfigOption<Integer> maxConnections;
  private final ConfigOption<Duration> stopTimeout;

  /** Makes the options of a service with its default port. */
  public HttpOptions(String service, int port) {
    HttpSettings standard = HttpSettings.loopback(port);
    String prefix = service + ".";
    address =
        key(prefix + "address")
            .stringType()
            .defaultValue(standard.address())
            .withDescription(
                ("Name or address to listen on. Any but a loopback address requires "
                        + "`%stokens-file`, and either `%stls.keystore` or `%sallow-plain-http`.")
                    .formatted(prefix, prefix, prefix));
    this.port =
        key(prefix + "port")
            .intType()
            .defaultValue(port)
            .withDescription("Port to listen on; 0 for any free port, which the start prints.");
    keystore =
        key(prefix + "tls.keystore")
            .stringType()
            .defaultValue(NONE)
            .withDescription("PKCS12 file with the server's key and certificates. Turns on TLS.");
    keystorePassword =
        key(prefix + "tls.keystore-password")
            .stringType()
            .defaultValue(NONE)
            .withDescription("Password of the keystore and its key.");
    allowPlainHttp =
        key(prefix + "allow-plain-http")
            .booleanType()
            .defaultValue(false)
            .withDescription(
                "Whether an address other than loopback may be served without TLS, "
                    + "because a proxy in front adds it.");
    tokensFile =
        key(prefix + "tokens-file")
            .stringType()
            .defaultValue(NONE)
            .withDescription(
                "File of API tokens, hashed: lines of name, `read` or `write`, and "
                    + "hash, as `equipoise gateway token --name NAME` prints them. Without it, everyone "
                    + "who reaches the loopback address may call.");
    maxRequestBytes =
        key(prefix + "max-request-bytes")
            .memoryType()
            .defaultValue(new MemorySize(standard.maxRequestBytes()))
            .withDescription("Largest body of a request; a larger one is answered with 413.");
    maxConnections =
        key(prefix + "max-connections")
            .intType()
            .defaultValue(standard.maxConnections())
            .withDescription("Open connections; the server accepts further ones when some close.");
    stopTimeout =
        key(prefix + "stop-timeout")
            .durationType()
            .defaultValue(standard.stopTimeout())
            .withDescription("How long a stop waits for requests that are open.");
  }

  /** Returns the options in the order of the reference page. */
  public List<ConfigOption<?>> all() {
    return List.of(
        address,
        port,
        keystore,
        keystorePassword,
        allowPlainHttp,
        tokensFile,
        maxRequestBytes,
        maxConnections,
        stopTimeout);
  }

  /** Reads and checks the options; errors go to the reader. */
  public HttpSettings read(OptionReader reader) {
    String host = reader.read(address, "a name or address of this machine", HttpOptions::isKnown);
    String store = reader.read(keystore, A_FILE, any -> true);
    String tokens = reader.read(tokensFile, A_FILE, HttpOptions::isFileOrNone);
    boolean isPlainAllowed = reader.read(allowPlainHttp, "true or false", any -> true);
    if (!isLoopback(host)) {
      if (tokens.equals(NONE)) {
        reader.fault(
            tokensFile.key(),
            "nothing",
            "a file of tokens, because %s is %s; or a loopback address"
                .formatted(address.key(), host));
      }
      if (store.equals(NONE) && !isPlainAllowed) {
        reader.fault(
            keystore.key(),
            "nothing",
            "a keystore, because %s is %s; or %s: true behind a proxy with TLS"
                .formatted(address.key(), host, allowPlainHttp.key()));
      }
    }
    String password = reader.read(keystorePassword, "a password", any -> true);
    checkKeystore(reader, store, password);
    return new HttpSettings(
        host,
        reader.read(port, "0 to " + MOST_PORT, it -> it >= 0 && it <= MOST_PORT),
        store.equals(NONE) ? null : Path.of(store),
        store.equals(NONE) ? null : password,
        tokens(reader, tokens),
        Math.toIntExact(
            reader
                .read(
                    maxRequestBytes,
                    "1 kb to 64 mb",
                    it -> it.getBytes() >= 1 << 10 && it.getBytes() <= 64 << 20)
                .getBytes()),
        reader.read(maxConnections, "1 or more", it -> it >= 1),
        reader.read(stopTimeout, "0 ms to 1 h", it -> it.compareTo(Duration.ofHours(1)) <= 0));
  }

  private void checkKeystore(OptionReader reader, String store, String password) {
    if (store.equals(NONE)) {
      if (!password.equals(NONE)) {
        reader.fault(
            keystore.key(),
            "nothing",
            "a keystore, because %s is set; or neither".formatted(keystorePassword.key()));
      }
      return;
    }
    if (!isFileOrNone(store)) {
      reader.fault(keystore.key(), "'" + store + "'", A_FILE);
      return;
    }
    try {
      KeystoreFile.read(Path.of(store), password)
          .ifPresentOrElse(
              file -> file.warnings().forEach(LOG::warn),
              () ->
                  reader.fault(
                      keystore.key(),
                      "'" + store + "'",
                      "a whole PKCS12 file with a key; make one from PEM files with"
                          + " openssl pkcs12 -export"));
    } catch (UnrecoverableKeyException e) {
      reader.fault(
          keystorePassword.key(),
          password.equals(NONE) ? "nothing" : "another password",
          "the password of %s and its key".formatted(store));
    }
  }

  private ApiTokens tokens(OptionReader reader, String file) {
    if (!file.equals(NONE)) {
      try {
        return ApiTokens.read(Path.of(file));
      } catch (IllegalArgumentException e) {
        reader.fault(tokensFile.key(), "'" + file + "'", String.valueOf(e.getMessage()));
      }
    }
    return ApiTokens.none();
  }

  private static boolean isFileOrNone(String name) {
    return name.equals(NONE) || Files.isReadable(Path.of(name));
  }

  private static boolean isKnown(String host) {
    try {
      return InetAddress.getAllByName(host).length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static boolean isLoopback(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return !host.isBlank();
    } catch (UnknownHostException e) {
      return true; // reported as an unknown address
    }
  }
}
