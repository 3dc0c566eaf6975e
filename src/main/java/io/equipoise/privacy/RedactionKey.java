package io.equipoise.privacy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Makes pseudonyms and ciphertexts from a secret, which is read from a file of base64 text for at
 * least {@value #LEAST_BYTES} bytes. The remembered pseudonyms are a cache: a pseudonym never
 * changes. {@link #toString} shows the id only. Not thread-safe.
 */
public final class RedactionKey {
  static final int LEAST_BYTES = 32;

  /** Bytes of a deployment's scope in pseudonyms and ciphertexts. */
  static final int SCOPE_BYTES = 8;

  private static final int MOST_FILE_BYTES = 1 << 16;
  private static final int ID_BYTES = 4;
  private static final int TOKEN_BYTES = 8;
  private static final int MOST_REMEMBERED = 10_000;
  private static final String TOKEN = "t-";

  private final DerivedKeys keys;
  private final byte[] scope;
  private final String id;
  private final Mac tokens;
  private final SivCipher sivCipher;
  private final Map<Level, String> remembered = new HashMap<>();

  private record Level(String variable, String level) {}

  private RedactionKey(DerivedKeys keys, byte[] scope) {
    this.keys = keys;
    this.scope = scope;
    id = HexFormat.of().formatHex(keys.of("key id"), 0, ID_BYTES);
    tokens = DerivedKeys.mac(keys.of("tokens"));
    sivCipher = new SivCipher(keys);
  }

  /**
   * Reads a key.
   *
   * @throws UnusableKeyException if the file cannot be read, is not a regular file, is not base64,
   *     or is too short
   */
  public static RedactionKey read(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UnusableKeyException(
          file + " cannot be read (not a regular file); put the key into a regular file");
    }
    byte[] text;
    try (InputStream in = Files.newInputStream(file)) {
      text = in.readNBytes(MOST_FILE_BYTES);
    } catch (IOException e) {
      throw new UnusableKeyException(
          file
              + " cannot be read ("
              + e.getClass().getSimpleName()
              + "); put the key into this file");
    }
    byte[] secret;
    try {
      secret =
          Base64.getMimeDecoder().decode(strict(new String(text, StandardCharsets.ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      throw new UnusableKeyException(
          file + " is not base64 text; make a key: openssl rand -base64 32 > FILE");
    }
    return of(secret, file.toString());
  }

  /** Rejects characters that a lenient decoder would skip. */
  private static String strict(String text) {
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      boolean isBase64 =
          at < 0x80 && (Character.isLetterOrDigit(at) || "+/=\r\n \t".indexOf(at) >= 0);
      if (!isBase64) {
        throw new IllegalArgumentException("not base64");
      }
    }
    return text;
  }

  /**
   * Makes a key from a secret.
   *
   * @param name its name in messages
   * @throws UnusableKeyException if it is too short
   */
  static RedactionKey of(byte[] secret, String name) {
    if (secret.length < LEAST_BYTES) {
      throw new UnusableKeyException(
          name
              + " contains "
              + secret.length
              + " bytes; a key has at least "
              + LEAST_BYTES
              + "; make a key: openssl rand -base64 32 > FILE");
    }
    if (Arrays.equals(secret, new byte[secret.length])) {
      throw new UnusableKeyException(
          name + " contains only zeros; make a key: openssl rand -base64 32 > FILE");
    }
    return new RedactionKey(new DerivedKeys(secret), new byte[SCOPE_BYTES]);
  }

  /** Returns the key in the scope of a deployment, with its own pseudonyms and ciphertexts. */
  public RedactionKey forDeployment(String deployment) {
    byte[] digest =
        DerivedKeys.mac(keys.of("scope")).doFinal(deployment.getBytes(StandardCharsets.UTF_8));
    return new RedactionKey(keys, Arrays.copyOf(digest, SCOPE_BYTES));
  }

  /** Returns the key in the scope of the deployment that encrypted these bytes. */
  RedactionKey inScopeOf(byte @Nullable [] sealed) {
    return sealed == null || sealed.length <= SCOPE_BYTES
        ? this
        : new RedactionKey(keys, Arrays.copyOfRange(sealed, 1, 1 + SCOPE_BYTES));
  }

  String scope() {
    return HexFormat.of().formatHex(scope);
  }

  /** Returns a public identifier of the key, 8 hexadecimal digits. */
  public String id() {
    return id;
  }

  /** Returns the pseudonym of a level of a variable; the same in all records. */
  String token(String variable, String level) {
    if (remembered.size() >= MOST_REMEMBERED) {
      remembered.clear();
    }
    return remembered.computeIfAbsent(new Level(variable, level), this::token);
  }

  private String token(Level of) {
    byte[] variable = of.variable().getBytes(StandardCharsets.UTF_8);
    tokens.update(scope);
    tokens.update(ByteBuffer.allocate(Integer.BYTES).putInt(variable.length).array());
    tokens.update(variable);
    byte[] code = tokens.doFinal(of.level().getBytes(StandardCharsets.UTF_8));
    return TOKEN + HexFormat.of().formatHex(code, 0, TOKEN_BYTES);
  }

  /**
   * Encrypts the redacted values of a record.
   *
   * @param room padded length in bytes, by {@link Padding}
   */
  byte[] seal(byte[] place, byte[] text, int room) {
    return sivCipher.close(scope, place, text, room);
  }

  /** Decrypts them; returns null if the bytes were not made with this key for this record. */
  byte @Nullable [] open(byte[] place, byte[] sealed) {
    return sivCipher.open(place, sealed);
  }

  @Override
  public String toString() {
    return "RedactionKey[" + id + "]";
  }
}
