package io.equipoise.gateway;

import io.equipoise.segmentspec.Missing;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes a {@code curl} line that a gateway answers, from a spec that it serves. */
public final class CurlExample {
  private CurlExample() {}

  /**
   * Returns the line for the first spec whose segments a gateway serves; empty if there is none.
   */
  public static Optional<String> of(String address, List<SegmentSpec> specs) {
    return served(specs).stream()
        .findFirst()
        .map(
            spec ->
                "curl -s %s/v1/decisions -H 'Content-Type: application/json' -d '%s'"
                    .formatted(address, request(spec)));
  }

  /** Returns the specs without those of patterns. */
  public static List<SegmentSpec> served(List<SegmentSpec> specs) {
    return specs.stream().filter(spec -> !(spec.match() instanceof SegmentMatch.Pattern)).toList();
  }

  /** Returns a request with the first level of each variable. */
  public static String request(SegmentSpec spec) {
    String segment =
        spec.match() instanceof SegmentMatch.Exact exact ? exact.segments().get(0) : "example";
    return "{\"segment\": \"%s\", \"attributes\": %s}"
        .formatted(segment, required(spec.variables().features()));
  }

  /** Returns an object with the first level of each variable that may not be missing. */
  public static String required(List<SpecVariable> variables) {
    return variables.stream()
        .filter(variable -> variable.missing() == Missing.REJECT)
        .map(variable -> "\"%s\": %s".formatted(variable.name(), value(variable)))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String value(SpecVariable variable) {
    NumberRange range = variable.range();
    return range != null && variable.isNumeric()
        ? Double.toString(range.low())
        : "\"" + variable.levels().get(0) + "\"";
  }
}
