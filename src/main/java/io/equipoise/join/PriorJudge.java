package io.equipoise.join;

import io.equipoise.bandit.PriorException;
import io.equipoise.bandit.PriorRow;
import io.equipoise.bandit.PriorTable;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorMode;
import io.equipoise.event.PriorSet;
import io.equipoise.spec.GraphHash;
import io.equipoise.spec.PriorsSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which sets of prior bounds a spec can use. A judgement follows from the two alone and is
 * remembered; it costs O(rows) when it is first asked for.
 */
final class PriorJudge {
  private static final int MAX_REMEMBERED = 1_000;

  private final PriorBook book;
  private final Map<Pair, JudgedPriors> judged = new HashMap<>();

  private record Pair(String specHash, String priorHash) {}

  PriorJudge(PriorBook book) {
    this.book = book;
  }

  /** Returns what the book offers under a name, newest first. */
  List<PriorSet> offered(String name) {
    return book.offered(name);
  }

  /** Returns a set that the spec's policy asks for and can use, by its hash; else null. */
  JudgedPriors.@Nullable Usable usable(String hash, CompiledSpec spec) {
    PriorSet set = book.byHash(hash);
    return set != null && judge(set, spec) instanceof JudgedPriors.Usable usable ? usable : null;
  }

  /** Judges a set under a spec. */
  JudgedPriors judge(PriorSet set, CompiledSpec spec) {
    if (judged.size() >= MAX_REMEMBERED) {
      judged.clear();
    }
    return judged.computeIfAbsent(
        new Pair(spec.spec().hash(), set.hash()), pair -> judgeAnew(set, spec));
  }

  private static JudgedPriors judgeAnew(PriorSet set, CompiledSpec spec) {
    PriorBound first = set.rows().get(0);
    PriorsSpec wanted = spec.spec().policy().priors();
    if (wanted == null || !wanted.name().equals(set.name())) {
      String why = "spec " + spec.spec().hash() + " does not ask for bounds of this name";
      return new JudgedPriors.Refused(set, ErrorCode.PRIOR_REFUSED, why, first);
    }
    if (!set.isSound()) {
      return new JudgedPriors.Refused(
          set, ErrorCode.PRIOR_REFUSED, "its rows are not those that its hash stands for", first);
    }
    String graph = GraphHash.of(spec.spec().graph());
    for (PriorBound row : set.rows()) {
      if (!row.graphHash().equals(graph)) {
        String why = "it is for graph " + row.graphHash() + ", the spec's is " + graph;
        return new JudgedPriors.Refused(set, ErrorCode.PRIOR_OF_OTHER_GRAPH, why, row);
      }
    }
    try {
      return new JudgedPriors.Usable(set, PriorTable.of(spec.spec(), rows(set)));
    } catch (PriorException e) {
      return new JudgedPriors.Refused(
          set, ErrorCode.PRIOR_REFUSED, String.valueOf(e.getMessage()), set.rows().get(e.row()));
    }
  }

  private static List<PriorRow> rows(PriorSet set) {
    List<PriorRow> rows = new ArrayList<>(set.rows().size());
    for (PriorBound row : set.rows()) {
      rows.add(
          new PriorRow(
              row.arm(), row.context(), row.lower(), row.upper(), row.mode() != PriorMode.MANUAL));
    }
    return rows;
  }
}
