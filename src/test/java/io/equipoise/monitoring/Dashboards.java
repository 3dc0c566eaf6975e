package io.equipoise.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Makes the dashboards of Grafana from a table: two panels in a row, one query or more in each. */
final class Dashboards {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final String OPERATOR = "flink_taskmanager_job_task_operator_";
  private static final int SCHEMA_VERSION = 41;
  private static final int WIDTH = 12;
  private static final int HEIGHT = 8;

  /** A query of Prometheus, and the legend of its series. */
  record Query(String expression, String legend) {}

  /**
   * A graph over time.
   *
   * @param unit of Grafana, such as {@code ms}
   */
  record Panel(String title, String unit, List<Query> queries) {
    Panel(String title, String unit, String expression, String legend) {
      this(title, unit, List.of(new Query(expression, legend)));
    }
  }

  /**
   * A dashboard.
   *
   * @param file name without its ending
   */
  record Dashboard(String file, String title, List<Panel> panels) {}

  static final List<Dashboard> ALL =
      List.of(
          new Dashboard(
              "operators",
              "Equipoise: the job",
              List.of(
                  new Panel(
                      "Decisions by reason",
                      "ops",
                      "sum by (reason) (rate(%sreason_decisions[5m]))".formatted(OPERATOR),
                      "{{reason}}"),
                  new Panel(
                      "Decision latency, before the commit",
                      "ms",
                      "max by (quantile) (%sdecisionLatency)".formatted(OPERATOR),
                      "{{quantile}}"),
                  new Panel(
                      "Rewards and windows",
                      "ops",
                      "sum by (type) (rate(%stype_segmentEvents[5m]))".formatted(OPERATOR),
                      "{{type}}"),
                  new Panel(
                      "Dead letters by code",
                      "ops",
                      "sum by (deadLetter) (rate({__name__=~\"%s(user_)?deadLetter_records\"}[5m]))"
                          .formatted(OPERATOR),
                      "{{deadLetter}}"),
                  new Panel(
                      "Event time behind the clock",
                      "ms",
                      "max by (topic, partition) (%stopic_partition_eventTimeLag)"
                          .formatted(OPERATOR),
                      "{{topic}} {{partition}}"),
                  new Panel(
                      "Since the last window ended",
                      "ms",
                      "min(%swindowClosedAge)".formatted(OPERATOR),
                      "age"),
                  new Panel(
                      "Segments",
                      "short",
                      "sum by (segments) (%ssegments_count)".formatted(OPERATOR),
                      "{{segments}}"),
                  new Panel(
                      "Ids that segments keep",
                      "short",
                      List.of(
                          new Query(
                              "max by (segment) (equipoise_segment_pending_decisions)",
                              "{{segment}} pending"),
                          new Query(
                              "max by (segment) (equipoise_segment_dedup_entries)",
                              "{{segment}} remembered"))),
                  new Panel(
                      "Age of the spec versions in force",
                      "s",
                      "time() - max by (segment)"
                          + " (equipoise_segment_spec_published_timestamp_seconds)",
                      "{{segment}}"),
                  new Panel(
                      "Checkpoints and restarts",
                      "short",
                      List.of(
                          new Query("max(flink_jobmanager_job_numRestarts)", "restarts"),
                          new Query(
                              "max(flink_jobmanager_job_numberOfFailedCheckpoints)",
                              "failed checkpoints"))),
                  new Panel(
                      "Duration of the last checkpoint",
                      "ms",
                      "max(flink_jobmanager_job_lastCheckpointDuration)",
                      "duration"),
                  new Panel(
                      "Records that were lost",
                      "short",
                      List.of(
                          new Query("max(%slostRecords)".formatted(OPERATOR), "lostRecords"),
                          new Query("max(%sremovedInputs)".formatted(OPERATOR), "removedInputs"))),
                  new Panel(
                      "Transactions that were not committed at once",
                      "short",
                      List.of(
                          new Query("sum(%sfailedCommittables)".formatted(OPERATOR), "failed"),
                          new Query(
                              "sum(%sretriedCommittables)".formatted(OPERATOR), "tried again"))))),
          new Dashboard(
              "fairness",
              "Equipoise: fairness",
              List.of(
                  new Panel(
                      "Audited effects that are certified fair",
                      "percentunit",
                      ("sum by (attribute)"
                              + " (rate(%sattribute_verdict_audits{verdict=\"CERTIFIED_FAIR\"}[5m])) /"
                              + " sum by (attribute) (rate(%sattribute_verdict_audits[5m]))")
                          .formatted(OPERATOR, OPERATOR),
                      "{{attribute}}"),
                  new Panel(
                      "Audited effects by verdict",
                      "ops",
                      "sum by (attribute, verdict) (rate(%sattribute_verdict_audits[5m]))"
                          .formatted(OPERATOR),
                      "{{attribute}} {{verdict}}"),
                  new Panel(
                      "Proven violations since the segment began",
                      "short",
                      "max by (segment) (equipoise_segment_unfair_verdicts_total)",
                      "{{segment}}"),
                  new Panel(
                      "Gap of the groups' mean rewards",
                      "short",
                      "max by (segment) (equipoise_segment_group_gap)",
                      "{{segment}}"),
                  new Panel(
                      "Rewards until a certificate of a linear policy",
                      "short",
                      "max by (segment, arm, attribute) (equipoise_segment_rewards_to_certificate)",
                      "{{segment}} {{arm}} {{attribute}}"),
                  new Panel(
                      "Arms of a linear policy that are locked in",
                      "short",
                      "sum by (segment) (equipoise_segment_locked_in)",
                      "{{segment}}"),
                  new Panel(
                      "Decisions without an eligible arm",
                      "short",
                      "max by (segment) (equipoise_segment_fallbacks_total)",
                      "{{segment}}"),
                  new Panel(
                      "Audited pairs without overlap",
                      "percentunit",
                      "max by (segment) (equipoise_segment_no_overlap_share)",
                      "{{segment}}"))),
          new Dashboard(
              "gateway",
              "Equipoise: the gateway",
              List.of(
                  new Panel(
                      "Requests by status",
                      "reqps",
                      "sum by (status) (rate(equipoise_gateway_requests_total[5m]))",
                      "{{status}}"),
                  new Panel(
                      "Time to answer, p99",
                      "s",
                      "histogram_quantile(0.99, sum by (le, path)"
                          + " (rate(equipoise_gateway_request_seconds_bucket[5m])))",
                      "{{path}}"),
                  new Panel(
                      "Decisions by reason",
                      "reqps",
                      "sum by (reason) (rate(equipoise_gateway_decisions_total[5m]))",
                      "{{reason}}"),
                  new Panel(
                      "Problems by code",
                      "reqps",
                      "sum by (code) (rate(equipoise_gateway_problems_total[5m]))",
                      "{{code}}"),
                  new Panel(
                      "Waiting for an answer",
                      "short",
                      "sum(equipoise_gateway_pending_decisions)",
                      "decisions"),
                  new Panel(
                      "Contexts with unknown attributes",
                      "reqps",
                      "sum(rate(equipoise_gateway_unknown_attributes_total[5m]))",
                      "contexts"))));

