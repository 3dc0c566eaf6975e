package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.console.document.Wording;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.job.options.Topics;
import io.equipoise.tools.demo.DemoCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import picocli.CommandLine;

/**
 * Looks at the console of a demo in Chromium, and computes from the topics what the pages must
 * show.
 *
 * <p>With {@code -Dequipoise.write-pictures=true} it replaces the pictures of the documentation.
 */
@Tag("foreign")
@Timeout(900)
@TestInstance(Lifecycle.PER_CLASS)
@ResourceLock("the deployment demo")
class DemoPagesTest {
  private static final boolean WRITES_PICTURES = Boolean.getBoolean("equipoise.write-pictures");
  private static final Path PICTURES = Path.of("docs", "images");
  private static final Pattern BROKER = Pattern.compile("broker +(\\S+:\\d+)");
  private static final Pattern CONSOLE = Pattern.compile("Console: (http://\\S+?)/?\\s");
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final Topics TOPICS = new Topics("demo");
  private static final String SEGMENT = "email-f-ucb";
  private static final String SEGMENT_PAGE = "#/segment?name=" + SEGMENT;

  private final StringWriter out = new StringWriter();
  private final StringWriter steps = new StringWriter();
  private final Thread demo = new Thread(this::play, "demo");
  private String broker;
  private Browser browser;

  @BeforeAll
  void start() {
    demo.start();
    broker = awaitMatch(out, BROKER);
    assertTrue(out.toString().contains("All ledgers balance"), out::toString);
    browser = Browser.at(awaitMatch(steps, CONSOLE));
  }

  @AfterAll
  void stop() throws InterruptedException {
    if (browser != null) {
      browser.close();
    }
    demo.interrupt();
    demo.join(PATIENCE.toMillis());
    assertFalse(demo.isAlive(), "the demo does not stop");
  }

  private void play() {
    String[] size = WRITES_PICTURES ? new String[] {"3000", "25"} : new String[] {"300", "1000"};
    String policies = WRITES_PICTURES ? "ucb,c-ucb,d-ucb,f-ucb,screen" : "ucb,f-ucb,screen";
    new CommandLine(new DemoCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(steps))
        .execute("--rounds", size[0], "--rate", size[1], "--policy", policies, "--console", "0");
  }

