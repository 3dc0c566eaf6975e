package io.equipoise.privacy;

import io.equipoise.event.Redaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds the keys of a reader, by id. Not thread-safe. */
public final class KeyRing {
  private final Map<String, RedactionKey> keys = new TreeMap<>();

  private KeyRing() {}

  /** Returns a key ring without keys. */
  public static KeyRing none() {
    return new KeyRing();
  }

  /**
   * Reads keys.
   *
   * @throws UnusableKeyException if a file contains no valid key
   */
  public static KeyRing read(List<Path> files) {
    KeyRing ring = new KeyRing();
    for (Path file : files) {
      RedactionKey key = RedactionKey.read(file);
      ring.keys.put(key.id(), key);
    }
    return ring;
  }

  /** Returns a key ring with one key. */
  public static KeyRing of(RedactionKey key) {
    KeyRing ring = new KeyRing();
    ring.keys.put(key.id(), key);
    return ring;
  }

  /**
   * Decrypts the redacted values of a record.
   *
   * @throws CiphertextException if they were removed, the key is missing, or the bytes were changed
   */
  byte[] open(Redaction redaction, byte[] place) {
    byte[] sealed = redaction.ciphertext();
    String keyId = redaction.keyId();
    if (sealed == null || keyId == null) {
      throw CiphertextException.dropped();
    }
    byte[] text = key(keyId).open(place, sealed);
    if (text == null) {
      throw CiphertextException.forged("key " + keyId + " does not decrypt them");
    }
    return text;
  }

  /**
   * Returns a key.
   *
   * @throws CiphertextException if it is missing
   */
  RedactionKey key(String id) {
    RedactionKey key = keys.get(id);
    if (key == null) {
      throw keys.isEmpty()
          ? CiphertextException.noKey(id)
          : CiphertextException.otherKey(id, String.join(", ", keys.keySet()));
    }
    return key;
  }
}
