package io.equipoise.local.demo;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Parcels on their way: each leaves at its time, of one time in the order they were given. */
final class Mail {
  private final PriorityQueue<Letter> letters =
      new PriorityQueue<>(Comparator.comparingLong(Letter::time).thenComparingLong(Letter::order));
  private long given;

  private record Letter(long time, long order, String segment, Parcel parcel) {}

  void give(long time, String segment, Parcel parcel) {
    letters.add(new Letter(time, given++, segment, parcel));
  }

  /** Sends what leaves at or before a time. */
  void sendUntil(long time, Post post) {
    Letter first = letters.peek();
    while (first != null && first.time() <= time) {
      letters.remove();
      post.send(first.segment(), first.parcel());
      first = letters.peek();
    }
  }

  boolean isEmpty() {
    return letters.isEmpty();
  }
}
