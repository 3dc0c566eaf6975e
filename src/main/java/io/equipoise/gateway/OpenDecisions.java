package io.equipoise.gateway;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.http.HttpCode;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the decision ids that wait for their answer, and the last answers. The first answer of an
 * id counts: while it is remembered, every later question gets the same, unless the job has
 * forgotten the id and decided it again.
 *
 * <p>Memory is bounded in bytes: requests beyond a share of the heap are refused with 429, and the
 * answer used longest ago is forgotten. Thread-safe: futures are completed outside the lock.
 *
 * <p>State: the open ids and the remembered answers; an id is in at most one of the two. The bytes
 * in {@code remembered} are the sum over the remembered answers.
 */
final class OpenDecisions {
  private static final int RETRY_SECONDS = 1;

  private final int maxOpen;
  private final int maxRecent;
  private final HeapShare read;
  private final HeapShare waiting;
  private final HeapShare remembered;
  private final Map<DecisionKey, CompletableFuture<Answer>> open = new HashMap<>();
  private final Map<DecisionKey, Remembered> recent = new LinkedHashMap<>(16, 0.75f, true);

  record DecisionKey(String segment, String decisionId) {}

  /**
   * Remembers an answer.
   *
   * @param wasGiven whether this gateway gave it to a caller
   * @param confirmed what this gateway confirmed first as shown; null before
   */
  private record Remembered(Answer answer, boolean wasGiven, @Nullable Shown confirmed) {}

  /**
   * Names the arm that a caller has shown.
   *
   * @param arm null if none
   * @param sent ends when the brokers have the record
   */
  record Shown(@Nullable String arm, CompletableFuture<Void> sent) {}

  /**
   * Gives a caller the future of its answer.
   *
   * @param isNew whether the caller has to send the context
   */
  record Ticket(CompletableFuture<Answer> answer, boolean isNew) {}

  OpenDecisions(int maxOpen, int maxRecent) {
    this(
        maxOpen,
        maxRecent,
        HeapShare.ofThisProcess(),
        HeapShare.ofThisProcess(),
        HeapShare.ofThisProcess());
  }

  /**
   * Limits numbers and memory.
   *
   * @param read memory of bodies that are read
   * @param waiting memory of requests that wait
   * @param remembered memory of answers
   */
  OpenDecisions(
      int maxOpen, int maxRecent, HeapShare read, HeapShare waiting, HeapShare remembered) {
    this.maxOpen = maxOpen;
    this.maxRecent = maxRecent;
    this.read = read;
    this.waiting = waiting;
    this.remembered = remembered;
  }

  /**
   * Takes memory of the bodies that are read at the same time, or gives it back if negative. Many
   * large ones at once would keep all processors, so that nothing is answered, also no deadline.
   *
   * @throws ProblemException with 429 if too much is taken
   */
  synchronized void read(long bytes) {
    if (bytes > 0 && !read.has(bytes)) {
      throw tooMany("the requests that are read occupy their share of the gateway's memory");
    }
    read.add(bytes);
  }

  /**
   * Runs a request in the memory of those that wait, until its future ends. Requests for an id that
   * is open already take memory too.
   *
   * @param bytes what the request occupies, about
   * @throws ProblemException with 429 if too much is occupied
   */
  <T> CompletableFuture<T> waiting(long bytes, Supplier<CompletableFuture<T>> request) {
    synchronized (this) {
      if (!waiting.has(bytes)) {
        throw tooMany("the requests that wait occupy their share of the gateway's memory");
      }
      waiting.add(bytes);
    }
    CompletableFuture<T> answer;
    try {
      answer = request.get();
    } catch (RuntimeException e) {
      release(bytes);
      throw e;
    }
    return answer.whenComplete((done, failure) -> release(bytes));
  }

  private synchronized void release(long bytes) {
    waiting.add(-bytes);
  }

  static ProblemException tooMany(String detail) {
    return new ProblemException(
        Problem.of(HttpCode.TOO_MANY_REQUESTS, detail).retryAfter(RETRY_SECONDS));
  }

  /**
   * Asks for the answer of an id.
   *
   * @throws ProblemException with 429 if too many ids wait
   */
  synchronized Ticket ask(DecisionKey key) {
    Remembered known = recent.get(key);
    if (known != null) {
      recent.replace(key, new Remembered(known.answer, true, known.confirmed));
      return new Ticket(CompletableFuture.completedFuture(known.answer), false);
    }
    CompletableFuture<Answer> waiting = open.get(key);
    if (waiting != null) {
      return new Ticket(waiting, false);
    }
    if (open.size() >= maxOpen) {
      throw tooMany(open.size() + " decisions wait for their answer");
    }
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    open.put(key, answer);
    return new Ticket(answer, true);
  }

