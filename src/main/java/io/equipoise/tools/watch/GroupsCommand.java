package io.equipoise.tools.watch;

import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.watch.ChallengerCheck;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Registers a monitor of the gaps between groups: {@code watch groups}. */
@Command(
    name = "groups",
    description = {
      "Registers a monitor of the gap between each group of people and all others: of their mean"
          + " reward, or of how often they get some arms.",
      "It counts decisions after the registration. Any of its alarms is ever wrong with probability"
          + " alpha at most, all its groups and all times together. Other monitors and changes"
          + " (--false-alarm-every) are not included.",
      "Exit code 1 if the registration is refused, 2 if an option or a topic cannot be used."
    })
final class GroupsCommand extends WatchVerb {

  @Option(names = "--segment", required = true, paramLabel = "NAME", description = "The segment.")
  private String segment = "";

  @Option(
      names = "--attribute",
      required = true,
      paramLabel = "NAME",
      description = "A sensitive variable. May be repeated; several form joint groups, at most 64.")
  private List<String> attributes = new ArrayList<>();

  @Option(
      names = "--quantity",
      paramLabel = "WHAT",
      description =
          "reward: the mean reward. arm: the share of decisions for one of the arms. Default:"
              + " reward.")
  private WatchedQuantity quantity = WatchedQuantity.REWARD;

  @Option(
      names = "--arm",
      paramLabel = "ID",
      description =
          "An arm that counts with --quantity arm. May be repeated: the share of all of them together.")
  private List<String> arms = new ArrayList<>();

  @Option(
      names = "--tolerance",
      paramLabel = "T",
      defaultValue = "0",
      description =
          "Greatest gap that is no alarm, in units of the reward, or of a share with --quantity arm."
              + " Default: ${DEFAULT-VALUE}.")
  private double tolerance;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      defaultValue = "0.05",
      description =
          "Greatest probability that any group ever has a false alarm, at most 0.5."
              + " Default: ${DEFAULT-VALUE}.")
  private double alpha;

  @Option(
      names = "--false-alarm-every",
      paramLabel = "ROWS",
      defaultValue = "1000000",
      description =
          "Least mean number of rows between false change alarms. Default: ${DEFAULT-VALUE}.")
  private long rowsBetweenFalseAlarms;

  @Override
  protected void checkOptions() {
    require(
        (quantity == WatchedQuantity.ARM) != arms.isEmpty(),
        "--arm belongs to --quantity arm, which needs it; give both or neither");
    require(tolerance >= 0, "--tolerance must be at least 0");
    requireAlpha(alpha);
    require(rowsBetweenFalseAlarms >= 1, "--false-alarm-every must be at least 1");
  }

  @Override
  protected int runOn(Deployment deployment) throws InterruptedException {
    WatchedSegment watched =
        WatchedSegment.of(deployment.config(), SpecHistory.read(deployment.config()), segment);
    double width = arms.isEmpty() ? watched.champion().spec().reward().range().width() : 1;
    requireBelow("--tolerance", tolerance, width);
    ChallengerCheck.checkGroups(watched.champion(), attributes, arms, arms.isEmpty());
    register(deployment, ledger -> registration(ledger, watched.end(deployment.config())));
    return 0;
  }

  private List<WatchRecord> registration(WatchLedger ledger, Map.Entry<TopicPartition, Long> end) {
    GroupsRegistration made =
        new GroupsRegistration(
            attributes,
            quantity,
            arms,
            tolerance,
            alpha,
            rowsBetweenFalseAlarms,
            end.getKey().partition(),
            end.getValue(),
            Clock.systemUTC().millis());
    WatchRefusal.ALREADY_OPEN.refuseIf(
        ledger.of(segment).stream()
            .filter(LedgerEntry::isOpen)
            .map(it -> it.registration().groups())
            .anyMatch(it -> it != null && EvidenceText.name(it).equals(EvidenceText.name(made))),
        EvidenceText.name(made) + " is open; end it with watch end");
    return List.of(WatchRecord.of(segment, made));
  }
}
