package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.GapSplit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.evaluate.LoggedRun;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.WebElement;

/**
 * A console process with a thousand segments and 2,000 decisions a second, looked at in Chromium.
 * Two segments have names that want to be more than text. Prints memory and times of interactions.
 */
@Tag("foreign")
@Timeout(600)
@TestInstance(Lifecycle.PER_CLASS)
class HostilePagesTest {
  private static final Topics TOPICS = new Topics("test");
  private static final int SEGMENTS = 1_000;
  private static final int SHOWN = 25;
  private static final int EARLIER_DECISIONS = 3;
  private static final int LIVE_DECISIONS = 60;
  private static final Duration LIVE = Duration.ofSeconds(30);

  /** Clicks, or types into, an element, and waits until the page has painted what was asked for. */
  private static final String INTERACTION =
      """
      const [css, text, isDone, done] = arguments;
      const element = document.querySelector(css);
      const check = new Function('return ' + isDone);
      const start = performance.now();
      const frame = () => check()
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
        : requestAnimationFrame(frame);
      if (text === null) {
        element.click();
      } else {
        element.value = text;
        element.dispatchEvent(new Event('input', {bubbles: true}));
      }
      frame();
      """;

  private static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned'\"> \u202Edesrever\u202C \u001b[31mred\u001b[0m";
  private static final String LONG = HOSTILE + "x".repeat(10_000);

  private static final CompiledSpec GAPS =
      CompiledSpec.of(
          SpecParser.parse(
              Logs.SPEC
                  .spec()
                  .text()
                  .replace("name: offers", "name: gaps")
                  .replace("segments: default", "segments: {exact: [segment-0500-gaps]}")
                  .replace("tau: 0.2}", "tau: 0.2, split: all}")));

  private final LoggedRun gaps =
      new LoggedRun(
          GAPS,
          World.of(GAPS.spec(), WorldFile.parse("world", SimulationSpecs.WORLD), null),
          "segment-0500-gaps",
          2_000);
  private final List<List<List<ProducerRecord<byte[], byte[]>>>> runs = new ArrayList<>();
  private EmbeddedBroker broker;
  private Process console;
  private Browser browser;