  /** Takes an answer; ignores it if the id has one. Returns whether a caller waited for it. */
  boolean answer(Answer answer) {
    DecisionKey key = new DecisionKey(answer.segment(), answer.decisionId());
    CompletableFuture<Answer> waiting;
    synchronized (this) {
      waiting = open.remove(key);
      if (!recent.containsKey(key)) {
        remember(key, new Remembered(answer, waiting != null, null));
      }
    }
    return waiting != null && waiting.complete(answer);
  }

  /**
   * Forgets what is remembered of an earlier decision of an id, which the job has decided again. An
   * answer at the deadline stays: a caller got it for this decision.
   */
  synchronized void forgetEarlier(DecisionKey key) {
    Remembered known = recent.get(key);
    if (known != null && known.answer.reason() != DecisionReason.DEADLINE_EXCEEDED) {
      recent.remove(key);
      remembered.add(-known.answer.bytes());
    }
  }

  /** Remembers an answer with more fields in the place of the same answer. */
  synchronized void replace(Answer answer) {
    DecisionKey key = new DecisionKey(answer.segment(), answer.decisionId());
    Remembered known = recent.get(key);
    if (known != null) {
      remember(key, new Remembered(answer, known.wasGiven, known.confirmed));
    }
  }

  private void remember(DecisionKey key, Remembered one) {
    Remembered before = recent.put(key, one);
    remembered.add(one.answer.bytes() - (before == null ? 0 : before.answer.bytes()));
    Iterator<Remembered> eldest = recent.values().iterator();
    while (recent.size() > maxRecent || (remembered.isExceeded() && recent.size() > 1)) {
      remembered.add(-eldest.next().answer.bytes());
      eldest.remove();
    }
  }

  /** Ends a question without an answer: nothing is remembered. */
  void fail(DecisionKey key, Problem problem) {
    CompletableFuture<Answer> waiting;
    synchronized (this) {
      waiting = open.remove(key);
    }
    if (waiting != null) {
      waiting.completeExceptionally(new ProblemException(problem));
    }
  }

  synchronized Optional<Answer> recent(DecisionKey key) {
    return Optional.ofNullable(recent.get(key)).map(Remembered::answer);
  }

  /** Returns the answer that this gateway gave for an id; empty if another one may have. */
  synchronized Optional<Answer> given(DecisionKey key) {
    @Nullable Remembered known = recent.get(key);
    return known == null || !known.wasGiven ? Optional.empty() : Optional.of(known.answer);
  }

  /** Returns the arm that was confirmed as shown, if that is remembered. */
  synchronized Optional<Shown> confirmed(DecisionKey key) {
    return Optional.ofNullable(recent.get(key)).map(Remembered::confirmed);
  }

  /**
   * Refuses another arm than the one that was confirmed as shown, as the job would.
   *
   * @param arm null for none
   * @throws ProblemException with CONFLICTING_REWARD
   */
  synchronized void refuseOther(DecisionKey key, @Nullable String arm) {
    @Nullable Shown before = confirmed(key).orElse(null);
    if (before != null && !Objects.equals(before.arm, arm)) {
      throw new ProblemException(
          Problem.of(
              ErrorCode.CONFLICTING_REWARD,
              "shownArm: %s; this gateway has confirmed %s. If your program shows another arm than that of the answer, set gateway.confirm-answers: false and confirm what it has shown"
                  .formatted(
                      arm, before.arm == null ? "that none was shown" : before.arm + " as shown")));
    }
  }

  /**
   * Confirms the arm that was shown. The same one again sends nothing and shares the future of the
   * first, also before the brokers have its record.
   *
   * @param send what sends the record; a failure is forgotten, so that a repetition sends again
   * @throws ProblemException as {@link #refuseOther}
   */
  CompletableFuture<Void> confirm(
      DecisionKey key, @Nullable String arm, Supplier<CompletableFuture<Void>> send) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    synchronized (this) {
      @Nullable Remembered known = recent.get(key);
      if (known != null && known.confirmed != null) {
        refuseOther(key, arm);
        return known.confirmed.sent;
      }
      if (known != null) {
        recent.replace(key, new Remembered(known.answer, known.wasGiven, new Shown(arm, sent)));
      }
    }
    CompletableFuture<Void> sending;
    try {
      sending = send.get();
    } catch (RuntimeException e) {
      sending = CompletableFuture.failedFuture(e);
    }
    return sending.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            sent.complete(null);
          } else {
            forget(key, sent);
            sent.completeExceptionally(failure);
          }
        });
  }

  private synchronized void forget(DecisionKey key, CompletableFuture<Void> sent) {
    @Nullable Remembered known = recent.get(key);
    if (known != null && known.confirmed != null && known.confirmed.sent == sent) {
      recent.replace(key, new Remembered(known.answer, known.wasGiven, null));
    }
  }

  /** Returns how many answers are remembered. */
  synchronized int remembered() {
    return recent.size();
  }

  /** Returns how many ids wait. */
  synchronized int size() {
    return open.size();
  }
}
