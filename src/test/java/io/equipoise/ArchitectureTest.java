package io.equipoise;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.job.JobMetric;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the arrows between packages, and what no code of ours may touch. */
@Tag("slow")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.equipoise");

  private static final String[] PURE =
      in(
          "layout",
          "causal",
          "policy",
          "fairness",
          "evidence",
          "segment",
          "privacy",
          "watch",
          "segmentspec");

  /**
   * Each floor may know those before it. The package {@code cli} without its sub-packages is not on
   * a floor: verbs of any floor from {@code job} on use its helpers for files and output.
   */
  private static final List<String[]> FLOORS =
      List.of(
          in("event", "client", "layout", "registry", "remote"),
          in("causal", "segmentspec", "fairness", "evidence"),
          in("policy"),
          in("segment", "privacy"),
          in("state", "watch"),
          in("job"),
          in("offline", "audit"),
          new String[] {
            "io.equipoise.tools..",
            "io.equipoise.http..",
            "io.equipoise.gateway..",
            "io.equipoise.console..",
            "io.equipoise.sql..",
            "io.equipoise.cli.causal..",
            "io.equipoise"
          });

  private static final List<String[]> FLOORS_OF_SEGMENT =
      List.of(
          in("segment.state"),
          in("segment.log"),
          in("segment.upgrade"),
          new String[] {"io.equipoise.segment"},
          in("segment.replay"));

  static List<Arguments> arrows() {
    List<Arguments> arrows = new ArrayList<>();
    for (List<String[]> floors : List.of(FLOORS, FLOORS_OF_SEGMENT)) {
      for (int floor = 0; floor < floors.size() - 1; floor++) {
        String[] above =
            floors.subList(floor + 1, floors.size()).stream()
                .flatMap(Arrays::stream)
                .toArray(String[]::new);
        arrows.add(Arguments.of(floors.get(floor), above));
      }
    }
    return arrows;
  }

  @ParameterizedTest
  @MethodSource("arrows")
  void noFloorKnowsOneAbove(String[] floor, String[] above) {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(floor)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above));
  }

  /** Families are found by their service; a foreign one is used like those of this project. */
  @Test
  void nothingButToolsKnowsAPolicyFamilyByName() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                in(
                    "segmentspec",
                    "event",
                    "policy.constraint",
                    "policy.features",
                    "policy.kernel",
                    "policy.refutation",
                    "segment",
                    "privacy",
                    "state",
                    "job",
                    "offline",
                    "audit"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                in(
                    "policy.tabular",
                    "policy.linear",
                    "policy.logistic",
                    "policy.bestarm",
                    "policy.allocation")));
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("io.equipoise.(**)").should().beFreeOfCycles());
  }

  /** The lab has a source root and a jar of its own; its verbs are found by their service. */
  @Test
  void theProductDoesNotKnowTheLab() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.equipoise.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.equipoise.lab.."));
  }

  /** Papers and people are simulated without the job, and nothing of the job needs them. */
  @Test
  void simulationsAndTheJobDoNotKnowEachOther() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                in("simulation", "lab.campaign", "lab.cclb", "lab.csr", "lab.linear", "lab.pcb"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(in("state", "job", "offline", "audit", "tools", "cli.causal")));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                FLOORS.subList(0, FLOORS.size() - 1).stream()
                    .flatMap(Arrays::stream)
                    .toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(in("simulation")));
  }

  /** The gateway and the console share the server, and the server knows neither. */
  @Test
  void theServerKnowsNoService() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.http..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.equipoise..")
                    .and(
                        resideOutsideOfPackages(
                            "io.equipoise.http",
                            "io.equipoise.event..",
                            "io.equipoise.cli",
                            "io.equipoise.job.options"))));
  }

  @Test
  void onlyVerbsUseTheHelpersOfTheCommandLine() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                FLOORS.subList(0, 5).stream().flatMap(Arrays::stream).toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.equipoise.cli.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.cli")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.equipoise..")
                    .and(
                        resideOutsideOfPackages(
                            "io.equipoise.cli",
                            "io.equipoise.event..",
                            "io.equipoise.causal..",
                            "io.equipoise.segmentspec.."))));
  }

  /** Who shows arms needs the wire and Kafka's clients, and nothing else of ours. */
  @Test
  void theClientKnowsTheWireAndHttpOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.client..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("io.equipoise..", "org.apache.flink..")
                    .and(
                        resideOutsideOfPackages(
                            "io.equipoise.client..",
                            "io.equipoise.event..",
                            "io.equipoise.remote"))));
  }

  /** Its jar has these four packages. */
  @Test
  void theFormatOfFlinkSqlKnowsTheWireAndRegistriesOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.sql..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.equipoise..")
                    .and(
                        resideOutsideOfPackages(
                            "io.equipoise.sql..",
                            "io.equipoise.event..",
                            "io.equipoise.registry",
                            "io.equipoise.remote"))));
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.registry")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.equipoise..")
                    .and(resideOutsideOfPackages("io.equipoise.registry", "io.equipoise.remote"))));
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.remote")
            .should()
            .dependOnClassesThat(
                resideInAPackage("io.equipoise..")
                    .and(resideOutsideOfPackages("io.equipoise.remote"))));
  }

  @Test
  void theCoreKnowsNeitherFlinkNorKafka() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "kafka.."));
  }

  /** Evidence is arithmetic, and its state is bytes. */
  @Test
  void evidenceKnowsNoOtherPackage() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.evidence..")
            .should()
            .dependOnClassesThat(
                resideOutsideOfPackages("io.equipoise.evidence..", "java..", "org.jspecify..")));
  }

  /** What certificates are compared with must not share their errors. */
  @Test
  void theCampaignsTruthKnowsNoEstimator() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.lab.campaign..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(in("policy", "fairness", "causal"))
                    .and(resideOutsideOfPackage("io.equipoise.causal.bounds"))));
  }

  @Test
  void onlyLocalKnowsTheBroker() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("io.equipoise.tools..", "io.equipoise.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "kafka..",
                "org.apache.kafka.server..",
                "org.apache.kafka.metadata..",
                "org.apache.kafka.storage..",
                "org.apache.kafka.raft..",
                "org.apache.kafka.controller.."));
  }

  /** Flink's own local clusters listen on all interfaces and run what they are sent. */
  @Test
  void onlyLoopbackFlinkMakesClustersInThisProcess() {
    check(
        noClasses()
            .that()
            .haveNameNotMatching("io\\.equipoise\\.job\\.Loopback(Flink|Cluster).*")
            .should()
            .callMethod(
                StreamExecutionEnvironment.class, "getExecutionEnvironment", Configuration.class)
            .orShould()
            .callMethod(StreamExecutionEnvironment.class, "getExecutionEnvironment")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(LocalStreamEnvironment.class)
            .orShould()
            .callConstructor(MiniCluster.class, MiniClusterConfiguration.class));
  }

  /** So that the page of metrics lists them all. */
  @Test
  void onlyTheListOfMetricsRegistersMetrics() {
    check(
        noClasses()
            .that()
            .doNotBelongToAnyOf(JobMetric.class)
            .should()
            .callMethodWhere(
                targetOwner(assignableTo(MetricGroup.class))
                    .and(target(nameMatching("counter|gauge|histogram|meter")))));
  }

  /**
   * Texts are for people and may change; verdicts, replays and redaction follow from codes. The
   * trial of a spec quotes one to its author.
   */
  @Test
  void noAuditReplayOrRedactionReadsAText() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(in("audit.verify", "audit.report", "segment", "privacy"))
            .and()
            .doNotHaveSimpleName("SpecTrial")
            .should()
            .accessTargetWhere(isRead(DeadLetter.class, "message"))
            .orShould()
            .accessTargetWhere(isRead(InputFault.class, "message"))
            .orShould()
            .accessTargetWhere(isRead(AssumptionAudit.class, "remedy"))
            .orShould()
            .accessTargetWhere(isRead(ErrorCode.class, "cause"))
            .orShould()
            .accessTargetWhere(isRead(ErrorCode.class, "remedy")));
  }

  private static DescribedPredicate<JavaAccess<?>> isRead(Class<?> type, String text) {
    return targetOwner(equivalentTo(type)).and(target(name(text)));
  }

  @Test
  void drawsComeFromTheCounterBasedGeneratorOnly() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Random.class, ThreadLocalRandom.class)
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(StrictMath.class, "random"));
  }

  /** A simulated population may draw from a seeded stream; what decides may not. */
  @Test
  void onlySimulationsDrawFromASeededStream() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "io.equipoise.lab..", "io.equipoise.simulation..", "io.equipoise.tools..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(SplittableRandom.class));
  }

  /**
   * Time is the event's, or that of an injected clock; {@code System.nanoTime} is for deadlines.
   */
  @Test
  void nobodyReadsTheWallClock() {
    check(
        noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
            .orShould()
            .callConstructor(Date.class));
  }

  /** A clock is made where the program starts and handed down. */
  @Test
  void clocksAreMadeAtTheTopOnly() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                in("state", "segment", "event", "policy", "fairness", "causal", "segmentspec"))
            .should()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone"));
  }

  /** A reader who meets a name needs no import to know the class. */
  @Test
  void noTwoClassesShareASimpleName() {
    Map<String, List<String>> bySimpleName = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
        bySimpleName
            .computeIfAbsent(type.getSimpleName(), name -> new ArrayList<>())
            .add(type.getName());
      }
    }
    bySimpleName.values().removeIf(types -> types.size() == 1);
    assertEquals(Map.of(), bySimpleName);
  }

  @Test
  void mainCodeKnowsNoTestLibrary() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", "junit..", "org.mockito..", "org.assertj.."));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }

  private static String[] in(String... packages) {
    var patterns = new String[packages.length];
    for (var i = 0; i < packages.length; i++) {
      patterns[i] = "io.equipoise." + packages[i] + "..";
    }
    return patterns;
  }
}