  @BeforeAll
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    createTopics();
    try (var producer = producer()) {
      publish(producer, Logs.SPEC.spec());
      for (int i = 2; i < SEGMENTS; i++) {
        LoggedRun run = Logs.run("segment-%04d".formatted(i), EARLIER_DECISIONS + LIVE_DECISIONS);
        runs.add(seconds(run));
      }
      for (int second = 0; second < EARLIER_DECISIONS; second++) {
        for (List<List<ProducerRecord<byte[], byte[]>>> run : runs) {
          send(producer, run.get(second));
        }
      }
      seconds(Logs.run(LONG, 120)).forEach(second -> send(producer, second));
      seconds(Logs.run(HOSTILE, 120)).forEach(second -> send(producer, second));
      publish(producer, GAPS.spec());
      seconds(gaps).forEach(second -> send(producer, second));
    }
    browser = Browser.at(startConsole());
    browser.open("#/");
    browser.awaitText(".pager", text -> text.contains("of 1,001 segments"));
  }

  private static void publish(KafkaProducer<byte[], byte[]> producer, SegmentSpec spec) {
    byte[] key = spec.key().getBytes(StandardCharsets.UTF_8);
    byte[] text = spec.text().getBytes(StandardCharsets.UTF_8);
    send(producer, List.of(new ProducerRecord<>(TOPICS.specs(), key, text)));
  }

  private String startConsole() throws IOException {
    console =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.equipoise.Equipoise",
                "console",
                "-D",
                "kafka.bootstrap.servers=" + broker.bootstrapServers(),
                "-D",
                "equipoise.deployment=" + TOPICS.deployment(),
                "-D",
                "console.history=10 min",
                "-D",
                "console.port=0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = console.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Console: ")) {
        return line.substring("Console: ".length(), line.indexOf("/ ("));
      }
    }
    throw new AssertionError("the console ended with " + console);
  }

  @AfterAll
  void stop() throws InterruptedException {
    if (browser != null) {
      browser.close();
    }
    if (console != null) {
      console.destroy();
      console.waitFor();
    }
    broker.close();
  }

  private void createTopics() throws Exception {
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) broker.bootstrapServers()))) {
      List<NewTopic> topics =
          Stream.of(TOPICS.inputs(), TOPICS.outputs(), TOPICS.controls())
              .flatMap(List::stream)
              .map(name -> new NewTopic(name, 1, (short) 1))
              .toList();
      admin.createTopics(topics).all().get();
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Returns the records of each second of a run, in the order of each topic. */
  private static List<List<ProducerRecord<byte[], byte[]>>> seconds(LoggedRun run) {
    List<List<ProducerRecord<byte[], byte[]>>> seconds = new ArrayList<>();
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
        for (LogRecord it : run.log.records(topic, partition)) {
          int second = (int) ((it.timestamp() - LoggedRun.START) / 1_000);
          while (seconds.size() <= second) {
            seconds.add(new ArrayList<>());
          }
          seconds.get(second).add(new ProducerRecord<>(TOPICS.of(topic), 0, it.key(), it.value()));
        }
      }
    }
    return seconds;
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
    for (ProducerRecord<byte[], byte[]> record : records) {
      var unused = producer.send(record);
    }
  }

  /** Sends the rest of the runs at an even pace, and returns the decisions a second. */
  private double feed() {
    long start = System.nanoTime();
    try (var producer = producer()) {
      for (int second = 0; second < LIVE_DECISIONS; second++) {
        long due = start + LIVE.toNanos() * second / LIVE_DECISIONS;
        LockSupport.parkNanos(due - System.nanoTime());
        for (List<List<ProducerRecord<byte[], byte[]>>> run : runs) {
          send(producer, run.get(EARLIER_DECISIONS + second));
        }
      }
    }
    return runs.size() * LIVE_DECISIONS * 1e9 / (System.nanoTime() - start);
  }

  @Test
  void aHostileNameIsShownAsText() throws IOException {
    for (int width : new int[] {Browser.NARROW, Browser.WIDE}) {
      browser.look(width, "light");
      browser.open("#/?q=" + URLEncoder.encode("<img src=x", StandardCharsets.UTF_8));
      browser.awaitText(".pager", text -> text.contains("1 to 2 of 2 segments"));
      assertIsText(".name-cell a");
      browser.assertSound("hostile names at " + width);
      List<String> pages =
          browser.all(".name-cell a").stream().map(link -> link.getDomAttribute("href")).toList();
      assertEquals(2, pages.size());
      for (String page : pages) {
        browser.open(page);
        assertIsText(".segment h1");
        browser.await(".forest-table tbody tr");
        browser.assertSound("a segment with a hostile name at " + width);
      }
      browser.await(".tabs a:last-child").click();
      browser.await(".stacking tbody th a").click();
      assertIsText(".decision h1");
      browser.await(".sentence");
      browser.assertSound("a decision with a hostile id at " + width);
      assertEquals(0, browser.count("img[src=x]"));
    }
  }

  /** Compares the whole text, also what a small window cuts off. */
  private void assertIsText(String css) {
    String shown = browser.content(css);
    assertTrue(shown.startsWith("<img src=x onerror=\"document.title='owned'\">"), shown);
    assertTrue(shown.contains("U+202E") && shown.contains("U+001B[31mred"), shown);
    assertTrue(((String) browser.script("return document.title")).contains("Equipoise"));
  }

  @Test
  void thePartsOfAGapAreThoseOfTheNewestRecord() throws IOException {
    List<SegmentMetrics> metrics = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      gaps.log
          .records(LogTopic.METRICS, partition)
          .forEach(it -> metrics.add(Wire.METRICS.decode(it.value())));
    }
    SegmentMetrics newest =
        metrics.stream().max(Comparator.comparingLong(SegmentMetrics::seq)).orElseThrow();
    GapSplit split = newest.splits().get(0);
    List<String> estimates = new ArrayList<>();
    Stream.concat(Stream.of(split.gap()), split.parts().stream())
        .forEach(part -> estimates.add(signed(part.estimate())));
    for (int width : new int[] {Browser.NARROW, Browser.WIDE}) {
      browser.look(width, "light");
      browser.open("#/segment?name=segment-0500-gaps");
      browser.await(
          () ->
              browser.all("[aria-label='Attribute gender'] > .card:last-child tbody tr b").stream()
                  .map(WebElement::getText)
                  .sorted()
                  .toList(),
          estimates.stream().sorted().toList()::equals,
          "not the parts " + estimates);
      String sentence =
          browser.await("[aria-label='Attribute gender'] > .card:last-child .note").getText();
      assertTrue(
          sentence.startsWith(
              String.format(
                  Locale.ROOT,
                  "The gap from %s to %s is %+.3f",
                  split.reference(),
                  split.other(),
                  split.gap().estimate())),
          sentence);
      browser.assertSound("the parts of a gap at " + width);
    }
  }

  private static String signed(double value) {
    String text = String.format(Locale.ROOT, "%.3f", Math.abs(value));
    return Double.parseDouble(text) == 0 ? text : (value < 0 ? "\u2212" : "+") + text;
  }

  @Test
  void aThousandSegmentsAreSearchedSortedAndPaged() {
    browser.look(Browser.WIDE, "light");
    browser.open("#/");
    browser.awaitText(".pager", text -> text.contains("1 to 25 of 1,001 segments"));
    assertEquals(SHOWN, browser.rows(".segments").size(), "a page of rows, not all of them");

    browser.await("thead th:first-child .sort").click();
    browser.await(this::firstName, name -> name.startsWith("<img"), "not sorted by name");
    browser.await(".pager-buttons button:last-child").click();
    browser.await(this::firstName, name -> name.startsWith("segment-0025"), "not the next page");
    browser.await("input[type=search]").sendKeys("segment-0777");
    browser.awaitText(".pager", text -> text.contains("1 to 1 of 1 segment"));
    assertEquals("segment-0777", firstName());
    assertEquals(1, browser.rows(".segments").size());
  }

  @Test
  void anInteractionIsPaintedSoonWhileAThousandSegmentsDecide() throws Exception {
    browser.look(Browser.WIDE, "light");
    browser.open("#/?sort=name&direction=asc");
    CompletableFuture<Double> feed = CompletableFuture.supplyAsync(this::feed);
    Map<String, List<Long>> times = new LinkedHashMap<>();
    do {
      measure(times, "next page", ".pager-buttons button:last-child", null, pager("26 to"));
      measure(times, "previous page", ".pager-buttons button:first-child", null, pager("1 to"));
      measure(times, "search", "input[type=search]", "segment-0777", pager("1 to 1 of 1 seg"));
      measure(times, "all again", "input[type=search]", "", pager("1 to 25 of 1,001"));
      measure(times, "sort down", "thead th:first-child .sort", null, first("segment-0999"));
      measure(times, "sort up", "thead th:first-child .sort", null, first("<img"));
      measure(times, "trend", ".choice button:last-child", null, pressed("last"));
      measure(times, "trend back", ".choice button:first-child", null, pressed("first"));
      measure(
          times, "segment", "tr:nth-child(9) .name-cell a", null, shown(".segment .forest-table"));
      measure(times, "overview", ".crumbs a", null, shown(".pager"));
      browser.open("#/?sort=name&direction=asc");
    } while (!feed.isDone());
    Tier.found(HostilePagesTest.class, "decisions a second", Math.round(feed.get()));
    times.forEach(
        (what, millis) ->
            Tier.found(
                HostilePagesTest.class,
                what + ": click to painted, median and slowest of " + millis.size() + ", ms",
                millis.stream().sorted().toList().get(millis.size() / 2)
                    + ", "
                    + Collections.max(millis)));
    for (String line : Files.readAllLines(Path.of("/proc/" + console.pid() + "/status"))) {
      if (line.startsWith("VmHWM") || line.startsWith("VmRSS")) {
        Tier.found(HostilePagesTest.class, "console, kB", line);
      }
    }
  }

  private void measure(
      Map<String, List<Long>> times,
      String what,
      String css,
      @Nullable String text,
      String isDone) {
    browser.await(css);
    times
        .computeIfAbsent(what, any -> new ArrayList<>())
        .add(browser.millis(INTERACTION, css, text, isDone));
  }

  private static String pager(String text) {
    return "document.querySelector('.pager')?.innerText.startsWith('%s')".formatted(text);
  }

  private static String first(String text) {
    return "document.querySelector('.name-cell a')?.innerText.startsWith('%s')".formatted(text);
  }

  private static String pressed(String which) {
    return "document.querySelector('.choice button:%s-child').ariaPressed === 'true'"
        .formatted(which);
  }

  private static String shown(String css) {
    return "document.querySelector('%s')".formatted(css);
  }

  private String firstName() {
    return Arrays.asList(browser.await(".name-cell a").getText().split("\n")).get(0);
  }
}
