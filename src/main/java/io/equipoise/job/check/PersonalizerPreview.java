package io.equipoise.job.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.JsonFault;
import io.equipoise.client.PersonalizerRank;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.TextFile;
import io.equipoise.event.WireContext;
import io.equipoise.segment.ContextReading;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Previews the context that a gateway would send for a rank request of Azure Personalizer under a
 * spec.
 *
 * @param unused names of attributes that the spec does not know, in alphabetical order
 * @param fault why the job would reject the context; null if it would not
 */
record PersonalizerPreview(WireContext context, Set<String> unused, @Nullable InputFault fault) {
  private static final Origin NOWHERE = new Origin("", 0, 0, Origin.NO_APPEND_TIME);

  /**
   * Reads a rank request.
   *
   * @throws IllegalArgumentException if the file has none; the message names file and place
   */
  static PersonalizerRank read(Path file) throws IOException {
    try {
      return PersonalizerRank.of(new ObjectMapper().readTree(TextFile.read(file)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ", " + JsonFault.words(e), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Maps a request under a spec. */
  static PersonalizerPreview of(PersonalizerRank rank, CompiledSpec spec) {
    String id = rank.eventId() == null ? "preview" : rank.eventId();
    WireContext context = rank.context("preview", id, Set.copyOf(spec.armIds()), 0, null);
    Set<String> unused = new TreeSet<>(context.attributes().keySet());
    spec.features().forEach(variable -> unused.remove(variable.name()));
    if (context.candidates() != null) {
      Set<String> own = new TreeSet<>();
      context.candidates().forEach(arm -> own.addAll(arm.attributes().keySet()));
      spec.spec().variables().actions().stream().map(SpecVariable::name).forEach(own::remove);
      unused.addAll(own);
    }
    ContextEvent event =
        new ContextEvent(
            id,
            context.segment(),
            0,
            context.attributes(),
            context.candidates(),
            null,
            NOWHERE,
            new byte[0]);
    return new PersonalizerPreview(context, unused, ContextReading.of(event, spec).fault());
  }

  /**
   * Returns the fields of the context that come from the request, and what the spec makes of it.
   */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("attributes", new TreeMap<>(context.attributes()));
    List<CandidateArm> candidates = context.candidates();
    json.put(
        "candidates",
        candidates == null
            ? null
            : candidates.stream()
                .map(arm -> Map.of("name", arm.id(), "attributes", new TreeMap<>(arm.attributes())))
                .toList());
    json.put("unusedAttributes", unused);
    json.put("fault", fault == null ? null : fault.code() + ": " + fault.message());
    return json;
  }
}