  private String awaitMatch(StringWriter text, Pattern pattern) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && demo.isAlive()) {
      Matcher found = pattern.matcher(text.toString());
      if (found.find() && out.toString().contains("Ctrl-C")) {
        return found.group(1);
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("no " + pattern + " in:\n" + steps + "\n" + out);
  }

  @Test
  void theOverviewShowsTheFiguresOfTheTopics() {
    Map<String, List<String>> expected = new TreeMap<>();
    decisions().forEach((segment, all) -> expected.put(segment, overviewOf(segment, all)));
    assertTrue(expected.size() >= 3, expected::toString);
    browser.open("#/?q=email");
    browser.await(
        () ->
            browser.rows(".segments").stream()
                .collect(
                    Collectors.toMap(
                        row -> row.get(0).lines().findFirst().orElseThrow(),
                        row -> List.of(row.get(3), row.get(4), row.get(5), row.get(9)),
                        (a, b) -> b,
                        TreeMap::new)),
        expected::equals,
        "mean reward, certified share, unfair decisions and dead letters are not " + expected);
    browser.assertNoComplaint("overview");
  }

  private List<String> overviewOf(String segment, List<Decision> decisions) {
    double[] rewards =
        TopicRecords.read(broker, TOPICS.segmentEvents(), Wire.SEGMENT_EVENT).stream()
            .filter(event -> event.segment().equals(segment) && event.learned())
            .filter(event -> event.learnedReward() != null)
            .mapToDouble(SegmentEvent::learnedReward)
            .toArray();
    long certified = decisions.stream().filter(Decision::certified).count();
    long unfair =
        audits(segment).stream()
            .filter(audit -> audit.verdict() == AuditVerdict.UNFAIR)
            .map(FairnessAudit::decisionId)
            .distinct()
            .count();
    long deadLetters = deadLetters().stream().filter(it -> segment.equals(it.segment())).count();
    return List.of(
        rewards.length == 0
            ? "–"
            : String.format(Locale.ROOT, "%.3f", Arrays.stream(rewards).average().orElseThrow()),
        percent(certified, decisions.size()),
        String.format(Locale.ROOT, "%,d", unfair),
        String.format(Locale.ROOT, "%,d", deadLetters));
  }

  @Test
  void theSegmentPageShowsVerdictsAndEffectsOfTheTopics() {
    browser.open(SEGMENT_PAGE);
    List<String> pair =
        List.of(browser.await(".attribute .choice [aria-pressed=true]").getText().split(" → "));
    List<FairnessAudit> audits =
        audits(SEGMENT).stream().filter(it -> levels(it).equals(pair)).toList();
    assertFalse(audits.isEmpty(), pair::toString);
    browser.await(
        () -> browser.await(".attribute .columns .card .note").getText(),
        note -> note.contains(String.format(Locale.ROOT, "%,d decisions in", audits.size())),
        "not the verdicts of " + audits.size() + " records");

    Map<String, String> newest = new HashMap<>();
    audits.forEach(audit -> newest.put(audit.arm(), effectOf(audit)));
    browser.await(
        () ->
            browser.rows(".forest-table").stream()
                .filter(row -> row.size() == 4)
                .collect(
                    Collectors.toMap(
                        row -> row.get(0).lines().findFirst().orElseThrow(),
                        row -> row.get(2) + " " + row.get(3).lines().findFirst().orElse(""))),
        shown -> !shown.isEmpty() && newest.entrySet().containsAll(shown.entrySet()),
        "not the newest effects " + newest);
    browser.assertNoComplaint("segment");
  }

  @Test
  void aDecisionIsFoundByItsId() {
    List<Decision> all = decisions().get(SEGMENT);
    Map<String, SegmentEvent> learned =
        TopicRecords.read(broker, TOPICS.segmentEvents(), Wire.SEGMENT_EVENT).stream()
            .filter(event -> event.segment().equals(SEGMENT))
            .filter(event -> event.learned() && event.decisionId() != null)
            .collect(Collectors.toMap(SegmentEvent::decisionId, Function.identity(), (a, b) -> a));
    Map<String, FairnessAudit> audited =
        audits(SEGMENT).stream()
            .filter(audit -> audit.effect().lower() != null)
            .filter(audit -> Math.abs(audit.effect().lower()) >= 0.005) // shown with two digits
            .filter(audit -> Math.abs(audit.effect().upper()) >= 0.005)
            .filter(audit -> audit.effect().upper() > audit.effect().lower())
            .filter(audit -> audit.effect().factual() != null)
            .collect(Collectors.toMap(FairnessAudit::decisionId, Function.identity(), (a, b) -> a));
    Decision decision =
        last(
            all.stream()
                .filter(it -> audited.containsKey(it.decisionId()))
                .filter(it -> learned.containsKey(it.decisionId()))
                .toList());
    FairnessAudit audit = audited.get(decision.decisionId());

    browser.open("#/decision");
    browser.await("input[name=id]").sendKeys(decision.decisionId() + Keys.ENTER);

    browser.awaitText("h1", decision.decisionId()::equals);
    browser.all(".subtitle a[href*=decision]").stream() // each policy decides about each person
        .filter(link -> link.getText().equals(SEGMENT))
        .findFirst()
        .ifPresent(WebElement::click);
    browser.awaitText(".subtitle a", SEGMENT::equals);
    browser.awaitText("h1", decision.decisionId()::equals);
    String lead = browser.content(".lead");
    assertTrue(lead.contains(decision.arm()), lead);
    String sentence = browser.content(".sentence");
    for (Double value : List.of(audit.effect().lower(), audit.effect().upper())) {
      String magnitude = Wording.number(Math.abs(value));
      assertTrue(sentence.contains(magnitude), sentence + " has no " + magnitude);
    }
    assertTrue(sentence.contains(Wording.number(audit.threshold())), sentence);
    assertTrue(sentence.contains(audit.effect().counterfactual()), sentence);
    String reward = Wording.number(learned.get(decision.decisionId()).observedReward());
    String next = browser.await(".timeline").getText();
    assertTrue(next.contains("A reward of " + reward + " arrived"), next);
    browser.assertNoComplaint("decision");
  }

  @Test
  void anUnknownDecisionExplainsWhatToGive() {
    browser.open("#/decision?id=no-such-decision&segment=" + SEGMENT);
    String text = browser.await(".failure").getText();
    assertTrue(text.contains("UNKNOWN_DECISION"), text);
    assertTrue(browser.await(".failure .remedy").getText().length() > 20, text);
    List<String> complaints = browser.complaints();
    assertTrue(complaints.size() == 1 && complaints.get(0).contains("404"), complaints::toString);
  }

  @Test
  void liveUpdatesArriveWithoutAReload() throws Exception {
    browser.open(SEGMENT_PAGE + "&tab=decisions");
    browser.await(".stacking tbody th a");
    browser.script("window.isSamePage = true");
    WireContext given =
        last(
            TopicRecords.read(broker, TOPICS.contexts(), Wire.CONTEXT).stream()
                .filter(context -> context.segment().equals(SEGMENT))
                .toList());
    WireContext next =
        new WireContext("live-update", SEGMENT, given.eventTime(), given.attributes(), null, null);
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  TOPICS.contexts(),
                  SEGMENT.getBytes(StandardCharsets.UTF_8),
                  Wire.CONTEXT.encode(next)))
          .get();
    }
    browser.await(
        () -> browser.rows(".stacking").stream().map(row -> row.get(0)).toList(),
        ids -> ids.contains("live-update"),
        "the page does not show a new decision");
    assertEquals(true, browser.script("return window.isSamePage"));
  }

  @Test
  void theReportOpensAndPrints() {
    browser.open(SEGMENT_PAGE);
    browser.await(".report > button").click();
    browser.await(".report-form button").click();
    browser.toNewTab();
    try {
      browser.awaitText("body", text -> text.contains(SEGMENT));
      byte[] pdf = browser.print();
      assertEquals("%PDF", new String(pdf, 0, 4, StandardCharsets.US_ASCII));
      String text = new String(pdf, StandardCharsets.ISO_8859_1);
      long pages = Pattern.compile("/Type\\s*/Page\\b").matcher(text).results().count();
      assertTrue(pages >= 2 && pages <= 12, "the report has " + pages + " pages");
      browser.assertNoComplaint("report");
    } finally {
      browser.closeTab();
    }
  }

  @Test
  void healthShowsTheDeadLettersOfTheTopic() {
    Map<String, String> expected =
        deadLetters().stream()
            .collect(Collectors.groupingBy(it -> it.code().toString(), Collectors.counting()))
            .entrySet()
            .stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, it -> String.format(Locale.ROOT, "%,d", it.getValue())));
    browser.open("#/health");
    browser.await(
        () ->
            browser.all(".letters summary").stream()
                .collect(
                    Collectors.toMap(
                        it -> it.getText().lines().findFirst().orElseThrow(),
                        it -> it.getText().lines().reduce((a, b) -> b).orElseThrow())),
        expected::equals,
        "not the dead letters " + expected);
    browser.await(
        () ->
            browser.script(
                "return [...document.querySelectorAll('.figure')].find(it =>"
                    + " it.textContent.startsWith('Restarts')).querySelector('.figure-value').textContent"),
        "0"::equals,
        "Flink's restarts are not known");
    browser.all(".behind summary").get(1).click();
    browser.await(
        () -> browser.rows(".behind[open]"),
        rows -> rows.stream().anyMatch(row -> row.get(1).matches("[\\d.,]+ (ms|s)")),
        "no interval has a latency");
    browser.await(".letters summary").click();
    assertTrue(browser.await(".letters details[open] .letter-body").getText().contains("Remedy"));
    browser.assertNoComplaint("health");
  }

  @Test
  void aChartHasATableAndATermHasAMeaning() {
    browser.open(SEGMENT_PAGE);
    browser.await(".behind summary").click();
    browser.await(() -> browser.rows(".behind").size(), size -> size == 120, "not 120 rows");
    WebElement term = browser.await(".figure .term-word");
    browser.script("arguments[0].focus()", term);
    assertTrue(browser.await("[role=tooltip]").getText().contains("interval"));
    term.sendKeys(Keys.ESCAPE);
    browser.await(() -> browser.count("[role=tooltip]"), count -> count == 0, "it stays open");
  }

  @Test
  void noPageHasASeriousIssueOfAccessibility() throws IOException {
    String decision =
        "#/decision?segment=%s&id=%s"
            .formatted(
                SEGMENT,
                URLEncoder.encode(
                    last(decisions().get(SEGMENT)).decisionId(), StandardCharsets.UTF_8));
    Map<String, String> pages = new TreeMap<>();
    pages.put("overview", "#/");
    pages.put("fairness", SEGMENT_PAGE);
    pages.put("choices", SEGMENT_PAGE + "&tab=choices");
    pages.put("model", SEGMENT_PAGE + "&tab=model");
    pages.put("decisions", SEGMENT_PAGE + "&tab=decisions");
    pages.put("find", "#/decision");
    pages.put("decision", decision);
    pages.put("health", "#/health");
    for (int width : new int[] {Browser.WIDE, Browser.NARROW}) {
      for (String scheme : new String[] {"light", "dark"}) {
        browser.look(width, scheme);
        for (Map.Entry<String, String> page : pages.entrySet()) {
          browser.open(page.getValue());
          browser.assertSound(page.getKey() + " at " + width + " in " + scheme);
          if (WRITES_PICTURES && width == Browser.WIDE && scheme.equals("light")) {
            Path file = PICTURES.resolve("console-" + page.getKey() + ".png");
            if (Files.exists(file)) {
              browser.picture(file, 1000);
            }
          }
        }
      }
    }
    browser.look(Browser.WIDE, "light");
  }

  private static <T> T last(List<T> list) {
    assertFalse(list.isEmpty());
    return list.get(list.size() - 1);
  }

  private Map<String, List<Decision>> decisions() {
    return TopicRecords.read(broker, TOPICS.decisions(), Wire.DECISION).stream()
        .filter(decision -> !decision.isRepeated())
        .filter(decision -> decision.segment().startsWith("email-"))
        .collect(Collectors.groupingBy(Decision::segment, TreeMap::new, Collectors.toList()));
  }

  private List<FairnessAudit> audits(String segment) {
    return TopicRecords.read(broker, TOPICS.audit(), Wire.AUDIT).stream()
        .filter(audit -> audit.segment().equals(segment))
        .toList();
  }

  private List<DeadLetter> deadLetters() {
    return TopicRecords.read(broker, TOPICS.deadLetter(), Wire.DEAD_LETTER);
  }

  private static List<String> levels(FairnessAudit audit) {
    return List.of(
        String.valueOf(audit.effect().factual()).replace("null", "undisclosed"),
        String.valueOf(audit.effect().counterfactual()).replace("null", "undisclosed"));
  }

  private static String effectOf(FairnessAudit audit) {
    String interval =
        audit.effect().lower() == null
            ? "no interval"
            : signed(audit.effect().lower()) + " to " + signed(audit.effect().upper());
    return signed(audit.effect().estimate()) + " " + interval + " " + name(audit.verdict());
  }

  private static String name(AuditVerdict verdict) {
    return switch (verdict) {
      case CERTIFIED_FAIR -> "Certified fair";
      case FAIR -> "Fair by estimate";
      case UNCERTAIN -> "Uncertain";
      case NO_OVERLAP -> "No overlap";
      case NOT_IDENTIFIED -> "Not identified";
      case UNFAIR -> "Unfair";
    };
  }

  private static String signed(Double value) {
    if (value == null) {
      return "–";
    }
    String text = String.format(Locale.ROOT, "%.3f", Math.abs(value));
    return text.equals("0.000") ? text : (value < 0 ? "−" : "+") + text;
  }

  /** Rounds a share as the page does, which never makes a part of it the whole. */
  private static String percent(long part, long whole) {
    if (part == 0 || part == whole) {
      return part == 0 ? "0\u00a0%" : "100\u00a0%";
    }
    double share = Math.min(Math.max(100.0 * part / whole, 0.1), 99.9);
    return String.format(Locale.ROOT, "%.1f\u00a0%%", share);
  }
}
