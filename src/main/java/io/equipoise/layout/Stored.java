package io.equipoise.layout;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stores a mutable value in bytes that its class describes. Bytes are canonical: values of a class
 * are equal if their bytes are.
 */
public abstract class Stored {
  /**
   * Describes all bytes in their order, for both directions: {@code n = bytes.i64(n)} writes n, or
   * reads it. An array is allocated after its length is checked. Only an empty value is read.
   *
   * @throws LayoutException if the bytes are not such a value
   */
  protected abstract void layout(Layout bytes) throws LayoutException;

  public final byte[] toBytes() {
    LayoutWriter out = LayoutWriter.take();
    try {
      return out.with(this).bytes();
    } finally {
      out.giveBack();
    }
  }

  /** Returns the number of bytes; costs as much as writing them. */
  public final int byteLength() {
    LayoutWriter out = LayoutWriter.take();
    try {
      return out.with(this).length();
    } finally {
      out.giveBack();
    }
  }

  /**
   * Makes this value equal to another of its class and returns it. What is in no byte is not
   * copied.
   */
  protected final <T extends Stored> T copyInto(T empty) {
    LayoutWriter out = LayoutWriter.take();
    try {
      out.with(this).reader(empty.getClass()).part(empty);
      return empty;
    } catch (LayoutException e) {
      throw new IllegalStateException("a value cannot read what it wrote", e);
    } finally {
      out.giveBack();
    }
  }

  @Override
  @SuppressWarnings("EqualsGetClass") // subclasses have different layouts
  public final boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof Stored stored
            && stored.getClass() == getClass()
            && Arrays.equals(toBytes(), stored.toBytes()));
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(toBytes());
  }
}
