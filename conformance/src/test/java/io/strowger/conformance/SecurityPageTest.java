package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The page about security")
class SecurityPageTest {
  private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
  private static final Pattern TEST =
      Pattern.compile(
          "@(Test|ParameterizedTest|Property|FuzzTest|TestFactory|RepeatedTest|AtEveryPath\\w*)\\b");

  /** A fuzz target may inherit its test from the class that it extends. */
  private static final Pattern INHERITS = Pattern.compile("class \\w+ extends \\w+");

  private static final Pattern QUANTITY =
      Pattern.compile("([0-9][0-9,]*) ?(KiB|MiB|ms|s|characters)?");

  private static final Map<String, Long> UNITS =
      Map.of("KiB", 1L << 10, "MiB", 1L << 20, "ms", 1L, "s", 1_000L, "characters", 1L);

  /**
   * The settings of the configuration by their place; read for their defaults, with times in
   * milliseconds.
   */
  private static final Map<String, ToLongFunction<GatewayConfig>> SETTINGS = settings();

  private static Map<String, ToLongFunction<GatewayConfig>> settings() {
    var settings = new LinkedHashMap<String, ToLongFunction<GatewayConfig>>();
    settings.put("/server/max_request_bytes", it -> it.limits().maxRequestBytes());
    settings.put("/server/max_batch_bytes", it -> it.limits().maxBatchBytes());
    settings.put("/limits/batch_requests", it -> it.limits().batchRequests());
    settings.put("/limits/depth", it -> it.limits().json().depth());
    settings.put("/limits/string_bytes", it -> it.limits().json().stringBytes());
    settings.put("/limits/name_chars", it -> it.limits().json().nameChars());
    settings.put("/limits/number_chars", it -> it.limits().json().numberChars());
    settings.put("/limits/members", it -> it.limits().json().members());
    settings.put("/limits/values", it -> it.limits().json().values());
    settings.put("/limits/problems", it -> it.limits().problems());
    settings.put("/overload/queue", it -> it.overload().queue());
    settings.put("/overload/queue_ms", it -> it.overload().queueWait().toMillis());
    settings.put("/timeouts/total_ms", it -> it.timeouts().total().toMillis());
    settings.put("/timeouts/stream_idle_ms", it -> it.timeouts().gap().toMillis());
    return settings;
  }

  private static String page() throws IOException {
    return Files.readString(Modules.root().resolve("docs/security.md"));
  }

  /** Returns the cells of the rows of all tables whose last column has this title. */
  private static List<List<String>> rows(String lastColumn) throws IOException {
    var rows = new ArrayList<List<String>>();
    boolean within = false;
    for (String line : page().lines().toList()) {
      if (!line.startsWith("|")) {
        within = false;
      } else if (line.endsWith("| " + lastColumn + " |")) {
        within = true;
      } else if (within && !line.startsWith("|---")) {
        rows.add(List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)));
      }
    }
    return rows;
  }

  /**
   * Returns the paths of sources, by the name of their class.
   *
   * @param folder {@code main} or {@code test}
   */
  private static Map<String, List<Path>> sources(String folder) throws IOException {
    var sources = new LinkedHashMap<String, List<Path>>();
    try (Stream<Path> files = Files.walk(Modules.root())) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/" + folder + "/"))
          .forEach(
              file ->
                  sources
                      .computeIfAbsent(
                          file.getFileName().toString().replace(".java", ""),
                          name -> new ArrayList<>())
                      .add(file));
    }
    return sources;
  }

  @Test
  @DisplayName("names for each threat a test class that exists and has tests")
  void threats() throws IOException {
    Map<String, List<Path>> tests = sources("test");
    List<List<String>> threats = rows("shown by");
    assertThat(threats).hasSizeGreaterThan(45);
    for (List<String> threat : threats) {
      assertThat(threat).as("cells of %s", threat).hasSize(3);
      List<String> named =
          CLASS.matcher(threat.get(2)).results().map(name -> name.group(1)).toList();
      assertThat(named).as("tests against: %s", threat.getFirst()).isNotEmpty();
      for (String name : named) {
        List<Path> found = tests.getOrDefault(name, List.of());
        assertThat(found).as(name).isNotEmpty();
        String text = Files.readString(found.getFirst());
        assertThat(TEST.matcher(text).find() || INHERITS.matcher(text).find())
            .as("tests in %s", name)
            .isTrue();
      }
    }
  }

  @TestFactory
  @DisplayName("states limits as they are in the code and in the configuration:")
  Stream<DynamicTest> limits() throws IOException {
    Map<String, List<Path>> sources = sources("main");
    GatewayConfig minimal =
        ConfigReader.standard()
            .read(Fixtures.config("http://127.0.0.1:1").getBytes(StandardCharsets.UTF_8))
            .orThrow();
    List<List<String>> limits = rows("where");
    assertThat(limits).hasSizeGreaterThan(35);
    return limits.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getFirst(),
                    () ->
                        assertThat(stated(row.get(1)))
                            .isEqualTo(actual(row.get(2).replace("`", ""), sources, minimal))));
  }

  private static long stated(String limit) {
    Matcher quantity = QUANTITY.matcher(limit);
    assertThat(quantity.matches()).as(limit).isTrue();
    long number = Long.parseLong(quantity.group(1).replace(",", ""));
    return quantity.group(2) == null
        ? number
        : number * Objects.requireNonNull(UNITS.get(quantity.group(2)));
  }

  private static long actual(String where, Map<String, List<Path>> sources, GatewayConfig minimal)
      throws IOException {
    if (where.startsWith("/")) {
      ToLongFunction<GatewayConfig> setting = SETTINGS.get(where);
      return setting == null ? documented(where) : setting.applyAsLong(minimal);
    }
    String type = where.substring(0, where.indexOf('.'));
    String constant = where.substring(where.indexOf('.') + 1);
    List<Path> declared = sources.getOrDefault(type, List.of());
    assertThat(declared).as(type).hasSize(1);
    Matcher value =
        Pattern.compile("(?:int|long|Duration) " + constant + " = ([^;]+);")
            .matcher(Files.readString(declared.getFirst()));
    assertThat(value.find()).as("%s declares %s", type, constant).isTrue();
    return value(value.group(1));
  }

  /** Returns the value of a constant's expression: a number, a product, a shift or a duration. */
  private static long value(String expression) {
    String plain =
        expression.replace("_", "").toLowerCase(Locale.ROOT).replaceAll("(\\d)l\\b", "$1");
    if (plain.startsWith("duration.ofseconds(")) {
      return Duration.ofSeconds(value(plain.substring(19, plain.length() - 1))).toMillis();
    }
    if (plain.contains("<<")) {
      String[] sides = plain.split("<<");
      return value(sides[0].strip()) << value(sides[1].strip());
    }
    long product = 1;
    for (String factor : plain.split("\\*")) {
      product *= Long.parseLong(factor.strip());
    }
    return product;
  }

  /**
   * Returns the default of a setting that a plugin reads itself, from the configuration on the page
   * for operators, which shows each default.
   */
  private static long documented(String pointer) throws IOException {
    String page = Files.readString(Modules.root().resolve("docs/operating.md"));
    String[] names = pointer.substring(1).split("/");
    Matcher value =
        Pattern.compile("\"" + names[0] + "\": \\{[^}]*\"" + names[1] + "\": ([0-9]+)")
            .matcher(page);
    assertThat(value.find()).as(pointer).isTrue();
    return Long.parseLong(value.group(1));
  }
}
