package io.equipoise.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.equipoise.Docs;
import io.equipoise.segmentspec.AttributeFault;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ErrorCodeTest {
  private static final String BEGIN =
      """
# Error codes

A record that the job cannot use goes to the topic `dead-letter` with one of these codes.
A decision that refuses its context repeats the code in `errorCode`. An event that closes a
decision without learning names the code in `reason`.

The columns:

* ledger: the counts on the topic `metrics` that include the record. Records without a ledger
  belong to no segment, or change none.
* metric: the Flink counter of the operator that refuses the record, for each of its subtasks.
  If the code makes no dead letter, the count on the topic `metrics`.

Compare codes, `variables` and `limitBytes`. The `message` of a dead letter is for people, and
its wording may change in any version.

| code | cause | remedy | ledger | metric |
| --- | --- | --- | --- | --- |
""";

  /** Run with {@code -Dequipoise.write-docs=true} to write the page instead of comparing it. */
  @Test
  void thePageListsAllCodes() throws Exception {
    Docs.assertGenerated("docs/reference/error-codes.md", ErrorCodeTest.class, any -> page());
  }

  private static String page() {
    return BEGIN + Stream.of(ErrorCode.values()).map(ErrorCodeTest::row).collect(lines());
  }

  private static Collector<CharSequence, ?, String> lines() {
    return Collectors.joining("\n", "", "\n");
  }

  private static String row(ErrorCode code) {
    String ledger =
        code.accounts().stream()
            .map(account -> "`" + account.path() + "`")
            .collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s | `%s` |"
        .formatted(
            code, code.cause(), code.remedy(), ledger.isEmpty() ? "none" : ledger, code.metric());
  }

  @Test
  void everyCodeHasACauseARemedyAndAMetricOfItsOwn() {
    Set<String> metrics = new TreeSet<>();
    for (ErrorCode code : ErrorCode.values()) {
      assertTrue(code.cause().matches("[A-Z].*[A-Za-z0-9]\\."), code.cause());
      assertTrue(code.remedy().matches("[A-Z].*[A-Za-z0-9]\\."), code.remedy());
      assertTrue(metrics.add(code.metric()), code.metric());
    }
  }

  @Test
  void everyAccountIsACountOfTheMetrics() {
    Set<String> counts = new TreeSet<>();
    for (RecordComponent ledger : SegmentMetrics.class.getRecordComponents()) {
      if (ledger.getType().getSimpleName().endsWith("Ledger")) {
        for (RecordComponent count : ledger.getType().getRecordComponents()) {
          counts.add(ledger.getName() + "." + count.getName());
        }
      }
    }
    assertEquals(
        counts,
        Stream.of(Account.values())
            .map(Account::path)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Only what refuses records counts: not audits, tools or the laboratory, nor the enum itself. */
  @Test
  void everyCodeCanBeRaised() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                "io.equipoise.event",
                "io.equipoise.segmentspec",
                "io.equipoise.segment",
                "io.equipoise.privacy",
                "io.equipoise.job");
    Set<String> raised = new TreeSet<>();
    for (JavaClass one : classes) {
      if (!one.isEquivalentTo(ErrorCode.class) && !one.isEquivalentTo(AttributeFault.Code.class)) {
        one.getFieldAccessesFromSelf().stream()
            .map(access -> access.getTarget())
            .filter(
                field ->
                    field.getOwner().isEquivalentTo(ErrorCode.class)
                        || field.getOwner().isEquivalentTo(AttributeFault.Code.class))
            .forEach(field -> raised.add(field.getName()));
      }
    }
    List<String> never =
        Arrays.stream(ErrorCode.values())
            .map(Enum::name)
            .filter(name -> !raised.contains(name))
            .toList();
    assertEquals(List.of(), never);
  }
}
