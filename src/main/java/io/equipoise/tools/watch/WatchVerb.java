package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.Topics;
import io.equipoise.job.start.DeploymentVerb;
import io.equipoise.watch.EvidenceText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs a verb {@code watch}. */
abstract class WatchVerb extends DeploymentVerb {
  private static final double MOST_ALPHA = 0.5;

  WatchVerb() {
    super(2);
  }

  @Override
  protected final List<String> topics(Topics topics) {
    List<String> read = new ArrayList<>(topics.controls());
    read.addAll(List.of(topics.decisions(), topics.segmentEvents()));
    return read;
  }

  /** Registers the records that a rule derives from the ledger, and reports them. */
  static void register(Deployment deployment, Function<WatchLedger, List<WatchRecord>> rule)
      throws InterruptedException {
    WatchPublisher.create(deployment.admin(), deployment.config());
    List<WatchRecord> records = WatchPublisher.register(deployment.config(), rule);
    for (WatchRecord record : records) {
      ChallengerRegistration challenger = record.challenger();
      String share = ", candidate %d, share %s of alpha %s";
      deployment.say(
          "%s: registered %s%s",
          record.segment(),
          EvidenceText.name(record),
          challenger == null
              ? ""
              : share.formatted(
                  challenger.number(),
                  EvidenceText.digits(challenger.share()),
                  EvidenceText.digits(challenger.alpha())));
    }
    deployment.result().put("ids", records.stream().map(WatchRecord::id).toList());
  }

  final void requireBelow(String option, double limit, double greatest) {
    require(
        limit < greatest,
        "%s: %s given, which no difference exceeds; allowed: less than %s"
            .formatted(option, limit, greatest));
  }

  final void require(boolean isAllowed, String fault) {
    refuse(isAllowed ? null : fault);
  }

  final void requireAlpha(double alpha) {
    require(alpha > 0 && alpha <= MOST_ALPHA, "--alpha: above 0, at most " + MOST_ALPHA);
  }
}
