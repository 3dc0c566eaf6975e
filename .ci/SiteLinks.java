import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the site that {@code mvn package -Pdocs} builds: every link leads to a file of it and to
 * an id in that file.
 */
final class SiteLinks {
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ELSEWHERE = Pattern.compile("(https?|mailto):.*");

  private SiteLinks() {}

  /**
   * Ends with 1 and prints the links that lead nowhere.
   *
   * @param args the directory of the site
   */
  public static void main(String[] args) throws IOException {
    Path site = Path.of(args[0]).toAbsolutePath().normalize();
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages(site)) {
      for (Matcher link = LINK.matcher(Files.readString(page)); link.find(); ) {
        links++;
        if (!leadsSomewhere(site, page, link.group(1))) {
          broken.add(site.relativize(page) + ": " + link.group(1));
        }
      }
    }
    System.out.println(links + " links of the site checked, " + broken.size() + " broken");
    broken.forEach(System.out::println);
    if (links == 0 || !broken.isEmpty()) {
      System.exit(1);
    }
  }

  private static List<Path> pages(Path site) throws IOException {
    try (Stream<Path> files = Files.walk(site)) {
      return files.filter(it -> it.toString().endsWith(".html")).sorted().toList();
    }
  }

  private static boolean leadsSomewhere(Path site, Path page, String link) throws IOException {
    if (ELSEWHERE.matcher(link).matches()) {
      return true;
    }
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).toAbsolutePath().normalize();
    if (!target.startsWith(site) || !Files.exists(target)) {
      return false;
    }
    return parts.length == 1 || Files.readString(target).contains("id=\"" + parts[1] + "\"");
  }
}
