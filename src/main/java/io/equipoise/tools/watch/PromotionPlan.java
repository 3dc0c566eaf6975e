package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.SpecSelection;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the promotion of a challenger, and refuses it. {@code watch challenger} and {@code specs
 * promote} refuse by {@link #check} a text that a segment would not adopt, and one under which a
 * segment would leave the text's name. {@code specs promote} and {@code watch status} refuse by
 * {@link #passed} a text that lacks evidence in a segment.
 *
 * @param spec the text under its name's next version
 * @param changes of the active segments
 * @param after the specs that cover segments after the promotion
 */
public record PromotionPlan(CompiledSpec spec, SpecChangePlan changes, List<SegmentSpec> after) {
  /** Greatest age of the evidence by default, minutes. */
  public static final long MOST_MINUTES = 60;

  public PromotionPlan {
    after = List.copyOf(after);
  }

  /**
   * Plans the promotion of a text.
   *
   * @param running hash of the spec that each active segment runs
   */
  public static PromotionPlan of(
      SpecHistory history, CatalogLimit limit, SegmentSpec text, Map<String, String> running) {
    String next = VersionEdit.with(text.text(), history.nextVersion(text.name()));
    CompiledSpec spec = SpecParser.parse(next, limit::compiled);
    List<SegmentSpec> after = new ArrayList<>(history.inForce());
    after.add(spec.spec());
    return new PromotionPlan(
        spec,
        SpecChangePlan.of(history, List.of(spec), Set.of(), running),
        SpecSelection.newest(after));
  }

  /**
   * Returns the effect on a segment.
   *
   * @throws WatchRefusedException if the segment would not adopt the text (NOT_SELECTED,
   *     WOULD_BE_REJECTED), or as {@link #check}
   */
  public SpecEffect effect(String segment) {
    SpecEffect effect = changes.effect(segment);
    if (effect == null || !spec.spec().hash().equals(changes.expected().get(segment))) {
      throw notSelected(segment);
    }
    check();
    return effect;
  }

  /**
   * Checks that no active segment rejects the text, and that none leaves the text's name.
   *
   * @throws WatchRefusedException if one does (WOULD_BE_REJECTED, NOT_SELECTED)
   */
  public void check() {
    SegmentSpec text = spec.spec();
    for (SpecChangePlan.Move move : changes.moves()) {
      if (move.segments().isEmpty()) {
        continue;
      }
      SegmentSpec from = move.from();
      SegmentSpec to = move.to();
      String segment = move.segments().get(0);
      if (text.equals(to)) {
        WatchRefusal.WOULD_BE_REJECTED.refuseIf(
            move.effect().kind() == SpecEffect.EffectOfChange.REJECTED,
            "segment %s, spec %s: %s; see specs diff, or narrow its segments"
                .formatted(segment, text.name(), move.effect().line()));
      } else {
        WatchRefusal.NOT_SELECTED.refuseIf(
            from != null && from.name().equals(text.name()),
            "segment %s is decided by spec %s now and would fall to %s; give the challenger a name of its own"
                .formatted(segment, text.name(), to == null ? "no spec" : "spec " + to.name()));
      }
    }
  }

  /**
   * Returns the registration of each segment that the promotion moves.
   *
   * @param running hash of the spec that each active segment runs
   * @param oldest time from which on evidence counts, epoch ms
   * @throws WatchRefusedException if one of them has no evidence that passes
   */
  public Map<String, LedgerEntry> passed(
      WatchLedger ledger,
      LedgerEntry chosen,
      Map<String, String> running,
      long oldest,
      boolean mayStartEmpty) {
    Set<String> segments = changes.expected().keySet();
    if (segments.isEmpty()) {
      throw notSelected(chosen.segment());
    }
    check();
    String hash = Objects.requireNonNull(chosen.challenger()).specHash();
    Map<String, LedgerEntry> passed = new LinkedHashMap<>();
    for (String segment : segments) {
      LedgerEntry entry = registered(ledger, segment, hash, running.get(segment));
      refuseUnlessPassed(entry, segment, oldest);
      WatchRefusal.STARTS_EMPTY.refuseIf(
          !effect(segment).isModelKept() && !mayStartEmpty,
          "segment %s: its model would start empty, and the tested one had learned; give --start-empty to promote it so"
              .formatted(segment));
      passed.put(segment, entry);
    }
    return passed;
  }

  /** Returns the open registration of a text, one that passes if several margins are tested. */
  private static LedgerEntry registered(
      WatchLedger ledger, String segment, String hash, @Nullable String running) {
    List<LedgerEntry> ever =
        ledger.of(segment).stream()
            .filter(it -> it.challenger() != null && it.challenger().specHash().equals(hash))
            .toList();
    List<LedgerEntry> open =
        ever.stream().filter(it -> it.isOpen() && !it.isOutdated(running)).toList();
    WatchRefusal.NOT_WATCHED.refuseIf(
        ever.isEmpty(),
        "segment %s would adopt another spec without evidence; register the text there, or narrow its segments"
            .formatted(segment));
    WatchRefusal.ENDED.refuseIf(
        open.isEmpty(),
        "segment %s: the challenger was compared with a spec that is gone, or was ended; register it again"
            .formatted(segment));
    return open.stream()
        .filter(LedgerEntry::passes)
        .reduce((earlier, later) -> later)
        .orElse(open.get(0));
  }

  private static void refuseUnlessPassed(LedgerEntry entry, String segment, long oldest) {
    ChallengerEvidence found = entry.ofChallenger();
    WatchRefusal.NOT_PASSED.refuseIf(
        !entry.passes(),
        "segment %s: %s"
            .formatted(
                segment,
                found == null
                    ? "there is no evidence yet"
                    : "the newest evidence fails " + found.failing()));
    WatchRefusal.STALE.refuseIf(
        entry.writtenAt() < oldest,
        "segment %s: the newest evidence is older than --max-age; keep watch run running, or raise --max-age where fewer than 1,000 rows settle in that time"
            .formatted(segment));
  }

  /** Returns the refusal of a text that does not cover a segment, with what would. */
  public WatchRefusedException notSelected(String segment) {
    SegmentSpec text = spec.spec();
    SegmentSpec other = SpecSelection.select(after, segment).orElse(text);
    boolean isExact = !other.equals(text) && other.match().rank() == 0;
    return WatchRefusal.NOT_SELECTED.because(
        "segment %s would not adopt spec %s: %s; give it `segments: {exact: [%s]}`%s"
            .formatted(
                segment,
                text.name(),
                text.match().matches(segment)
                    ? "spec %s covers it; exact names go before patterns, then the first name"
                        .formatted(other.name())
                    : "its segments do not match",
                segment,
                isExact ? " and the name %s, or one before it".formatted(other.name()) : ""));
  }
}
