package io.equipoise.privacy;

import io.equipoise.event.Redaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The keys that a reader has, by id. For one thread at a time. */
public final class KeyRing {
  private final Map<String, RedactionKey> keys = new TreeMap<>();

  private KeyRing() {}

  /** Returns a ring without a key. */
  public static KeyRing none() {
    return new KeyRing();
  }

  /**
   * Reads keys.
   *
   * @throws UnusableKeyException if a file holds none
   */
  public static KeyRing read(List<Path> files) {
    KeyRing ring = new KeyRing();
    for (Path file : files) {
      RedactionKey key = RedactionKey.read(file);
      ring.keys.put(key.id(), key);
    }
    return ring;
  }

  /** Returns a ring with one key. */
  public static KeyRing of(RedactionKey key) {
    KeyRing ring = new KeyRing();
    ring.keys.put(key.id(), key);
    return ring;
  }

  /**
   * Returns what was sealed into a record.
   *
   * @throws CiphertextException if it was dropped, its key is not here, or the bytes were changed
   */
  byte[] open(Redaction redaction, byte[] place) {
    byte[] sealed = redaction.ciphertext();
    String keyId = redaction.keyId();
    if (sealed == null || keyId == null) {
      throw CiphertextException.dropped();
    }
    byte[] text = key(keyId).open(place, sealed);
    if (text == null) {
      throw CiphertextException.forged("key " + keyId + " does not open them");
    }
    return text;
  }

  /**
   * Returns a key.
   *
   * @throws CiphertextException if it is not here
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
