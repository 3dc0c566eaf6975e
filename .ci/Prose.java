import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists long sentences and phrases of the old style in pages, comments, messages and descriptions. Run it in the root of the repository:
 * {@code java .ci/Prose.java}. It reports and always ends with 0.
 */
final class Prose {
  private static final int WORDS_AT_MOST = 35;
  private static final Pattern OLD =
      Pattern.compile(
          "(?i)\\b(told|anew|lest|heeds?|heeded|at hand|for want of|weighs|bur(y|ied|ies)|gives? way|of its own accord|begins? anew)\\b");
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$|^ {4,}\\S.*?$|<!--.*?-->");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/");
  private static final Pattern LITERALS =
      Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+|\\n\\s*\\n|\\n\\s*[*|#-]|\\|");

  private int longSentences;
  private int phrases;

  public static void main(String[] arguments) throws IOException {
    Prose prose = new Prose();
    for (Path page : files(".", "md")) {
      prose.look(page, CODE_BLOCK.matcher(Files.readString(page)).replaceAll("\n\n"));
    }
    for (Path source : files("src/main", "java")) {
      String text = Files.readString(source);
      for (Matcher comment = COMMENT.matcher(text); comment.find(); ) {
        prose.look(source, comment.group().replaceAll("(?s)<pre>.*?</pre>", "\n\n").replaceAll("(?m)^\\s*/?\\*+/?", "").replaceAll("<p>|@\\w+", "\n\n"));
      }
      for (Matcher literal = LITERALS.matcher(COMMENT.matcher(text).replaceAll("")); literal.find(); ) {
        prose.look(source, literal.group().replaceAll("\"\\s*\\+\\s*\"", "").replace("\\n", "\n\n"));
      }
    }
    System.out.println(
        prose.longSentences + " sentences of more than " + WORDS_AT_MOST + " words, " + prose.phrases + " phrases of the old style");
  }

  private static List<Path> files(String root, String ending) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(root))) {
      files
          .map(Path::normalize)
          .filter(it -> it.toString().endsWith("." + ending) && !it.startsWith("target") && !it.toString().contains("node_modules"))
          .sorted()
          .forEach(found::add);
    }
    return found;
  }

  private void look(Path file, String text) {
    for (String sentence : SENTENCE_END.split(text)) {
      String words = sentence.strip().replaceAll("\\s+", " ");
      int count = words.isEmpty() ? 0 : words.split(" ").length;
      if (count > WORDS_AT_MOST) {
        longSentences++;
        System.out.println(file + ": " + count + " words: " + words);
      }
      Matcher old = OLD.matcher(words);
      if (old.find()) {
        phrases++;
        System.out.println(file + ": \"" + old.group() + "\": " + words);
      }
    }
  }
}
