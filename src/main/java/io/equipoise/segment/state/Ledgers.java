package io.equipoise.segment.state;

import io.equipoise.event.Account;
import java.util.Arrays;

/**
 * Counts in three ledgers where every context, every decision and every reward of one segment has
 * gone.
 *
 * <p>A count never leaves its class except through {@link #move}, so the sums are exact at every
 * checkpoint: contexts read = decided + rejected + stale + duplicate + conflicting; decided =
 * awaiting + settled + expired + evicted + closed not learned; rewards read = applied + collected +
 * held early + duplicate + conflicting + late + orphan + not learned + invalid. Undecodable records
 * have no segment and are counted where they are found.
 */
@SuppressWarnings("EnumOrdinal") // accounts index the counts, and their order is documented
public final class Ledgers {
  private static final Account[] ALL = Account.values();

  private final long[] counts;

  /** Starts all accounts at zero. */
  public Ledgers() {
    this(new long[ALL.length]);
  }

  private Ledgers(long[] counts) {
    this.counts = counts;
  }

  /**
   * Takes over counts in the order of {@link Account}; missing trailing ones are zero.
   *
   * @throws IllegalArgumentException if there are more counts than accounts
   */
  public static Ledgers of(long[] counts) {
    if (counts.length > ALL.length) {
      throw new IllegalArgumentException(
          "%d ledger accounts, this version knows %d".formatted(counts.length, ALL.length));
    }
    return new Ledgers(Arrays.copyOf(counts, ALL.length));
  }

  /** Returns the counts in the order of {@link Account}; a copy. */
  public long[] counts() {
    return counts.clone();
  }

  /** Returns one count. */
  public long get(Account account) {
    return counts[account.ordinal()];
  }

  /** Counts one record into an account. */
  public void add(Account account) {
    counts[account.ordinal()]++;
  }

  /**
   * Moves one record between two accounts of the same ledger.
   *
   * @throws IllegalStateException if the first account is empty, which is a bug of the machine
   */
  public void move(Account from, Account to) {
    if (counts[from.ordinal()] <= 0) {
      throw new IllegalStateException("ledger account " + from + " is empty, nothing to move");
    }
    counts[from.ordinal()]--;
    counts[to.ordinal()]++;
  }

  void addAll(Ledgers other) {
    for (int account = 0; account < counts.length; account++) {
      counts[account] += other.counts[account];
    }
  }

  /** Returns the contexts read: the sum of ledger (a). */
  public long contextsRead() {
    return sum(Account.CONTEXT_DECIDED, Account.CONTEXT_CONFLICTING);
  }

  /** Returns the decisions made: the sum of ledger (b). */
  public long decisions() {
    return sum(Account.DECISION_AWAITING, Account.DECISION_CLOSED_NOT_LEARNABLE);
  }

  /** Returns the rewards read: the sum of ledger (c). */
  public long rewardsRead() {
    return sum(Account.REWARD_APPLIED, Account.REWARD_INVALID);
  }

  /** Returns a deep copy. */
  public Ledgers copy() {
    return new Ledgers(counts.clone());
  }

  private long sum(Account first, Account last) {
    long total = 0;
    for (int i = first.ordinal(); i <= last.ordinal(); i++) {
      total += counts[i];
    }
    return total;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ledgers that && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Ledgers[");
    for (Account account : ALL) {
      text.append(account).append('=').append(get(account)).append(' ');
    }
    return text.append(']').toString();
  }
}
