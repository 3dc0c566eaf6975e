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
 * Names offsets of an input topic that the job does not read, because reading them would fail the
 * reader: {@link JobOptions#INPUTS_SKIP}.
 *
 * @param first the first offset that is skipped
 * @param last the last offset that is skipped; at least the first
 */
public record InputSkip(String topic, int partition, long first, long last)
    implements Serializable {
  static final String FORM = "TOPIC/PARTITION/OFFSET or TOPIC/PARTITION/FIRST-LAST";

  /** Each offset gets a dead letter; a batch of 1 MiB has fewer records. */
  static final long MOST_OFFSETS = 200_000;

  /** Kafka decompresses the records of a batch one by one, but reads ahead to fill a poll. */
  public static final String ONE_RECORD_A_POLL = "1";

  private static final Pattern TEXT =
      Pattern.compile("([^/]+)/([0-9]{1,9})/([0-9]{1,18})(?:-([0-9]{1,18}))?");

  /**
   * Parses {@value #FORM}.
   *
   * @throws IllegalArgumentException if the text has another form, or an empty or too large range
   */
  static InputSkip parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' must have the form " + FORM);
    }
    long first = Long.parseLong(matcher.group(3));
    long last = matcher.group(4) == null ? first : Long.parseLong(matcher.group(4));
    if (last < first || last - first >= MOST_OFFSETS) {
      throw new IllegalArgumentException("'" + text + "' contains no offset or too many");
    }
    return new InputSkip(matcher.group(1), Integer.parseInt(matcher.group(2)), first, last);
  }

  /** Returns whether all texts are valid, name these topics, and no offset twice. */
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

  /** Returns the skips of one partition in offset order. */
  public static List<InputSkip> of(List<InputSkip> all, TopicPartition partition) {
    return all.stream()
        .filter(skip -> skip.at().equals(partition))
        .sorted(Comparator.comparingLong(InputSkip::first))
        .toList();
  }

  /**
   * Rejects offsets beyond the end of a partition: a consumer that seeks there restarts at the
   * beginning.
   *
   * @param partitions partition count of each input topic
   * @throws StartRefusedException with every rejected skip
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
          AdminCall.of(admin.listOffsets(asked).all(), "requesting the ends of input topics");
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
      throw new StartRefusedException("The offsets to skip are rejected", faults);
    }
  }

  /** Returns the partition of the skip. */
  public TopicPartition at() {
    return new TopicPartition(topic, partition);
  }

  /** Returns whether an offset of its partition is skipped. */
  public boolean covers(long offset) {
    return first <= offset && offset <= last;
  }

  @Override
  public String toString() {
    return topic + "/" + partition + "/" + first + (last == first ? "" : "-" + last);
  }
}
