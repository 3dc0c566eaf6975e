package io.equipoise.event;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps names to values, immutable and without nulls. It iterates in the order of the names, so that
 * nothing depends on hash order. It consists of two sorted arrays; a lookup is a binary search.
 */
public final class NameMap<V> extends AbstractMap<String, V> {
  private static final NameMap<Object> EMPTY = new NameMap<>(new String[0], new Object[0]);

  private final String[] names;
  private final Object[] values;

  private NameMap(String[] names, Object[] values) {
    this.names = names;
    this.values = values;
  }

  /**
   * Takes over names and their values.
   *
   * @throws IllegalArgumentException if the names do not ascend
   */
  public static NameMap<Object> ofAscending(String[] names, Object[] values) {
    for (int i = 1; i < names.length; i++) {
      if (names[i - 1].compareTo(names[i]) >= 0) {
        throw new IllegalArgumentException("the names do not ascend");
      }
    }
    return names.length == 0 ? EMPTY : new NameMap<>(names, values);
  }

  /** Copies the map; returns the argument if it is already a NameMap. */
  @SuppressWarnings("unchecked") // an empty map has values of any type
  static <V> NameMap<V> copyOf(Map<String, ? extends V> map) {
    if (map instanceof NameMap<?> sorted) {
      return (NameMap<V>) sorted;
    }
    if (map.isEmpty()) {
      return (NameMap<V>) EMPTY;
    }
    @SuppressWarnings("rawtypes")
    Map.Entry[] entries = map.entrySet().toArray(new Map.Entry[0]);
    return ofEntries((Map.Entry<String, V>[]) entries);
  }

  private static <V> NameMap<V> ofEntries(Map.Entry<String, V>[] entries) {
    Arrays.sort(entries, Comparator.comparing(Map.Entry::getKey));
    String[] names = new String[entries.length];
    Object[] values = new Object[entries.length];
    for (int i = 0; i < entries.length; i++) {
      names[i] = entries[i].getKey();
      values[i] = Objects.requireNonNull(entries[i].getValue(), names[i]);
    }
    return new NameMap<>(names, values);
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public @Nullable V get(@Nullable Object name) {
    int at = name instanceof String text ? Arrays.binarySearch(names, text) : -1;
    return at < 0 ? null : valueAt(at);
  }

  /** Returns the name at an index in the order of the names. */
  String name(int at) {
    return names[at];
  }

  /** Returns the value at an index in the order of the names. */
  V value(int at) {
    return valueAt(at);
  }

  @SuppressWarnings("unchecked") // values were stored as V and are never overwritten
  private V valueAt(int at) {
    return (V) values[at];
  }

  @Override
  public Set<Map.Entry<String, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return names.length;
      }

      @Override
      public Iterator<Map.Entry<String, V>> iterator() {
        return new Entries();
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<String, V>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < names.length;
    }

    @Override
    public Map.Entry<String, V> next() {
      if (next == names.length) {
        throw new NoSuchElementException();
      }
      int at = next++;
      return new SimpleImmutableEntry<>(names[at], valueAt(at));
    }
  }
}
