package io.equipoise.tools.evaluate;

import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.tools.simulate.Person;
import io.equipoise.tools.simulate.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a spec on the people of a world and keeps its topics. Every third reward comes late. */
public final class LoggedRun implements OutputLog {
  public static final long START = 1_700_000_000_000L;
  private static final int LATE_BY = 7;

  public final MemoryLog log = new MemoryLog();
  public final List<Decision> decisions = new ArrayList<>();
  private final List<RewardEvent> late = new ArrayList<>();
  private final MemorySegmentState state = new MemorySegmentState();
  private final String segment;
  private long now = START;

  public LoggedRun(CompiledSpec spec, World world, String segment, int count) {
    this.segment = segment;
    SegmentMachine machine = new SegmentMachine(registry(spec), () -> START, 0);
    World.People people = world.people(1);
    for (int number = 0; number < count; number++) {
      long time = START + 1_000L * number;
      now = time;
      Person person = people.next();
      String id = segment + "-" + number;
      byte[] value =
          Wire.CONTEXT.encode(new WireContext(id, segment, time, person.attributes(), null, null));
      long offset = log.append(LogTopic.CONTEXTS, 0, time, bytes(segment), value);
      Origin origin = new Origin("contexts", 0, offset, time);
      machine.onContext(
          new ContextEvent(id, segment, time, person.attributes(), null, null, origin, value),
          state,
          this);
      int arm = spec.armIds().indexOf(decisions.get(number).arm());
      World.Consequence consequence = people.consequence(person, arm);
      boolean isLate = number % 3 == 0;
      long at = time + (isLate ? 1_000L * LATE_BY + 500 : 0);
      RewardEvent event =
          new RewardEvent(
              id,
              null,
              segment,
              at,
              consequence.reward(),
              consequence.mediators(),
              null,
              new Origin("rewards", 0, number, at),
              bytes(id + "r"));
      if (isLate) {
        late.add(event);
      } else {
        machine.onReward(event, state, this);
      }
      while (!late.isEmpty() && late.get(0).eventTime() < time + 1_000) {
        machine.onReward(late.remove(0), state, this);
      }
    }
  }

  private static SpecRegistry registry(CompiledSpec spec) {
    return new SpecRegistry() {
      @Override
      public CompiledSpec select(String any) {
        return spec;
      }

      @Override
      public @Nullable CompiledSpec byHash(String hash) {
        return hash.equals(spec.spec().hash()) ? spec : null;
      }
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof Decision decision) {
      decisions.add(decision);
    }
    log.append(LogTopic.of(output), 1, now, bytes(segment), Wire.bytesOf(output));
  }
}
