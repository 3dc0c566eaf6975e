package io.equipoise.tools;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Records with send times, ms; records of one time stay in insertion order. Thread-safe. */
final class SendQueue {
  private final PriorityQueue<QueuedSend> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(QueuedSend::time).thenComparingLong(QueuedSend::order));
  private long added;

  private record QueuedSend(long time, long order, String segment, TestRecord record) {}

  synchronized void add(long time, String segment, TestRecord record) {
    queue.add(new QueuedSend(time, added++, segment, record));
  }

  /** Sends every record that is due at a time. */
  void sendUntil(long time, RecordSender sender) {
    for (QueuedSend due = takeDue(time); due != null; due = takeDue(time)) {
      sender.send(due.segment(), due.record());
    }
  }

  synchronized boolean isEmpty() {
    return queue.isEmpty();
  }

  private synchronized @Nullable QueuedSend takeDue(long time) {
    QueuedSend first = queue.peek();
    return first != null && first.time() <= time ? queue.remove() : null;
  }
}
