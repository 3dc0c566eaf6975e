package io.equipoise.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.cli.Verb;
import io.equipoise.event.Counted;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Redaction;
import io.equipoise.event.Truncation;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segmentspec.Nearest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the dead letters of a deployment: {@code audit dead-letters}. */
@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the committed dead letters of a deployment, one JSON object per line, with the key"
          + " and the value of the input record in base64.",
      "If the deployment redacts sensitive values, --key decrypts them. Dead letters that cannot be"
          + " decrypted are printed without key and value.",
      "Exit code 0 if all were printed completely, 2 if some were not, 1 if the topic cannot be"
          + " read."
    })
public final class DeadLettersCommand extends Verb {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int NOT_READ = 1;
  private static final int NOT_OPENED = 2;

  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private KeyOption key = new KeyOption();

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Prints only dead letters with this error code, for example UNKNOWN_LEVEL.")
  private @Nullable String code;

  @Override
  public Integer call() throws InterruptedException {
    List<String> codes = Arrays.stream(ErrorCode.values()).map(ErrorCode::name).toList();
    if (code != null && !codes.contains(code)) {
      String near = Nearest.oneOf(code.toUpperCase(Locale.ROOT), codes);
      throw refused("--code: no error code '%s'; %s".formatted(code, near));
    }
    try {
      Unredactor unredactor = new Unredactor(key.keys());
      JobConfig config = JobConfig.from(launch.configuration());
      KafkaLog log = KafkaLog.open(config, Map.of(), timeout.duration());
      int incomplete = 0;
      try (LogReader reader = log.read(log.slices(LogTopic.DEAD_LETTER))) {
        for (LogRecord at = reader.next(); at != null; at = reader.next()) {
          incomplete += print(at, unredactor) ? 0 : 1;
        }
      }
      out().flush();
      if (incomplete > 0) {
        warn(
            "equipoise audit dead-letters: "
                + Counted.of(incomplete, "dead letters could not be decoded or decrypted"));
      }
      return incomplete > 0 ? NOT_OPENED : 0;
    } catch (InconclusiveException
        | StartRefusedException
        | IllegalArgumentException
        | KafkaException e) {
      return failed(NOT_READ, "equipoise audit dead-letters: " + launch.message(e));
    }
  }

  /** Prints a dead letter; returns whether it is complete. */
  private boolean print(LogRecord at, Unredactor unredactor) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("at", at.place());
    boolean isWhole = true;
    try {
      DeadLetter deadLetter =
          Wire.DEAD_LETTER.decode(at.value() == null ? new byte[0] : at.value());
      if (code != null && !code.equals(deadLetter.code())) {
        return true;
      }
      try {
        deadLetter = unredactor.reveal(deadLetter);
      } catch (CiphertextException e) {
        isWhole = false;
        fields.put("sealed", e.getMessage());
      }
      put(fields, deadLetter);
    } catch (WireException e) {
      isWhole = false;
      fields.put("unreadable", e.fact());
    }
    try {
      out().println(MAPPER.writeValueAsString(fields));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a map of strings and numbers as JSON", e);
    }
    return isWhole;
  }

  private static void put(Map<String, @Nullable Object> fields, DeadLetter deadLetter) {
    Redaction redaction = deadLetter.redaction();
    Truncation truncated = deadLetter.input().truncated();
    fields.put("code", deadLetter.code());
    fields.put("message", deadLetter.message());
    fields.put("variables", deadLetter.variables());
    fields.put("limitBytes", deadLetter.limitBytes());
    fields.put("recovered", deadLetter.recovered());
    fields.put("topic", deadLetter.source().topic());
    fields.put("partition", deadLetter.source().partition());
    fields.put("offset", deadLetter.source().offset());
    fields.put("appendTime", deadLetter.input().appendTime());
    fields.put("segment", deadLetter.segment());
    fields.put("decisionId", deadLetter.input().decisionId());
    fields.put("key", deadLetter.input().key());
    fields.put("value", deadLetter.input().value());
    fields.put("wholeKeyBytes", truncated == null ? null : truncated.keyBytes());
    fields.put("wholeValueBytes", truncated == null ? null : truncated.valueBytes());
    fields.put("keyId", redaction == null ? null : redaction.keyId());
  }
}
