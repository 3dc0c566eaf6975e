package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.print.PrintOptions;

/** A Chromium without a window that looks at pages of the console. */
final class Browser implements AutoCloseable {
  static final int WIDE = 1280;
  static final int NARROW = 390;

  private static final Path CHROMIUM =
      Path.of(System.getProperty("equipoise.chromium", "/usr/bin/chromium"));
  private static final Path DRIVER =
      Path.of(System.getProperty("equipoise.chromedriver", "/usr/bin/chromedriver"));
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int HEIGHT = 900;

  private final ChromeDriver driver;
  private final String address;

  private Browser(ChromeDriver driver, String address) {
    this.driver = driver;
    this.address = address;
  }

  /** Starts a browser for the pages at an address. */
  static Browser at(String address) {
    for (Path program : List.of(CHROMIUM, DRIVER)) {
      if (!Files.isExecutable(program)) {
        throw new AssertionError(
            program
                + " is missing: the tests of the console's pages need Chromium and its driver"
                + " (Debian: apt install chromium chromium-driver; other places:"
                + " -Dequipoise.chromium=FILE -Dequipoise.chromedriver=FILE)");
      }
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--hide-scrollbars");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.WARNING);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    Browser browser = new Browser(driver, address);
    browser.look(WIDE, "light");
    return browser;
  }

  /** Sets the width in pixels and the color scheme of the system. */
  void look(int width, String scheme) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Opens a route anew, such as {@code #/health}, and waits until it shows what it loaded. */
  void open(String route) {
    driver.get("about:blank");
    driver.get(address + "/" + route);
    await("main h1");
    await(() -> count("[data-loading]"), loading -> loading == 0, "the page still loads: " + route);
  }

  /** Opens any address of the server. */
  void openPath(String path) {
    driver.get(address + path);
  }

  /** Returns the first element, when there is one. */
  WebElement await(String css) {
    return await(() -> all(css), found -> !found.isEmpty(), "no " + css).get(0);
  }

  /** Waits until a value is as expected, and returns it. */
  <T> T await(Supplier<T> value, Predicate<T> isGood, String otherwise) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    T last = null;
    while (System.nanoTime() < deadline) {
      try {
        last = value.get();
        if (isGood.test(last)) {
          return last;
        }
      } catch (StaleElementReferenceException e) {
        // The page has changed between two looks.
        last = null;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError(
        otherwise
            + "\nlast: "
            + last
            + "\npage: "
            + driver.findElement(By.tagName("body")).getText());
  }

  /** Waits until the text of the first element satisfies a predicate. */
  String awaitText(String css, Predicate<String> isGood) {
    return await(() -> await(css).getText(), isGood, css + " has not the text");
  }

  /** Returns the text of the first element, also what is cut off, without the breaks of lines. */
  String content(String css) {
    return await(css).getDomProperty("textContent");
  }

  List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  int count(String css) {
    return all(css).size();
  }

  /** Returns the rows of a table: the texts of their cells. */
  @SuppressWarnings("unchecked")
  List<List<String>> rows(String table) {
    return (List<List<String>>)
        script(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row =>"
                + " [...row.cells].map(cell => cell.innerText.trim()))",
            table);
  }

  Object script(String text, Object... arguments) {
    return driver.executeScript(text, arguments);
  }

  /** Runs a script that passes a number of milliseconds to its last argument. */
  long millis(String text, Object... arguments) {
    return Math.round(((Number) driver.executeAsyncScript(text, arguments)).doubleValue());
  }

  /** Changes to the newest tab. */
  void toNewTab() {
    String here = driver.getWindowHandle();
    await(driver::getWindowHandles, tabs -> tabs.size() > 1, "no new tab");
    driver.getWindowHandles().stream()
        .filter(tab -> !tab.equals(here))
        .findFirst()
        .ifPresent(driver.switchTo()::window);
  }

  /** Closes the tab and changes to the other one. */
  void closeTab() {
    driver.close();
    driver.switchTo().window(driver.getWindowHandles().iterator().next());
  }

  /** Returns the page as PDF. */
  byte[] print() {
    return Base64.getDecoder().decode(driver.print(new PrintOptions()).getContent());
  }

  /** Writes a picture of the upper part of the page. */
  void picture(Path file, int height) throws IOException {
    Map<String, Object> clip =
        Map.of("x", 0, "y", 0, "width", script("return innerWidth"), "height", height, "scale", 1);
    Object data =
        driver
            .executeCdpCommand(
                "Page.captureScreenshot",
                Map.of("format", "png", "captureBeyondViewport", true, "clip", clip))
            .get("data");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode((String) data));
  }

  /** Asserts that axe finds nothing serious, that nothing sticks out, and that nothing failed. */
  void assertSound(String what) throws IOException {
    try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
      driver.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
    }
    Object issues =
        driver.executeAsyncScript(
            "const done = arguments[0];"
                + "axe.run(document, {resultTypes: ['violations']}).then(found =>"
                + " done(found.violations.filter(it => ['serious', 'critical'].includes(it.impact))"
                + ".map(it => it.id + ': ' + it.nodes.map(node => node.html + ' '"
                + " + node.failureSummary).slice(0, 3).join(' | '))));");
    assertEquals(List.of(), issues, what);
    assertEquals(
        0L,
        script("const page = document.documentElement; return page.scrollWidth - page.clientWidth"),
        what + " is wider than the window");
    assertNoComplaint(what);
  }

  /** Asserts that the page logged no error: a refused script or style is one. */
  void assertNoComplaint(String what) {
    assertEquals(List.of(), complaints(), what);
  }

  /** Returns what the page logged since the last call. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
