package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.decisionlog.DecisionLog;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The page about routing")
class RoutingPageTest {
  private static final String WRITE = "strowger.docs.write";
  private static final String COMMAND =
      "mvn -o -pl conformance -am test -Dtest=RoutingPageTest -D" + WRITE + "=true";
  private static final Path PAGE = Modules.root().resolve("docs/routing.md");
  private static final Path PICTURE = Modules.root().resolve("docs/decision.svg");
  private static final Pattern JSON = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

  /** A request, and what explain prints for it. */
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "```json\n([^`]*)```\n\n```\n\\./gateway (explain [^\n]*)\n([^`]*)```", Pattern.DOTALL);

  private static final Pattern REPLAY =
      Pattern.compile("```\n\\./gateway (replay decisions\\.log)\n([^`]*)```");

  /** A preference or member, what it does, an example, and the order it leads to. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^(\\| (.*) \\| .* \\| `(\".*)` \\|)(.*)\\|$");

  private static final Pattern MEMBER = Pattern.compile("\\.optional\\(\\s*\"(\\w+)\"");
  private static final Pattern SIZES =
      Pattern.compile("[0-9,]+ statistics snapshots? in [0-9,]+ bytes");
  private static final String QUESTION =
      "\"messages\": [ { \"role\": \"user\", \"content\": \"Why?\" } ]";

  @TempDir Path folder;
  private String page;
  private GatewayCommands gateway;

  @BeforeEach
  void read() throws IOException {
    page = Files.readString(PAGE);
    gateway = new GatewayCommands(folder, config(), Map.of());
  }

  private String config() {
    Matcher config = JSON.matcher(page);
    assertThat(config.find()).isTrue();
    return config.group(1);
  }

  private void compare(Path file, String written, String current) throws IOException {
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(file, current);
      return;
    }
    assertThat(current)
        .as("%s is out of date; if the change is intended, run %s", file.getFileName(), COMMAND)
        .isEqualTo(written);
  }

  @Test
  @DisplayName("shows the output of explain")
  void examples() throws IOException {
    var count = new int[1];
    String current =
        EXAMPLE
            .matcher(page)
            .replaceAll(
                example -> {
                  count[0]++;
                  return Matcher.quoteReplacement(withExplanation(example));
                });
    assertThat(count[0]).isEqualTo(2);
    compare(PAGE, page, current);
  }

  private String withExplanation(MatchResult example) {
    try {
      GatewayCommands.Outcome outcome = gateway.run(example.group(2), example.group(1));
      assertThat(outcome.code()).as(outcome.err()).isZero();
      return "```json\n%s```\n\n```\n./gateway %s\n\n%s```"
          .formatted(example.group(1), example.group(2), outcome.out());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("shows the order that each preference leads to")
  void preferences() throws Exception {
    var current = new StringBuilder();
    var orders = new ArrayList<String>();
    Matcher rows = ROW.matcher(page);
    try (Gateway simulated = simulated(null)) {
      while (rows.find()) {
        String order = GatewayCommands.order(simulated, request(rows.group(3)));
        orders.add(order);
        rows.appendReplacement(
            current, Matcher.quoteReplacement(rows.group(1) + " " + order + " |"));
      }
    }
    rows.appendTail(current);
    assertThat(orders).hasSizeGreaterThan(18);
    assertThat(new HashSet<>(orders)).as("different orders").hasSizeGreaterThan(12);
    compare(PAGE, page, current.toString());
  }

  private Gateway simulated(@Nullable DecisionLog decisions) {
    GatewayConfig config =
        ConfigReader.standard().read(config().getBytes(StandardCharsets.UTF_8)).orThrow();
    Gateway.Builder builder = Gateway.builder(config).provider(new SimulatedFactory());
    return (decisions == null ? builder : builder.decisions(decisions)).build();
  }

  private static String request(String members) throws Exception {
    Json.Obj given = GatewayCommands.parse("{" + members + "}");
    boolean hasModel = given.get("model") != null || given.get("models") != null;
    return "{ "
        + (hasModel ? "" : "\"model\": \"acme/large\", ")
        + members
        + ", "
        + QUESTION
        + " }";
  }

  @Test
  @DisplayName("has a row for each member of provider, and no other")
  void complete() throws IOException {
    String decoder =
        Files.readString(
            Modules.root()
                .resolve("engine-core/src/main/java/io/strowger/core/dialect/ProviderObject.java"));
    String table = page.split("\n## Preferences\n")[1].split("\nOther members")[0];
    Set<String> rows = new HashSet<>();
    ROW.matcher(table)
        .results()
        .forEach(row -> rows.add(row.group(2).replaceAll("^`(\\w+)`.*", "$1")));
    rows.remove("none");
    String members = decoder.substring(decoder.indexOf("is not a member of provider"));
    List<String> accepted =
        MEMBER.matcher(members).results().map(member -> member.group(1)).toList();
    assertThat(accepted).hasSize(13);
    assertThat(rows).containsExactlyInAnyOrderElementsOf(accepted);
  }

  @Test
  @DisplayName("shows a picture of its first example")
  void picture() throws Exception {
    Matcher example = EXAMPLE.matcher(page);
    assertThat(example.find()).isTrue();
    String current =
        DecisionPicture.of(
            GatewayCommands.parse(config()),
            GatewayCommands.parse(example.group(1)),
            gateway.decide(example.group(1)));
    compare(PICTURE, Files.exists(PICTURE) ? Files.readString(PICTURE) : "", current);
  }

  @Test
  @DisplayName("shows what replay prints for a log of three requests")
  void replay() throws Exception {
    Path log = folder.resolve("decisions.log");
    try (var decisions = DecisionLogWriter.open(log, new SystemAmbient());
        Gateway simulated = simulated(decisions)) {
      for (String model : List.of("acme/large", "acme/small", "acme/large:floor")) {
        assertThat(simulated.chat("sk-app-1").ask(model).user("Hi").maxTokens(100).call().text())
            .isNotEmpty();
      }
    }
    Matcher shown = REPLAY.matcher(page);
    assertThat(shown.find()).isTrue();
    GatewayCommands.Outcome outcome = gateway.run(shown.group(1));
    assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    String printed = outcome.out().replace("\nin ", " in "); // wrapped by the length of the path
    String current =
        comparable(shown.group(2)).equals(comparable(printed))
            ? page
            : page.substring(0, shown.start(2)) + "\n" + printed + page.substring(shown.end(2));
    compare(PAGE, page, current);
  }

  /**
   * Returns the output without the sizes, which depend on the length of ids and the duration of
   * requests.
   */
  private static String comparable(String printed) {
    return SIZES.matcher(printed.strip().replaceAll("\\s+", " ")).replaceFirst("");
  }
}
