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
import java.util.Objects;
import java.util.Set;
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
      defaultValue = "reward",
      description =
          "reward: the mean reward. arm: the share of decisions for one of the arms. Default:"
              + " ${DEFAULT-VALUE}.")
  private String quantity = "reward";

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
          "Greatest probability that any group ever has a false alarm, from 0.000001 to 0.5."
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
  void checkOptions() {
    boolean isArm = quantity.equals("arm");
    require(
        isArm || quantity.equals("reward"),
        "--quantity: " + quantity + " given; allowed: reward, arm");
    require(
        isArm != arms.isEmpty(),
        "--arm belongs to --quantity arm, which needs it; give both or neither");
    require(tolerance >= 0, "--tolerance must be at least 0");
    requireAlpha(alpha);
    require(rowsBetweenFalseAlarms >= 1, "--false-alarm-every must be at least 1");
    requireDistinct("--attribute", attributes);
    requireDistinct("--arm", arms);
  }

  private void requireDistinct(String option, List<String> names) {
    require(
        Set.copyOf(names).size() == names.size(),
        "%s: %s given; name each once".formatted(option, names));
  }

  @Override
  int run(Session session) throws InterruptedException {
    WatchedSegment watched =
        WatchedSegment.of(session.config(), SpecHistory.read(session.config()), segment);
    double width = arms.isEmpty() ? watched.champion().spec().reward().range().width() : 1;
    refuseMeaningless("--tolerance", tolerance, width);
    ChallengerCheck.checkGroups(watched.champion(), attributes, arms, arms.isEmpty());
    WatchRecord record =
        session.register(ledger -> registration(ledger, watched.end(session.config()))).get(0);
    GroupsRegistration made = Objects.requireNonNull(record.groups());
    session.say(
        "%s of %s: id %s; counts from offset %d of %s/%d",
        EvidenceText.name(made),
        segment,
        record.id(),
        made.startOffset(),
        session.config().topics().decisions(),
        made.partition());
    return 0;
  }

  private List<WatchRecord> registration(WatchLedger ledger, Map.Entry<TopicPartition, Long> end) {
    GroupsRegistration made =
        new GroupsRegistration(
            attributes,
            arms.isEmpty() ? WatchedQuantity.REWARD : WatchedQuantity.ARM,
            arms,
            tolerance,
            alpha,
            rowsBetweenFalseAlarms,
            end.getKey().partition(),
            end.getValue(),
            Clock.systemUTC().millis());
    for (LedgerEntry entry : ledger.of(segment)) {
      GroupsRegistration open = entry.registration().groups();
      if (open != null && entry.isOpen() && isSame(open, made)) {
        throw WatchRefusal.ALREADY_OPEN.because(
            "%s is open; end it with watch end %s"
                .formatted(EvidenceText.name(open), entry.registration().id()));
      }
    }
    return List.of(WatchRecord.of(segment, made));
  }

  private static boolean isSame(GroupsRegistration one, GroupsRegistration other) {
    return one.attributes().equals(other.attributes())
        && one.quantity() == other.quantity()
        && one.arms().equals(other.arms())
        && one.tolerance() == other.tolerance();
  }
}
