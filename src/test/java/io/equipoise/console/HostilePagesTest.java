package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.evaluate.LoggedRun;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** Pages about a thousand segments, one of which has a name that wants to be more than text. */
@Tag("foreign")
@Timeout(600)
@TestInstance(Lifecycle.PER_CLASS)
class HostilePagesTest {
  private static final Topics TOPICS = new Topics("test");
  private static final int SEGMENTS = 1_000;
  private static final int SHOWN = 50;
  private static final String HOSTILE =
      "<img src=x onerror=\"document.title='owned'\"> \u202Edesrever\u202C \u001b[31mred\u001b[0m";
  private static final String LONG = HOSTILE + "x".repeat(10_000);

  private EmbeddedBroker broker;
  private ConsoleServer console;
  private Browser browser;

  @BeforeAll
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    createTopics();
    try (var producer = producer()) {
      for (int i = 2; i < SEGMENTS; i++) {
        send(producer, Logs.run("segment-%04d".formatted(i), 3));
      }
      send(producer, Logs.run(LONG, 120));
      send(producer, Logs.run(HOSTILE, 120));
    }
    Configuration config = new Configuration();
    config.setString("kafka.bootstrap.servers", broker.bootstrapServers());
    config.setString("equipoise.deployment", TOPICS.deployment());
    console =
        ConsoleServer.start(
            new ConsoleSettings(
                JobConfig.from(config), HttpSettings.loopback(0), Duration.ofMinutes(10), null));
    browser = Browser.at(console.address());
    browser.open("#/");
    browser.awaitText(".pager", text -> text.contains("of 1,000 segments"));
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (console != null) {
      console.close();
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

  private static void send(KafkaProducer<byte[], byte[]> producer, LoggedRun run) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < 2; partition++) {
        run.log
            .records(topic, partition)
            .forEach(
                it ->
                    sent.add(
                        producer.send(
                            new ProducerRecord<>(topic.in(TOPICS), 0, it.key(), it.value()))));
      }
    }
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
  }

  @Test
  void aHostileNameIsShownAsText() throws IOException {
    for (int width : new int[] {Browser.NARROW, Browser.WIDE}) {
      browser.look(width, "light");
      browser.open("#/?q=" + URLEncoder.encode("<img src=x", StandardCharsets.UTF_8));
      browser.awaitText(".pager", text -> text.contains("1 to 2 of 2 segments"));
      assertIsText(".name-cell a");
      browser.assertSound("hostile names at " + width);
      for (String name : new String[] {LONG, HOSTILE}) {
        browser.open("#/segment?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
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
  void aThousandSegmentsAreSearchedSortedAndPaged() {
    browser.look(Browser.WIDE, "light");
    browser.open("#/");
    browser.awaitText(".pager", text -> text.contains("1 to 50 of 1,000 segments"));
    browser.script(
        "window.slowest = 0; new PerformanceObserver(list => { for (const entry of"
            + " list.getEntries()) window.slowest = Math.max(window.slowest, entry.duration); })"
            + ".observe({type: 'event', durationThreshold: 16, buffered: true});");
    assertEquals(SHOWN, browser.rows(".segments").size(), "a page of rows, not all of them");

    browser.await("thead th:first-child .sort").click();
    browser.await(this::firstName, name -> name.startsWith("<img"), "not sorted by name");
    browser.await(".pager-buttons button:last-child").click();
    browser.await(this::firstName, name -> name.startsWith("segment-005"), "not the next page");
    browser.await("input[type=search]").sendKeys("segment-0777");
    browser.awaitText(".pager", text -> text.contains("1 to 1 of 1 segment"));
    assertEquals("segment-0777", firstName());
    assertEquals(1, browser.rows(".segments").size());

    Tier.found(
        HostilePagesTest.class,
        "slowest interaction with 1,000 segments, ms",
        browser.script("return window.slowest"));
  }

  private String firstName() {
    return Arrays.asList(browser.await(".name-cell a").getText().split("\n")).get(0);
  }
}
