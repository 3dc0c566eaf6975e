package io.equipoise;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
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
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/** Holds the arrows between packages, and what no code of ours may touch. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.equipoise");

  private static final String[] TOP = in("job", "offline", "lab", "tools", "audit");
  private static final String[] PURE =
      in("causal", "policy", "fairness", "segment", "privacy", "segmentspec");

  @Test
  void arrowsBetweenPackagesPointDown() {
    check(
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("top")
            .definedBy(TOP)
            .layer("client")
            .definedBy(in("client"))
            .layer("events")
            .definedBy(in("state", "segment", "privacy"))
            .layer("wire")
            .definedBy(in("event"))
            .layer("policies")
            .definedBy(in("policy", "fairness"))
            .layer("spec")
            .definedBy(in("segmentspec"))
            .layer("causal")
            .definedBy(in("causal"))
            .whereLayer("top")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("top")
            .whereLayer("events")
            .mayOnlyBeAccessedByLayers("top", "client")
            .whereLayer("policies")
            .mayOnlyBeAccessedByLayers("top", "events")
            .whereLayer("wire")
            .mayOnlyBeAccessedByLayers("top", "client", "events", "policies")
            .whereLayer("spec")
            .mayOnlyBeAccessedByLayers("top", "events", "policies", "wire")
            .whereLayer("causal")
            .mayOnlyBeAccessedByLayers("top", "events", "policies", "spec"));
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
  void nothingBelowKnowsTheCommandLine() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                in(
                    "state",
                    "segment",
                    "privacy",
                    "event",
                    "policy",
                    "fairness",
                    "causal",
                    "segmentspec"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.equipoise"));
  }

  /** Who shows arms needs the wire and Kafka's clients, and nothing else of ours. */
  @Test
  void theClientKnowsTheWireOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.equipoise.client..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("io.equipoise..", "org.apache.flink..")
                    .and(
                        resideOutsideOfPackages("io.equipoise.client..", "io.equipoise.event.."))));
  }

  /** The job jar has neither of the two. */
  @Test
  void theJobKnowsNeitherLocalNorLab() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(in("job", "offline", "audit"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(in("tools", "lab")));
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
            .resideOutsideOfPackage("io.equipoise.tools..")
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

  /** Texts are for people and may change; verdicts, replays and redaction follow from codes. */
  @Test
  void noAuditReplayOrRedactionReadsAText() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(in("audit.verify", "audit.report", "segment", "privacy"))
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
            .resideOutsideOfPackages("io.equipoise.lab..", "io.equipoise.tools..")
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
            .resideInAnyPackage("io.equipoise.(state|join|event|bandit|fairness|causal|spec)..")
            .should()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone"));
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
