package io.equipoise.tools.demo;

import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.simulation.EmailCampaign;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the shipped specs of the Email Campaign as files for the job's launcher. */
public final class ShippedSpecs {
  /** The policies of the paper, then one for clicks: rewards of 0 or 1 with the same means. */
  static final List<PolicyName> POLICIES =
      Stream.concat(EmailCampaign.POLICIES.stream(), Stream.of(LogisticPolicyName.SCREEN)).toList();

  private static final String DISTRIBUTIONS = "email-campaign.bif";
  private static final Pattern TAU = Pattern.compile("(?m)^( +tau: +)\\S+");

  private ShippedSpecs() {}

  /**
   * Writes the specs of some policies into a directory and reads them back.
   *
   * @param tau replaces the threshold of every spec; null keeps it
   */
  public static List<SegmentSpec> writeTo(
      Path directory, List<PolicyName> policies, @Nullable Double tau) {
    try {
      for (PolicyName policy : policies) {
        Path file = write(directory, policy.wire());
        Files.writeString(file, withTau(Files.readString(file), tau));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the specs to " + directory, e);
    }
    List<SegmentSpec> specs = SpecFiles.load(directory);
    return policies.stream()
        .flatMap(policy -> specs.stream().filter(spec -> spec.policy().name() == policy))
        .toList();
  }

  /** Writes the spec of a policy into a directory, with its distributions, and returns its file. */
  public static Path write(Path directory, String policy) throws IOException {
    Files.writeString(directory.resolve(DISTRIBUTIONS), text(DISTRIBUTIONS));
    String name = "email-" + policy + ".yaml";
    return Files.writeString(directory.resolve(name), text(name));
  }

  private static String withTau(String text, @Nullable Double tau) {
    if (tau == null) {
      return text;
    }
    Matcher matcher = TAU.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("a shipped spec has no tau line");
    }
    return matcher.replaceFirst("$1" + tau);
  }

  private static String text(String name) throws IOException {
    try (InputStream in = ShippedSpecs.class.getResourceAsStream("/specs/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no specs/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
