package io.equipoise.tools;

import io.equipoise.event.ErrorCode;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the campaign to the job: the contexts of every round at the rate of a {@link
 * TrafficPattern}, and the rewards that the caller requests. A share of the contexts is sent twice
 * or followed by an invalid record; rewards vary by {@link RewardVariant}.
 *
 * <p>Either the caller calls {@link #send} repeatedly, or a thread does after {@link #start}.
 *
 * <p>State: the number of the next round, which only the sending thread writes, and the queue of
 * rewards, to which any thread may add. People, rewards and times follow from the round.
 */
public final class TrafficDriver implements AutoCloseable {
  private static final String ID_PREFIX = "r";
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration BEYOND_WINDOW = Duration.ofMinutes(1);

  private final CampaignTraffic campaignTraffic;
  private final TrafficChance trafficChance;
  private final Function<String, SegmentSpec> specs;
  private final TrafficPattern pattern;
  private final RecordSender sender;
  private final SendQueue queue = new SendQueue();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile @Nullable Future<?> ticking;
  private volatile long next;
  private int badKinds;

  /**
   * Creates a driver.
   *
   * @param specs the spec of each segment of the pattern
   * @param sender closed with the driver
   */
  public TrafficDriver(
      CampaignTraffic campaignTraffic,
      TrafficChance trafficChance,
      Function<String, SegmentSpec> specs,
      TrafficPattern pattern,
      RecordSender sender) {
    this.campaignTraffic = campaignTraffic;
    this.trafficChance = trafficChance;
    this.specs = specs;
    this.pattern = pattern;
    this.sender = sender;
  }

  /** Returns the round of a decision; empty if it belongs to no round. */
  public static OptionalLong round(String decisionId) {
    return decisionId.matches(ID_PREFIX + "\\d+")
        ? OptionalLong.of(Long.parseLong(decisionId.substring(ID_PREFIX.length())))
        : OptionalLong.empty();
  }

  /** Starts a thread that calls {@link #send} every 10 ms, from a round on. */
  public void start(long round) {
    next = round;
    ticking = timer.scheduleAtFixedRate(this::send, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Throws if a record could not be created or sent. */
  public void check() {
    sender.check();
    Future<?> now = ticking;
    if (now == null || !now.isDone()) {
      return;
    }
    try {
      now.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the traffic driver failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends the contexts that are due, and the queued records that are due. */
  public void send() {
    for (long round = next; pattern.isDue(round); round = next) {
      sendRound(round);
      next = round + 1; // written only in this thread
    }
    queue.sendUntil(pattern.queueTime(next), sender);
    sender.check();
  }

  /**
   * Returns the index of the next round, which without {@link #start} is the number of those sent.
   */
  public long rounds() {
    return next;
  }

  /** Returns whether no reward is queued. */
  public boolean isQueueEmpty() {
    return queue.isEmpty();
  }

  private void sendRound(long round) {
    Map<String, Object> person = campaignTraffic.attributes(round);
    String id = ID_PREFIX + round;
    long time = pattern.contextTime(round);
    for (String segment : pattern.segments(round)) {
      byte[] value = TestRecord.contextBytes(id, segment, time, person);
      sender.send(segment, TestRecord.context(segment, id, value, null));
      pattern.onContext(this, segment, round);
      if (trafficChance.happens("doubled context", round, pattern.hostileShare())) {
        sender.send(segment, TestRecord.context(segment, null, value, ErrorCode.DUPLICATE_CONTEXT));
      }
      if (trafficChance.happens("bad record", round, pattern.hostileShare())) {
        List<TestRecord> bad = new BadRecords(segment, person).all(round, time);
        sender.send(segment, bad.get(badKinds++ % bad.size()));
      }
    }
  }

  /**
   * Queues the reward of an arm in a round, and its repetition or contradiction if the variant has
   * one.
   */
  public void reward(String segment, long round, String arm, RewardVariant variant) {
    if (variant == RewardVariant.LOST) {
      return;
    }
    SegmentSpec spec = specs.apply(segment);
    boolean isClick = CampaignTraffic.countsClicks(spec);
    CampaignTraffic.CampaignOutcome answer =
        isClick
            ? campaignTraffic.click(round, arm, trafficChance.of("click", round))
            : campaignTraffic.answer(round, arm);
    long happened = pattern.rewardTime(round);
    long sent = pattern.sendTime(happened, round, "reward");
    if (variant == RewardVariant.LATE) {
      long late =
          pattern.contextTime(round) + spec.join().rewardWindow().plus(BEYOND_WINDOW).toMillis();
      queue.add(sent, segment, reward(segment, round, late, answer, 0, ErrorCode.LATE_REWARD));
      return;
    }
    queue.add(sent, segment, reward(segment, round, happened, answer, 0, null));
    long again = pattern.sendTime(sent, round, "repetition");
    if (variant == RewardVariant.DOUBLED) {
      TestRecord copy = reward(segment, round, happened, answer, 0, ErrorCode.DUPLICATE_REWARD);
      queue.add(again, segment, copy);
    } else if (variant == RewardVariant.CONTRADICTED) {
      double change = isClick ? 1 - 2 * answer.reward() : 1;
      TestRecord other =
          reward(segment, round, happened, answer, change, ErrorCode.CONFLICTING_REWARD);
      queue.add(again, segment, other);
    }
  }

  private static TestRecord reward(
      String segment,
      long round,
      long at,
      CampaignTraffic.CampaignOutcome answer,
      double more,
      @Nullable ErrorCode refusal) {
    byte[] value =
        TestRecord.rewardBytes(
            ID_PREFIX + round, segment, at, answer.reward() + more, answer.mediators());
    return TestRecord.reward(segment, value, refusal);
  }

  /** Stops sending; records in the sender's buffer are still sent. */
  @Override
  public void close() {
    timer.shutdownNow();
    sender.close();
  }

  /** Records with send times, ms; records of one time stay in insertion order. Thread-safe. */
  private static final class SendQueue {
    private final PriorityQueue<QueuedSend> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(QueuedSend::time).thenComparingLong(QueuedSend::order));
    private long added;

    private record QueuedSend(long time, long order, String segment, TestRecord record) {}

    synchronized void add(long time, String segment, TestRecord record) {
      queue.add(new QueuedSend(time, added++, segment, record));
    }

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
}
