package io.equipoise.causal.estimand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EstimandTest {
  private static final double TEST_TOLERANCE = 1e-9;
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  private static Estimand p(String text) {
    return EstimandParser.parse("P(" + text + ")");
  }

  @Test
  void sumsDropWhatIsSummedFromAJointDistribution() {
    assertEquals(p("a|c"), p("a,b|c").summed(List.of("b")));
    assertSame(Estimand.one(), p("a,b|c").summed(List.of("a", "b")));
    assertEquals("Σ_c P(a|c)", p("a,b|c").summed(List.of("b", "c")).toText());
    assertSame(p("a").free().getClass(), p("b").free().getClass());
    Estimand same = p("a|b");
    assertSame(same, same.summed(List.of()));
  }

  @Test
  void sumsGoNoFurtherThanTheirVariables() {
    Estimand product = Estimand.product(List.of(p("a|b"), p("b|c"), p("c")));
    assertEquals("P(c) Σ_b P(a|b) P(b|c)", product.summed(List.of("b")).toText());
    assertEquals("Σ_{b,c} P(a|b) P(b|c) P(c)", product.summed(List.of("b", "c")).toText());
    assertEquals("P(b|c) P(c)", product.summed(List.of("a")).toText());
    assertEquals(Estimand.one(), product.summed(List.of("a")).summed(List.of("b", "c")));
  }

  @Test
  void quotientsCancelAndCondition() {
    assertEquals(p("a|b,c"), p("a,b|c").over(p("b|c")));
    assertSame(Estimand.one(), p("a|b").over(p("a|b")));
    assertEquals(p("c"), p("a|b").times(p("c")).over(p("a|b")));
    Estimand nested = p("a").over(p("b")).over(p("c"));
    assertEquals("[P(a)]/[P(b) P(c)]", nested.toText());
    assertEquals("[P(a) P(c)]/[P(b)]", p("a").over(p("b").over(p("c"))).toText());
    assertEquals("[P(a,b)]/[P(b|S=1)]", p("a,b").over(p("b|S=1")).toText());
  }

  @Test
  void aBoundCopyIsPrimedWhereItsNameMeansSomethingElse() {
    Estimand frontDoor =
        p("z|x").times(p("y|x,z").times(p("x")).summed(List.of("x"))).summed(List.of("z"));
    assertEquals("Σ_z P(z|x) Σ_x' P(y|x',z) P(x')", frontDoor.toText());
    assertEquals(Set.of("x", "y"), frontDoor.free());
    assertEquals(
        "\\sum_{z} P(z \\mid x) \\sum_{x'} P(y \\mid x',z) P(x')", frontDoor.toLatex(List.of()));
    assertEquals("Σ_z P(z|x) Σ_x' P(y|z,x') P(x')", frontDoor.toText(List.of("z", "y", "x")));
    Map<String, Object> json = frontDoor.toJson(List.of());
    assertEquals("sum", json.get("kind"));
    assertEquals(List.of("z"), json.get("over"));
  }

  @Test
  void formulasAreEqualByValue() {
    assertEquals(p("a,b|c"), p("b,a|c"));
    assertEquals(p("a,b|c").hashCode(), p("b,a|c").hashCode());
    assertNotEquals(p("a|b"), p("a|b,S=1"));
    assertNotEquals(p("a|b").summed(List.of("b")), p("a|c").summed(List.of("c")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Estimand.probability(List.of("a"), List.of("a"), false));
  }

  @Test
  void aFormulaSharedManyTimesIsSmallInMemoryAndNotPrinted() {
    Estimand formula = p("a|b").over(p("c|b"));
    for (int i = 0; i < 100; i++) {
      formula = new Quotient(formula, formula);
    }
    assertTrue(formula.distinctNodes() < 200, "shared: " + formula.distinctNodes());
    assertEquals("(a formula of 9223372036854775807 terms)", formula.toText());
    assertEquals("large", formula.toJson(List.of()).get("kind"));
  }

  @Test
  void textIsReadBack() {
    for (String text :
        List.of(
            "Σ_z P(z|x) Σ_x' P(y|x',z) P(x')",
            "[P(a)]/[P(b) P(c)]",
            "P(a) [[P(a|b)]/[P(c)]]",
            "Σ_{a,b} P(a|b,S=1) P(b)",
            "1")) {
      assertEquals(text, EstimandParser.parse(text).toText());
    }
    assertEquals(
        EstimandParser.parse("Σ_Z P(Z|X) Σ_X' P(X') P(Y|X',Z)"),
        EstimandParser.parse("Σ_{Z}[P(Z|X)·Σ_{X}[P(X)·P(Y|X,Z)]]"));
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> EstimandParser.parse("P(a|b"));
    assertEquals("estimand \"P(a|b\", column 6: expected ')'", fault.getMessage());
    assertThrows(IllegalArgumentException.class, () -> EstimandParser.parse("Σ_x' P(x'|x)"));
  }

  /** The same tree, once by constructors that simplify and once by those that don't. */
  @Test
  void simplifyingNeverChangesAValue() {
    long seed = 20260401;
    System.out.println("random formulas from seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    int simplified = 0;
    for (int round = 0; round < 3000; round++) {
      ObservedValues observedValues = evidence(random);
      Estimand[] pair = draw(random, 4);
      Map<String, Integer> at = new HashMap<>();
      NAMES.forEach(name -> at.put(name, random.nextInt(2)));
      double plain = new Evaluator(pair[0], observedValues).point(at);
      double simple = new Evaluator(pair[1], observedValues).point(at);
      String place = pair[0] + " -> " + pair[1];
      assertEquals(plain, simple, TEST_TOLERANCE * Math.max(1, Math.abs(plain)), place);
      Estimand parsed = EstimandParser.parse(pair[1].toText());
      double read = new Evaluator(parsed, observedValues).point(at);
      assertEquals(simple, read, TEST_TOLERANCE * Math.max(1, Math.abs(plain)), place);
      simplified += pair[1].treeSize() < pair[0].treeSize() ? 1 : 0;
    }
    assertTrue(simplified > 1000, "most can be simplified: " + simplified);
  }

  private static Estimand[] draw(SplittableRandom random, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(4);
    if (kind == 0) {
      List<String> of = new ArrayList<>();
      List<String> given = new ArrayList<>();
      for (String name : NAMES) {
        int place = random.nextInt(3);
        (place == 0 ? of : place == 1 ? given : new ArrayList<String>()).add(name);
      }
      Estimand p = Estimand.probability(of, given, false);
      return new Estimand[] {p, p};
    }
    Estimand[] one = draw(random, depth - 1);
    if (kind == 1) {
      TreeSet<String> bound = new TreeSet<>();
      NAMES.stream().filter(name -> random.nextInt(3) == 0).forEach(bound::add);
      return new Estimand[] {new Sum(bound, one[0]), one[1].summed(bound)};
    }
    Estimand[] other = draw(random, depth - 1);
    return kind == 2
        ? new Estimand[] {Estimand.product(List.of(one[0], other[0])), one[1].times(other[1])}
        : new Estimand[] {new Quotient(one[0], other[0]), one[1].over(other[1])};
  }

  private static ObservedValues evidence(SplittableRandom random) {
    List<Variable> variables =
        NAMES.stream().map(name -> new Variable(name, List.of("0", "1"))).toList();
    double[] weights = new double[16];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 1 + random.nextInt(20);
    }
    return ObservedValues.unselected(ContingencyTable.dense(variables, weights));
  }
}
