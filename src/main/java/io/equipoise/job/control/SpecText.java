package io.equipoise.job.control;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Carries a spec's text, or its retirement, to every subtask.
 *
 * @param raw a record of the specs topic with a key
 */
public record SpecText(RawControl raw) implements Control {
  private static final Pattern KEY = Pattern.compile("[\\p{L}\\p{N}._-]{1,128}/[0-9a-f]{32}");

  /**
   * Returns a record of the specs topic.
   *
   * @throws SpecException if it has no key
   */
  public static SpecText of(RawControl raw) {
    if (raw.key() == null) {
      throw new SpecException(List.of(new SpecFault("the record's key", "none", "NAME/HASH")));
    }
    return new SpecText(raw);
  }

  /** Returns the record's key: spec name, a slash, and the text's hash. */
  public String key() {
    return new String(Objects.requireNonNull(raw.key()), StandardCharsets.UTF_8);
  }

  /** Returns the hash of the text, which the key ends with. */
  public String hash() {
    return key().substring(key().lastIndexOf('/') + 1);
  }

  /**
   * Returns the self-contained text, null for a retirement: no segment adopts the spec from then
   * on; segments under it continue until another spec replaces it.
   */
  public @Nullable String text() {
    byte[] value = raw.value();
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /**
   * Validates the record. All readers use this rule, so that a record that the running job rejects
   * does not become active at the next start. A retirement is valid whether or not its spec is
   * known, because compaction removes the spec first.
   *
   * @return the compiled spec, null for a retirement
   * @throws SpecException if the text is invalid, with all errors, if the key does not match, or if
   *     decisions would be too large
   */
  public @Nullable CompiledSpec check(CatalogLimit limit) {
    if (raw.value() != null) {
      return compile(limit::compiled);
    }
    String key = key();
    if (!KEY.matcher(key).matches()) {
      throw new SpecException(
          List.of(new SpecFault("the record's key", key, "the NAME/HASH of the spec to retire")));
    }
    return null;
  }

  /**
   * Compiles the text.
   *
   * @throws SpecException if it is invalid, with all errors, or its key does not match
   * @throws IllegalStateException if this is a retirement
   */
  CompiledSpec compile() {
    return compile(CompiledSpec::of);
  }

  private CompiledSpec compile(Function<SegmentSpec, CompiledSpec> compile) {
    String text = text();
    String key = key();
    if (text == null) {
      throw new IllegalStateException(key + " is retired and has no text");
    }
    CompiledSpec compiled = SpecParser.parse(text, compile);
    String expected = compiled.spec().key();
    if (!expected.equals(key)) {
      throw new SpecException(List.of(new SpecFault("the record's key", key, expected)));
    }
    return compiled;
  }
}
