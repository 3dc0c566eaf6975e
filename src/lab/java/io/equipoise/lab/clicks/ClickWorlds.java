package io.equipoise.lab.clicks;

import io.equipoise.simulation.SplitMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lists the thirty click worlds: a news site and a shop as their users would describe them, and 28
 * that differ in base rate (0.01 to 0.5), features (10 to 150), arms (3 to 200), delay (none to an
 * hour at one decision a second), unfair arms, and arms that come and go.
 *
 * <p>The mean of a drawn world is linear in the rate, a person's interest in the topic of an arm,
 * an offset of each arm, a topic's offset by context, and the price of an arm. Where arms have no
 * features of their own, the offset of an arm is no feature, so every model is wrong.
 */
public final class ClickWorlds {
  private static final int HOUR = 3_600;
  private static final int HALF_HOUR = 1_800;
  private static final int TEN_MINUTES = 600;
  private static final int OFFSETS = 7;

  private ClickWorlds() {}

  /** Returns all worlds: first the news site, then the shop. */
  public static List<ClickWorld> all() {
    List<ClickWorld> worlds = new ArrayList<>(List.of(news(), shop()));
    for (Shape shape : SHAPES) {
      worlds.add(new Drawn(shape, worlds.size() + 1).world());
    }
    return worlds;
  }

