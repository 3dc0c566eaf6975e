package io.equipoise.job.options;

import io.equipoise.event.LogTopic;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Names everything on a Kafka cluster that belongs to one deployment.
 *
 * <p>All names begin with the deployment's name and a dot. Deployment names contain no dot, so that
 * names of deployments on one cluster never collide.
 */
public record Topics(String deployment) implements Serializable {
  /** The uid of the sink of all records that the segment operator writes. */
  public static final String OUTPUTS = "outputs";

  /** The last part of the transactional id that the owner of the deployment fences. */
  public static final String OWNER = "owner";

  /** The uid of the sink of inputs that could not be decoded. */
  public static final String UNDECODABLE = "undecodable";

  /** Follows the deployment's name and a dot. */
  public static final String CAUSAL_BOUNDS = "causal-bounds";

  static final Pattern DEPLOYMENT = Pattern.compile("[a-z0-9][a-z0-9-]*");

  /** Kafka allows 249 characters in a topic name; the longest suffix needs 15. */
  static final int DEPLOYMENT_MAX_LENGTH = 200;

  public Topics {
    if (!isDeployment(deployment)) {
      throw new IllegalArgumentException("invalid deployment name: '" + deployment + "'");
    }
  }

  static boolean isDeployment(String name) {
    return name.length() <= DEPLOYMENT_MAX_LENGTH && DEPLOYMENT.matcher(name).matches();
  }

  /** Returns the name of an event topic. */
  public String of(LogTopic topic) {
    return named(topic.suffix());
  }

  public String contexts() {
    return of(LogTopic.CONTEXTS);
  }

  public String rewards() {
    return of(LogTopic.REWARDS);
  }

  public String decisions() {
    return of(LogTopic.DECISIONS);
  }

  public String audit() {
    return of(LogTopic.AUDIT);
  }

  public String experiments() {
    return of(LogTopic.EXPERIMENTS);
  }

  public String segmentEvents() {
    return of(LogTopic.SEGMENT_EVENTS);
  }

  public String metrics() {
    return of(LogTopic.METRICS);
  }

  public String deadLetter() {
    return of(LogTopic.DEAD_LETTER);
  }

  public String specs() {
    return named("specs");
  }

  public String causalBounds() {
    return named(CAUSAL_BOUNDS);
  }

  /**
   * Returns the topic of challengers and group monitors, which the job neither reads nor writes.
   */
  public String watch() {
    return named("watch");
  }

  /** Returns the event input topics. */
  public List<String> inputs() {
    return List.of(contexts(), rewards());
  }

  /** Returns the topics that the job writes. */
  public List<String> outputs() {
    return LogTopic.OUTPUTS.stream().map(this::of).toList();
  }

  /** Returns the compacted control topics, with one partition each. */
  public List<String> controls() {
    return List.of(specs(), causalBounds());
  }

  public String consumerGroup() {
    return named("job");
  }

  /**
   * Returns the prefix of a sink's transactional ids, or the id of the {@link #OWNER}.
   *
   * @param sink the sink's uid: two sinks with one prefix would abort each other's transactions
   */
  public String transactionalIdPrefix(String sink) {
    return named("job." + sink);
  }

  private String named(String suffix) {
    return deployment + "." + suffix;
  }
}
