package io.equipoise.audit;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Verb;
import io.equipoise.event.Counted;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.privacy.Unredactor;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the records that name a decision: {@code audit trace}. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every committed record of a deployment that names a decision, by topic, partition and"
          + " offset. After an erasure it finds nothing.",
      "Exit code 0 if all records could be read, even if none was found; 2 if dead letters are"
          + " encrypted with a key that was not given; 1 if the topics cannot be read."
    })
public final class TraceCommand extends Verb {
  private static final int NOT_READ = 1;
  private static final int NOT_OPENED = 2;

  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();
  @Mixin private KeyOption key = new KeyOption();

  @Parameters(paramLabel = "DECISION_ID", description = "The decision id of the context.")
  private String decisionId = "";

  @Override
  public Integer call() throws InterruptedException {
    try {
      DecisionTrace trace = new DecisionTrace(decisionId, new Unredactor(key.keys()));
      JobConfig config = JobConfig.from(launch.configuration());
      List<LogRecord> found = new ArrayList<>();
      trace.read(KafkaLog.open(config, Map.of(), timeout.duration()), found::add);
      print(found, trace.sealed());
      return trace.sealed() > 0 ? NOT_OPENED : 0;
    } catch (InconclusiveException
        | StartRefusedException
        | IllegalArgumentException
        | KafkaException e) {
      return failed(NOT_READ, "equipoise audit trace: " + launch.message(e));
    }
  }

  private void print(List<LogRecord> found, long sealed) {
    PrintWriter text = json.takesStandardOutput() ? err() : out();
    List<Map<String, Object>> records = new ArrayList<>();
    for (LogRecord at : found) {
      Map<String, Object> record = new LinkedHashMap<>();
      record.put("topic", at.slice().name());
      record.put("partition", at.slice().partition());
      record.put("offset", at.offset());
      record.put("time", Instant.ofEpochMilli(at.timestamp()).toString());
      records.add(record);
      text.println(at.place() + "  " + record.get("time"));
    }
    text.println(
        found.isEmpty()
            ? "No record names it."
            : Counted.of(found.size(), "records") + " with it.");
    if (sealed > 0) {
      text.println(
          Counted.of(sealed, "dead letters without an id are encrypted")
              + "; give --key FILE to search them.");
    }
    text.flush();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("records", records);
    result.put("sealed", sealed);
    json.write(result, out());
  }
}