  /**
   * Gives the properties that the name of a drawn world stands for.
   *
   * @param topics 0 for arms without a topic; people have an interest in each topic
   * @param contexts levels of each categorical variable of people
   * @param ownArms whether each arm is a feature, and each by gender; else topics are
   * @param unfair whether the arm with the highest mean has an effect of 2.5 tau
   * @param live how many arms are offered at a time; 0 for all
   * @param stay rounds until one leaves
   * @param women share of one gender
   */
  private record Shape(
      String name,
      double rate,
      int arms,
      int topics,
      List<Integer> contexts,
      boolean ownArms,
      int delay,
      boolean unfair,
      int live,
      int stay,
      double women) {
    Shape(String name, double rate, int arms, int topics, List<Integer> contexts) {
      this(name, rate, arms, topics, contexts, true, 0, false, 0, 0, 0.5);
    }

    Shape byTopic() {
      return new Shape(name, rate, arms, topics, contexts, false, delay, unfair, live, stay, women);
    }

    Shape after(int rounds) {
      return new Shape(
          name, rate, arms, topics, contexts, ownArms, rounds, unfair, live, stay, women);
    }

    Shape withUnfair() {
      return new Shape(name, rate, arms, topics, contexts, ownArms, delay, true, live, stay, women);
    }

    Shape changing(int offered, int rounds) {
      return new Shape(
          name, rate, arms, topics, contexts, ownArms, delay, unfair, offered, rounds, women);
    }

    Shape withWomen(double share) {
      return new Shape(
          name, rate, arms, topics, contexts, ownArms, delay, unfair, live, stay, share);
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("r01-a3", .01, 3, 0, List.of(2, 2)),
          new Shape("r01-a10-slow", .01, 10, 5, List.of(3, 4)).after(HOUR),
          new Shape("r01-a20-unfair", .01, 20, 5, List.of(3, 4)).withUnfair().after(TEN_MINUTES),
          new Shape("r01-a50-topics", .01, 50, 8, List.of(4, 3)).byTopic().after(TEN_MINUTES),
          new Shape("r02-a5-unfair", .02, 5, 3, List.of(3, 3)).withUnfair(),
          new Shape("r02-a8-slow", .02, 8, 4, List.of(2, 4)).after(HALF_HOUR),
          new Shape("r02-a48-changing", .02, 48, 4, List.of(3, 2)).changing(6, 400),
          new Shape("r02-a100-topics", .02, 100, 10, List.of(4, 3)).byTopic(),
          new Shape("r04-a4-unfair-slow", .04, 4, 2, List.of(3, 4)).withUnfair().after(HOUR),
          new Shape("r04-a6", .04, 6, 5, List.of(3, 4, 4)),
          new Shape("r04-a20", .04, 20, 5, List.of(4, 4)).after(TEN_MINUTES),
          new Shape("r04-a30-changing", .04, 30, 5, List.of(3, 4)).changing(10, 1_000),
          new Shape("r04-a200-topics", .04, 200, 12, List.of(4, 4)).byTopic().after(60),
          new Shape("r08-a3", .08, 3, 0, List.of(2)),
          new Shape("r08-a10-few-women", .08, 10, 4, List.of(3, 3)).withUnfair().withWomen(.1),
          new Shape("r08-a12-unfair", .08, 12, 4, List.of(3, 4)).withUnfair().after(60),
          new Shape("r08-a32", .08, 32, 6, List.of(4, 3)).after(TEN_MINUTES),
          new Shape("r15-a5-slow", .15, 5, 3, List.of(3, 3)).after(HOUR),
          new Shape("r15-a8", .15, 8, 4, List.of(2, 3)),
          new Shape("r15-a25-unfair-changing", .15, 25, 5, List.of(3, 3))
              .withUnfair()
              .changing(8, 500),
          new Shape("r15-a100-topics", .15, 100, 9, List.of(4, 3)).byTopic().after(TEN_MINUTES),
          new Shape("r30-a3-unfair", .3, 3, 0, List.of(3, 3)).withUnfair(),
          new Shape("r30-a10", .3, 10, 5, List.of(4, 4)).after(60),
          new Shape("r30-a16-changing", .3, 16, 4, List.of(3, 3)).changing(5, 1_000),
          new Shape("r30-a60-topics", .3, 60, 8, List.of(4, 3)).byTopic(),
          new Shape("r50-a4", .5, 4, 2, List.of(2, 2)),
          new Shape("r50-a8-unfair", .5, 8, 4, List.of(3, 4)).withUnfair().after(TEN_MINUTES),
          new Shape("r50-a30-topics", .5, 30, 6, List.of(4, 4)).byTopic());

  /** Writes the texts of a drawn world. The same number gives the same world. */
  private static final class Drawn {
    private final Shape shape;
    private final SplitMix random;
    private final double size;
    private final int topics;

    Drawn(Shape shape, int number) {
      this.shape = shape;
      random = new SplitMix(number);
      size = Math.min(shape.rate(), 0.15);
      topics = shape.topics();
    }

    ClickWorld world() {
      int live = shape.live() == 0 ? shape.arms() : shape.live();
      return new ClickWorld(
          shape.name(), head(), features(), size / 2, truth(), shape.delay(), live, shape.stay());
    }

    private static String list(int count, IntFunction<String> item) {
      return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(", "));
    }

    private double between(double low, double high) {
      return low + (high - low) * random.nextDouble();
    }

    private String head() {
      StringBuilder text = new StringBuilder("name: " + shape.name() + "\nversion: 1\n");
      text.append("segments: default\nvariables:\n");
      StringBuilder causes = new StringBuilder();
      for (int context = 0; context < shape.contexts().size(); context++) {
        line(
            text,
            "  c%d: {role: context, levels: [%s]}",
            context,
            list(shape.contexts().get(context), level -> "v" + level));
        causes.append("c").append(context).append(' ');
      }
      for (int topic = 0; topic < topics; topic++) {
        line(text, "  likes_t%d: {role: context, range: [0, 1], cuts: [0.5]}", topic);
        causes.append("likes_t").append(topic).append(' ');
      }
      line(text, "  gender: {role: sensitive, levels: [f, m]}");
      causes.append("gender");
      if (shape.ownArms()) {
        line(text, "  article: {role: action, levels: [%s]}", list(shape.arms(), arm -> "n" + arm));
        causes.append(" article");
      }
      if (topics > 0) {
        line(text, "  topic: {role: action, levels: [%s]}", list(topics, topic -> "t" + topic));
        causes.append(" topic");
      }
      if (!shape.ownArms()) {
        line(text, "  price: {role: action, range: [0, 1]}");
        causes.append(" price");
      }
      line(text, "  click: {role: reward}\ngraph: \"dag { {%s} -> click }\"\narms:", causes);
      for (int arm = 0; arm < shape.arms(); arm++) {
        String topic = topics == 0 ? "" : ", topic: t" + arm % topics;
        String own =
            shape.ownArms() ? ", article: n" + arm : ", price: " + number(random.nextDouble());
        line(text, "  - {id: n%d%s%s}", arm, own, topic);
      }
      return text.toString();
    }

    private String features() {
      List<String> features = new ArrayList<>(List.of("intercept", "{one-hot: gender}"));
      for (int context = 0; context < shape.contexts().size(); context++) {
        features.add("{one-hot: c" + context + "}");
      }
      String arms = shape.ownArms() ? "{one-hot: article}" : "{one-hot: topic}";
      features.add(arms);
      if (shape.ownArms() && topics > 0) {
        features.add("{one-hot: topic}");
      }
      features.add("{product: [{one-hot: gender}, " + arms + "]}");
      if (topics > 0) {
        features.add("{product: [{one-hot: c0}, {one-hot: topic}]}");
      }
      if (!shape.ownArms()) {
        features.add("{number: price}");
      }
      for (int topic = 0; topic < topics; topic++) {
        String likes = "{number: likes_t" + topic + "}";
        features.add(likes);
        features.add("{product: [{level: {of: topic, is: t%d}}, %s]}".formatted(topic, likes));
      }
      return "[" + String.join(", ", features) + "]";
    }

    /** Offsets of at most 0.42 of the rate below a base of at least half of it. */
    private String truth() {
      StringBuilder text = new StringBuilder();
      boolean hasInterests = topics > 0;
      line(text, "base-rate: %s", number(shape.rate() - (hasInterests ? size / 2 : 0)));
      line(text, "levels: {gender: {f: %s, m: %s}}", shape.women(), number(1 - shape.women()));
      line(text, "effects:");
      for (int topic = 0; topic < topics; topic++) {
        line(text, "  - {topic: t%d, times: likes_t%d, effect: %s}", topic, topic, number(size));
        for (int level = 0; level < shape.contexts().get(0); level++) {
          double effect = size * between(-.12, .12);
          line(text, "  - {topic: t%d, c0: v%d, effect: %s}", topic, level, number(effect));
        }
      }
      List<List<String>> offsets = new ArrayList<>();
      IntStream.range(0, OFFSETS).forEach(place -> offsets.add(new ArrayList<>()));
      double largest = hasInterests ? .2 : .4;
      for (int arm = 0; arm < shape.arms(); arm++) {
        int place = shape.arms() <= OFFSETS ? arm : (int) (random.nextDouble() * OFFSETS);
        offsets.get(shape.unfair() && arm == 0 ? OFFSETS - 1 : place).add("n" + arm);
      }
      for (int place = 0; place < OFFSETS; place++) {
        if (!offsets.get(place).isEmpty()) {
          double effect = size * largest * (2.0 * place / (OFFSETS - 1) - 1);
          line(text, "  - {arm: %s, effect: %s}", offsets.get(place), number(effect));
        }
      }
      line(text, "  - {c%d: v0, effect: %s}", shape.contexts().size() - 1, number(-.08 * size));
      line(text, "  - {gender: m, effect: %s}", number(size * between(0, .2)));
      if (shape.unfair()) {
        line(text, "  - {arm: n0, gender: f, effect: %s}", number(1.25 * size));
      }
      if (!shape.ownArms()) {
        line(text, "  - {times: price, effect: %s}", number(-.08 * size));
      }
      return text.toString();
    }

    private static String number(double number) {
      return String.format(Locale.ROOT, "%.6f", number);
    }

    private static void line(StringBuilder text, String format, Object... values) {
      text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
  }

  /** Six articles and 84 features at a click rate of 4 %; rewards come after half an hour. */
  private static ClickWorld news() {
    return new ClickWorld(
        "news",
        """
        name: news
        version: 1
        segments: default
        variables:
          device: {role: context, levels: [mobile, desktop, tablet]}
          hour: {role: context, levels: [night, morning, afternoon, evening]}
          region: {role: context, levels: [north, south, east, west]}
          politics: {role: context, range: [0, 1], cuts: [0.5]}
          sport: {role: context, range: [0, 1], cuts: [0.5]}
          culture: {role: context, range: [0, 1], cuts: [0.5]}
          tech: {role: context, range: [0, 1], cuts: [0.5]}
          local: {role: context, range: [0, 1], cuts: [0.5]}
          age: {role: sensitive, levels: [a18-29, a30-49, a50-64, a65]}
          gender: {role: sensitive, levels: [f, m]}
          article: {role: action, levels: [n1, n2, n3, n4, n5, n6]}
          topic: {role: action, levels: [politics, sport, culture, tech, local]}
          click: {role: reward}
        graph: "dag { {device hour region politics sport culture tech local age gender article topic} -> click }"
        arms:
          - {id: n1, article: n1, topic: politics}
          - {id: n2, article: n2, topic: sport}
          - {id: n3, article: n3, topic: culture}
          - {id: n4, article: n4, topic: tech}
          - {id: n5, article: n5, topic: local}
          - {id: n6, article: n6, topic: sport}
        """,
        """
        [intercept, {one-hot: device}, {one-hot: hour}, {one-hot: region}, {one-hot: age},
            {one-hot: gender}, {one-hot: article}, {one-hot: topic}, {number: politics}, {number: sport},
            {number: culture}, {number: tech}, {number: local},
            {product: [{level: {of: topic, is: politics}}, {number: politics}]},
            {product: [{level: {of: topic, is: sport}}, {number: sport}]},
            {product: [{level: {of: topic, is: culture}}, {number: culture}]},
            {product: [{level: {of: topic, is: tech}}, {number: tech}]},
            {product: [{level: {of: topic, is: local}}, {number: local}]},
            {product: [{one-hot: gender}, {one-hot: article}]},
            {product: [{one-hot: age}, {one-hot: article}]}]""",
        0.02,
        """
        base-rate: 0.018
        effects:
          - {topic: politics, times: politics, effect: 0.07}
          - {topic: sport, times: sport, effect: 0.07}
          - {topic: culture, times: culture, effect: 0.07}
          - {topic: tech, times: tech, effect: 0.07}
          - {topic: local, times: local, effect: 0.07}
          - {article: n1, effect: -0.008}
          - {article: n5, effect: 0.006}
          - {article: n6, effect: -0.004}
          - {hour: evening, effect: 0.004}
          - {device: tablet, effect: -0.004}
          - {age: a18-29, article: n4, effect: 0.006}
          - {gender: m, article: [n2, n6], effect: 0.005}
        """,
        HALF_HOUR,
        6,
        0);
  }

  /** Eight items of four topics, rates of 1.5 to 7 %, all arms fair, rewards at once. */
  private static ClickWorld shop() {
    return new ClickWorld(
        "shop",
        """
        name: shop
        version: 1
        segments: default
        variables:
          time: {role: context, levels: [day, evening]}
          device: {role: context, levels: [mobile, desktop]}
          home: {role: context, range: [0, 1], cuts: [0.5]}
          garden: {role: context, range: [0, 1], cuts: [0.5]}
          books: {role: context, range: [0, 1], cuts: [0.5]}
          games: {role: context, range: [0, 1], cuts: [0.5]}
          gender: {role: sensitive, levels: [f, m]}
          item: {role: action, levels: [i1, i2, i3, i4, i5, i6, i7, i8]}
          topic: {role: action, levels: [home, garden, books, games]}
          click: {role: reward}
        graph: "dag { {time device home garden books games gender item topic} -> click }"
        arms:
          - {id: i1, item: i1, topic: home}
          - {id: i2, item: i2, topic: home}
          - {id: i3, item: i3, topic: garden}
          - {id: i4, item: i4, topic: garden}
          - {id: i5, item: i5, topic: books}
          - {id: i6, item: i6, topic: books}
          - {id: i7, item: i7, topic: games}
          - {id: i8, item: i8, topic: games}
        """,
        """
        [intercept, {one-hot: time}, {one-hot: device}, {number: home}, {number: garden},
            {number: books}, {number: games}, {one-hot: gender}, {one-hot: item}, {one-hot: topic},
            {product: [{level: {of: topic, is: home}}, {number: home}]},
            {product: [{level: {of: topic, is: garden}}, {number: garden}]},
            {product: [{level: {of: topic, is: books}}, {number: books}]},
            {product: [{level: {of: topic, is: games}}, {number: games}]},
            {product: [{one-hot: gender}, {one-hot: item}]}]""",
        0.02,
        """
        base-rate: 0.02
        effects:
          - {topic: home, times: home, effect: 0.04}
          - {topic: garden, times: garden, effect: 0.04}
          - {topic: books, times: books, effect: 0.04}
          - {topic: games, times: games, effect: 0.04}
          - {item: [i5, i7], effect: 0.006}
          - {item: [i1, i4], effect: -0.005}
          - {time: evening, topic: games, effect: 0.005}
          - {device: mobile, effect: 0.002}
          - {gender: f, topic: books, effect: 0.003}
        """,
        0,
        8,
        0);
  }
}
