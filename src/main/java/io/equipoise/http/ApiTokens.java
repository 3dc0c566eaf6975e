package io.equipoise.http;

import io.equipoise.cli.Failures;
import io.equipoise.event.Sha256;
import io.equipoise.event.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks the API tokens of a service. The file contains only their SHA-256 hashes, one line each:
 * name, scope and hash, separated by spaces. Blank lines and lines that begin with {@code #} are
 * ignored.
 *
 * <p>A plain hash suffices because {@link #generate} draws 256 random bits: nobody can guess them.
 */
public final class ApiTokens {
  private static final String FORM =
      "lines of NAME read|write HASH, the hash as 64 hexadecimal digits";
  private static final int TOKEN_BYTES = 32;

  private final List<NamedToken> entries;

  /** Holds one line of the file. */
  private record NamedToken(String name, TokenScope scope, String hash) {}

  /**
   * Pairs a token with its line of the file.
   *
   * @param token given to the caller and kept nowhere
   * @param line for the tokens file
   */
  public record NewToken(String token, String line) {}

  private ApiTokens(List<NamedToken> entries) {
    this.entries = List.copyOf(entries);
  }

  /** Returns no tokens: every caller may do everything. */
  public static ApiTokens none() {
    return new ApiTokens(List.of());
  }

  /**
   * Reads a tokens file.
   *
   * @throws IllegalArgumentException if it cannot be read, has no token, an invalid line or a hash
   *     twice; the message says what is allowed and does not contain the line
   */
  public static ApiTokens read(Path file) {
    List<String> lines;
    try {
      lines = TextFile.read(file).lines().toList();
    } catch (IOException e) {
      throw new IllegalArgumentException("a readable file; " + Failures.words(e), e);
    }
    List<NamedToken> entries = new ArrayList<>();
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String place = file + ", line " + number;
        NamedToken entry =
            entry(line)
                .orElseThrow(() -> new IllegalArgumentException(FORM + "; not so: " + place));
        if (entries.stream().anyMatch(other -> other.hash.equals(entry.hash))) {
          throw new IllegalArgumentException("each hash once; again: " + place);
        }
        entries.add(entry);
      }
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException(FORM + "; the file has none");
    }
    return new ApiTokens(entries);
  }

  private static Optional<NamedToken> entry(String line) {
    String[] fields = line.split("\\s+", -1);
    if (fields.length != 3 || !fields[2].matches("[0-9a-fA-F]{64}")) {
      return Optional.empty();
    }
    String hash = fields[2].toLowerCase(Locale.ROOT);
    return switch (fields[1]) {
      case "read" -> Optional.of(new NamedToken(fields[0], TokenScope.READ, hash));
      case "write" -> Optional.of(new NamedToken(fields[0], TokenScope.WRITE, hash));
      default -> Optional.empty();
    };
  }

  /** Makes a random token. */
  public static NewToken generate(String name, TokenScope scope) {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    String word = scope.name().toLowerCase(Locale.ROOT);
    return new NewToken(token, "%s %s %s".formatted(name, word, hash(token)));
  }

  public boolean areRequired() {
    return !entries.isEmpty();
  }

  /** Returns the scope of a token; empty if it is unknown. Takes the same time for all tokens. */
  Optional<TokenScope> scope(String token) {
    byte[] hash = hash(token).getBytes(StandardCharsets.US_ASCII);
    Optional<TokenScope> found = Optional.empty();
    for (NamedToken entry : entries) {
      if (MessageDigest.isEqual(entry.hash.getBytes(StandardCharsets.US_ASCII), hash)) {
        found = Optional.of(entry.scope);
      }
    }
    return found;
  }

  private static String hash(String token) {
    return HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.UTF_8)));
  }
}
