package io.equipoise.job.options;

import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of an input topic that nobody reads, because reading them would end the reader: {@link
 * JobOptions#INPUTS_SKIP}.
 *
 * @param first the first offset that is skipped
 * @param last the last offset that is skipped; at least the first
 */
public record InputSkip(String topic, int partition, long first, long last)
    implements Serializable {
  static final String FORM = "TOPIC/PARTITION/OFFSET or TOPIC/PARTITION/FIRST-LAST";

  /** Each offset gets a dead letter; a batch of 1 MiB has fewer records. */
  static final long MOST_OFFSETS = 200_000;

  /** Kafka decompresses the records of a batch one by one, but reads on to fill a poll. */
  public static final String ONE_RECORD_A_POLL = "1";

  private static final Pattern TEXT =
      Pattern.compile("([^/]+)/([0-9]{1,9})/([0-9]{1,18})(?:-([0-9]{1,18}))?");

  /**
   * Parses {@value #FORM}.
   *
   * @throws IllegalArgumentException if the text has another form, or names no or too many offsets
   */
  static InputSkip parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not " + FORM);
    }
    long first = Long.parseLong(matcher.group(3));
    long last = matcher.group(4) == null ? first : Long.parseLong(matcher.group(4));
    if (last < first || last - first >= MOST_OFFSETS) {
      throw new IllegalArgumentException("'" + text + "' names no or too many offsets");
    }
    return new InputSkip(matcher.group(1), Integer.parseInt(matcher.group(2)), first, last);
  }

  /** Says whether all texts can be parsed, name these topics, and no offset twice. */
  static boolean areValid(List<String> texts, List<String> topics) {
    List<InputSkip> skips;
    try {
      skips = texts.stream().map(InputSkip::parse).toList();
    } catch (IllegalArgumentException e) {
      return false;
    }
    for (int i = 0; i < skips.size(); i++) {
      InputSkip one = skips.get(i);
      if (!topics.contains(one.topic)
          || skips.subList(0, i).stream().anyMatch(other -> one.meets(other))) {
        return false;
      }
    }
    return true;
  }

  private boolean meets(InputSkip other) {
    return at().equals(other.at()) && first <= other.last && other.first <= last;
  }

  /** Returns the skips of one partition in the order of their offsets. */
  public static List<InputSkip> of(List<InputSkip> all, TopicPartition partition) {
    return all.stream()
        .filter(skip -> skip.at().equals(partition))
        .sorted(Comparator.comparingLong(InputSkip::first))
        .toList();
  }

  /**
   * Refuses what lies beyond the end of its partition: a consumer that is sent there starts again
   * at the beginning.
   *
   * @param partitions how many partitions each input topic has
   * @throws StartRefusedException with every skip that is refused
   */
  public static void refuseBeyondEnds(
      Admin admin, List<InputSkip> skips, Map<String, Integer> partitions) {
    List<String> faults =
        skips.stream()
            .filter(skip -> skip.partition >= partitions.getOrDefault(skip.topic, 0))
            .map(
                skip ->
                    "%s: given '%s'; allowed: partitions below %d"
                        .formatted(
                            JobOptions.INPUTS_SKIP.key(),
                            skip,
                            partitions.getOrDefault(skip.topic, 0)))
            .toList();
    if (faults.isEmpty() && !skips.isEmpty()) {
      Map<TopicPartition, OffsetSpec> asked =
          skips.stream()
              .map(InputSkip::at)
              .distinct()
              .collect(Collectors.toMap(at -> at, at -> OffsetSpec.latest()));
      Map<TopicPartition, ListOffsetsResultInfo> ends =
          AdminCall.of(admin.listOffsets(asked).all(), "asking for the ends of input topics");
      faults =
          skips.stream()
              .filter(skip -> skip.last >= ends.get(skip.at()).offset())
              .map(
                  skip ->
                      "%s: given '%s'; allowed: offsets below %d, the end of the partition"
                          .formatted(
                              JobOptions.INPUTS_SKIP.key(), skip, ends.get(skip.at()).offset()))
              .toList();
    }
    if (!faults.isEmpty()) {
      throw new StartRefusedException("The offsets to skip are refused", faults);
    }
  }

  /** Returns the partition that it is about. */
  public TopicPartition at() {
    return new TopicPartition(topic, partition);
  }

  /** Says whether an offset of its partition is skipped. */
  public boolean covers(long offset) {
    return first <= offset && offset <= last;
  }

  @Override
  public String toString() {
    return topic + "/" + partition + "/" + first + (last == first ? "" : "-" + last);
  }
}
