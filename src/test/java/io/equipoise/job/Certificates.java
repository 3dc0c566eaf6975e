package io.equipoise.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes an authority, and keys of 127.0.0.1 with certificates that it signed, with Java's keytool,
 * below a directory.
 */
public final class Certificates {
  public static final String PASSWORD = "store-hunter2";
  private static final String AUTHORITY = "authority";

  private final Path directory;
  private final Path authority;

  public Certificates(Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    this.authority = directory.resolve(AUTHORITY + ".p12");
    generate(authority, AUTHORITY, "-ext", "bc:c");
  }

  /** Makes a key store with a certificate; returns its file. */
  public Path keyStore(String name, String... validity) throws IOException, InterruptedException {
    Path store = Files.copy(authority, directory.resolve(name + ".p12"));
    List<String> more = new ArrayList<>(List.of("-signer", AUTHORITY, "-ext", "san=ip:127.0.0.1"));
    more.addAll(List.of(validity));
    generate(store, name, more.toArray(String[]::new));
    keytool(List.of("-delete", "-alias", AUTHORITY, "-keystore", store.toString()));
    return store;
  }

  /** Writes a store that trusts the authority; returns its file. */
  public Path trustStore() throws IOException, InterruptedException {
    Path trust = directory.resolve("trust.pem");
    keytool(
        List.of(
            "-exportcert",
            "-rfc",
            "-alias",
            AUTHORITY,
            "-keystore",
            authority.toString(),
            "-file",
            trust.toString()));
    return trust;
  }

  private static void generate(Path store, String name, String... more)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString()));
    arguments.addAll(List.of(more));
    keytool(arguments);
  }

  private static void keytool(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(arguments);
    command.addAll(List.of("-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }
}
