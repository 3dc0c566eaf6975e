package io.equipoise.tools.specs;

import io.equipoise.cli.Steps;
import io.equipoise.event.Counted;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecEffect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Changes the specs topic, and reports the reactions of the job and the active segments. */
final class Rollout {
  private static final int REFUSED = 1;

  private final SpecsVerb.Session session;
  private final ChangeOptions options;
  private final Steps steps;
  private final SpecPublisher publisher;

  /** Takes the options of the verb; steps are printed to the session's text. */
  Rollout(SpecsVerb.Session session, ChangeOptions options) {
    this.session = session;
    this.options = options;
    this.steps = session.steps();
    this.publisher = new SpecPublisher(session.config());
  }

  /** Writes records and returns their offsets by the specs that they are about. */
  @FunctionalInterface
  private interface Sending {
    Map<SegmentSpec, Long> send() throws InterruptedException;
  }

  /**
   * Publishes the specs that are not in force; returns the exit code.
   *
   * @throws io.equipoise.job.options.StartRefusedException if a version is not the highest
   */
  int publish(List<CompiledSpec> given) throws IOException, InterruptedException {
    List<CompiledSpec> specs = new ArrayList<>();
    for (CompiledSpec spec : given) {
      Optional<CompiledSpec> inForce = session.history().inForce(spec.spec().name());
      if (inForce.isPresent() && inForce.get().spec().equals(spec.spec())) {
        steps.done("skip", SpecChangePlan.named(spec.spec()) + " is in force");
      } else {
        specs.add(spec);
      }
    }
    List<SegmentSpec> texts = specs.stream().map(CompiledSpec::spec).toList();
    publisher.refuseOutdated(texts, session.history(), List.of());
    return run("Publish", specs, List.of(), () -> publisher.publish(texts, session.history()));
  }

  /** Retires specs, in the given order; returns the exit code. */
  int retire(List<SegmentSpec> specs) throws IOException, InterruptedException {
    return run("Retire", List.of(), specs, () -> publisher.retire(specs));
  }

  private int run(String what, List<CompiledSpec> added, List<SegmentSpec> retired, Sending sending)
      throws IOException, InterruptedException {
    if (added.isEmpty() && retired.isEmpty()) {
      session.text().println("Nothing to send.");
      return 0;
    }
    Map<String, String> running = ActiveSegments.read(session.config());
    SpecChangePlan plan = SpecChangePlan.of(session.history(), added, Set.copyOf(retired), running);
    steps.done("compare", Counted.of(running.size(), "active segments"));
    plan.moves().forEach(move -> steps.detail(move.line()));
    session.result().put("moves", plan.moves().stream().map(SpecChangePlan.Move::json).toList());
    List<SpecChangePlan.Move> rejected =
        plan.rejected().stream()
            .filter(move -> added.stream().anyMatch(it -> it.spec().equals(move.to())))
            .toList();
    if (!rejected.isEmpty() && !options.isEvenIfRejected()) {
      session.text().println("Nothing is sent.");
      rejected.forEach(move -> session.text().println(refusal(move)));
      return REFUSED;
    }
    String question = what + " on topic " + session.config().topics().specs() + "?";
    if (!options.isConfirmed(question, session.text(), System.in)) {
      session.text().println("Nothing is sent. Answer y, or give --yes.");
      return REFUSED;
    }
    steps.restart();
    try (SpecWatch watch = new SpecWatch(session.config(), session.admin())) {
      Map<SegmentSpec, Long> sent = sending.send();
      steps.done("send", Counted.of(sent.size(), "records"));
      sent.forEach((spec, offset) -> steps.detail("offset " + offset + ": " + spec.key()));
      watch.await(sent, plan.expected(), options.timeout());
      session.result().put("sent", sent.keySet().stream().map(SegmentSpec::key).toList());
      return report(watch, plan.expected().size());
    }
  }

  /** Returns who would reject a spec, why, and what to do. */
  private String refusal(SpecChangePlan.Move move) {
    SegmentSpec from = Objects.requireNonNull(move.from());
    String fix =
        session
            .history()
            .inForce(from.name())
            .map(it -> it.spec().version())
            .filter(inForce -> inForce > from.version())
            .map(
                inForce ->
                    "They run version %d, but later edits build on version %d, which is in force: run `equipoise specs rollback %s --to %d` first"
                        .formatted(from.version(), inForce, from.name(), from.version()))
            .orElse(SpecEffect.REMEDY);
    return "%s would reject %s: %s. %s. With --even-if-rejected it is published and in force, while they keep their spec."
        .formatted(
            SpecChangePlan.names(move.segments()),
            SpecChangePlan.named(move.to()),
            move.effect().reason(),
            fix);
  }

  private int report(SpecWatch watch, int expected) {
    Map<String, String> refused = watch.refused();
    Map<String, String> rejected = watch.rejected();
    Set<String> pending = watch.pending();
    Map<String, List<String>> adopted = new TreeMap<>();
    Map<String, Object> effects = new LinkedHashMap<>();
    watch
        .adopted()
        .forEach(
            (segment, event) -> {
              boolean isFirst = event.adoption().previousSpecHash() == null;
              SpecEffect effect = isFirst ? SpecEffect.first() : SpecEffect.of(event);
              adopted.computeIfAbsent(effect.line(), any -> new ArrayList<>()).add(segment);
              effects.put(segment, effect.json());
            });
    session.result().put("read", watch.isRead());
    session.result().put("refused", refused);
    session.result().put("adopted", effects);
    session.result().put("rejected", rejected);
    session.result().put("pending", List.copyOf(pending));
    steps.done(
        "follow",
        (watch.isRead()
                ? "the job has read all records; "
                : "it is not known yet that a job has read the records: a running one confirms that on a"
                    + " quiet topic after up to 10 s, another one reads them when it runs; ")
            + "%d refused; active segments: %d, of which pending: %d"
                .formatted(refused.size(), expected, pending.size()));
    refused.forEach((key, why) -> steps.detail("refused " + key + ": " + why));
    adopted.forEach(
        (line, segments) ->
            steps.detail("adopted by " + SpecChangePlan.names(segments) + ": " + line));
    rejected.forEach((segment, why) -> steps.detail("rejected by " + segment + ": " + why));
    if (!pending.isEmpty()) {
      steps.detail("pending until their next input: " + SpecChangePlan.names(List.copyOf(pending)));
    }
    if (!watch.isRead()) {
      session
          .text()
          .println(
              "The records are published all the same; --timeout waits longer for a job, and"
                  + " `equipoise specs list` shows who runs under which version.");
    }
    return watch.isRead() && refused.isEmpty() && rejected.isEmpty() ? 0 : REFUSED;
  }
}