  private Dashboards() {}

  static String json(Dashboard dashboard) {
    ObjectNode json = JSON.createObjectNode();
    json.put("uid", "equipoise-" + dashboard.file());
    json.put("title", dashboard.title());
    json.putArray("tags").add("equipoise");
    json.put("schemaVersion", SCHEMA_VERSION);
    json.put("editable", true).put("refresh", "30s").put("timezone", "browser");
    json.putObject("time").put("from", "now-3h").put("to", "now");
    json.putObject("templating")
        .putArray("list")
        .addObject()
        .put("name", "source")
        .put("label", "Prometheus")
        .put("type", "datasource")
        .put("query", "prometheus");
    ArrayNode panels = json.putArray("panels");
    for (int i = 0; i < dashboard.panels().size(); i++) {
      add(panels.addObject(), dashboard.panels().get(i), i);
    }
    try {
      return JSON.writeValueAsString(json) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(ObjectNode json, Panel panel, int place) {
    json.put("id", place + 1).put("type", "timeseries").put("title", panel.title());
    source(json);
    json.putObject("gridPos")
        .put("h", HEIGHT)
        .put("w", WIDTH)
        .put("x", place % 2 * WIDTH)
        .put("y", place / 2 * HEIGHT);
    ObjectNode field = json.putObject("fieldConfig");
    field.putObject("defaults").put("unit", panel.unit());
    field.putArray("overrides");
    ArrayNode targets = json.putArray("targets");
    for (Query query : panel.queries()) {
      ObjectNode target = targets.addObject();
      target.put("refId", String.valueOf((char) ('A' + targets.size() - 1)));
      source(target);
      target.put("expr", query.expression()).put("legendFormat", query.legend());
    }
  }

  private static void source(ObjectNode json) {
    json.putObject("datasource").put("type", "prometheus").put("uid", "${source}");
  }
}
