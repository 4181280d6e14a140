package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.provider.Cancellation;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

@DisplayName("The documentation")
class DocumentationTest {
  private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern JSON = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL);

  /** Text in single back quotes, within a line. */
  private static final Pattern CODE = Pattern.compile("(?<!`)`([^`\\n]+)`(?!`)");

  /** A name with an inner capital, which no word of JSON or of a command has. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("(?<![\\w/.:@$\"-])([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)\\b");

  /** A row of the glossary, with its last column. */
  private static final Pattern GLOSSARY_ROW = Pattern.compile("(?m)^\\|.*\\|([^|\\n]*)\\|$");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");

  /** The name of the test that follows a recipe, at the end of the recipe's first line. */
  private static final Pattern FOLLOWED_BY = Pattern.compile("`(\\w+RecipeTest)` follows");

  private static final Pattern ONE_TEST =
      Pattern.compile("mvn [^`\\n]*-pl ([\\w/-]+) -am test -Dtest='?([\\w*]+)");

  /** A request as curl sends it, with the key that was exported before. */
  private static final Pattern CURL =
      Pattern.compile(
          "APP_KEY=(?<key>\\S+)\n"
              + ".*curl http://127\\.0\\.0\\.1:8080/api/v1(?<path>\\S+) .*-d '(?<body>[^']+)'",
          Pattern.DOTALL);

  private static final Pattern COMMAND = Pattern.compile("\\./gateway ([a-z]+)");

  /** Commands of the script {@code gateway} that are not commands of the host. */
  private static final Set<String> SCRIPT_COMMANDS = Set.of("bench", "prepare");

  private static final Pattern VERSION =
      Pattern.compile("<artifactId>strowger-parent</artifactId>\\s*<version>([^<]+)</version>");

  private static final Pattern MODULE = Pattern.compile("<module>(?:[\\w-]+/)?([\\w-]+)</module>");

  /** The id of an artifact, in a pom or in back quotes. */
  private static final Pattern ARTIFACT = Pattern.compile("[>`](strowger-[a-z0-9-]+)[<`]");

  private static final Pattern OUR_VERSION =
      Pattern.compile("<artifactId>strowger-[\\w-]+</artifactId>\\s*<version>([^<]+)</version>");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(#[^)]*)?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

  @TempDir Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(TOP.resolve(file));
  }

  private static List<String> blocks(String text) {
    var blocks = new ArrayList<String>();
    Matcher found = JAVA.matcher(text);
    while (found.find()) {
      blocks.add(found.group(1));
    }
    return blocks;
  }

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(TOP.resolve("docs"))) {
      return Stream.concat(
          Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(TOP::resolve),
          docs.filter(page -> page.toString().endsWith(".md")).toList().stream());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  @DisplayName("links only to existing files and headings")
  void links(Path page) throws IOException {
    Matcher links = LINK.matcher(Files.readString(page));
    while (links.find()) {
      Path target = links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1));
      assertThat(target).exists();
      if (links.group(2) != null && target.toString().endsWith(".md")) {
        assertThat(anchors(target)).as("headings of %s", target).contains(links.group(2));
      }
    }
  }

  @Test
  @DisplayName("lists each decision by its title; each has a status and fewer than 40 lines")
  void decisions() throws IOException {
    String index = read("docs/decisions/README.md");
    List<Path> records;
    try (Stream<Path> files = Files.list(TOP.resolve("docs/decisions"))) {
      records = files.filter(it -> it.getFileName().toString().matches("[0-9]{4}-.*")).toList();
    }
    assertThat(records).hasSizeGreaterThan(50);
    for (Path record : records) {
      String name = record.getFileName().toString();
      List<String> lines = Files.readAllLines(record);
      assertThat(lines).as(name).hasSizeLessThan(40);
      String number = String.valueOf(Integer.parseInt(name.substring(0, 4)));
      assertThat(lines.getFirst()).as(name).startsWith("# " + number + ". ");
      assertThat(lines).as(name).anyMatch(line -> line.startsWith("Status: "));
      String title = lines.getFirst().substring(number.length() + 4);
      assertThat(index).contains("[" + number + "](" + name + ") " + title);
    }
  }

  /** Returns the anchors of the headings of a page. */
  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(
            heading ->
                "#"
                    + heading
                        .group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "docs/architecture.md, 4",
    "docs/internals.md, 60",
    "docs/glossary.md, 20",
    "CONTRIBUTING.md, 20"
  })
  @DisplayName("names only existing classes, as far as names have several capitals")
  void classes(String page, int leastNamed) throws IOException {
    String build = Files.readString(TOP.resolve("pom.xml"));
    List<String> named =
        classNames(Files.readString(TOP.resolve(page))).stream()
            .filter(name -> !build.contains("-Xep:" + name + ":OFF")) // a check, not a class
            .toList();
    assertThat(named).hasSizeGreaterThan(leastNamed);
    assertThat(declaredTypes()).containsAll(named);
  }

  @Test
  @DisplayName("has a glossary whose last column names only classes that exist")
  void glossaryClasses() throws IOException {
    List<String> named =
        GLOSSARY_ROW
            .matcher(read("docs/glossary.md"))
            .results()
            .flatMap(row -> CODE.matcher(row.group(1)).results())
            .map(code -> code.group(1))
            .toList();
    assertThat(named).hasSizeGreaterThan(40).contains("Book", "NodeRegistry");
    assertThat(declaredTypes()).containsAll(named);
  }

  private static Set<String> declaredTypes() throws IOException {
    Set<String> declared = new HashSet<>();
    try (Stream<Path> all = Files.walk(TOP)) {
      for (Path source : all.filter(DocumentationTest::isSource).toList()) {
        DECLARED
            .matcher(Files.readString(source))
            .results()
            .forEach(type -> declared.add(type.group(1)));
      }
    }
    return declared;
  }

  /** Returns the names of classes that a text has in back quotes. */
  private static List<String> classNames(String text) {
    return CODE.matcher(text)
        .results()
        .flatMap(code -> CLASS_NAME.matcher(code.group(1)).results())
        .map(name -> name.group(1))
        .toList();
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && !file.toString().contains("/target/");
  }

  /** Returns the steps of each recipe of the first hour, by the title of the recipe. */
  private static Map<String, List<String>> recipes() throws IOException {
    String hour = read("CONTRIBUTING.md").split("\n## The first hour\n")[1].split("\n## ")[0];
    var recipes = new LinkedHashMap<String, List<String>>();
    for (String recipe : hour.split("\n(?=\\*\\*)")) {
      List<String> steps = List.of(recipe.strip().split("\n(?=[0-9]+\\. )"));
      if (steps.size() > 1) {
        recipes.put(steps.getFirst(), steps.subList(1, steps.size()));
      }
    }
    return recipes;
  }

  @Test
  @DisplayName(
      "has a test that follows each recipe of the first hour, step by step, with the same names")
  void recipesAreFollowed() throws IOException {
    Map<String, List<String>> recipes = recipes();
    assertThat(recipes).hasSize(4);
    for (var recipe : recipes.entrySet()) {
      Matcher follower = FOLLOWED_BY.matcher(recipe.getKey());
      assertThat(follower.find()).as("a test that follows: %s", recipe.getKey()).isTrue();
      Path test = Path.of("src/test/java/io/strowger/conformance", follower.group(1) + ".java");
      List<String> followed =
          List.of(
              Files.readString(TOP.resolve("conformance").resolve(test))
                  .split("// Step (?=[0-9])"));
      List<String> steps = recipe.getValue();
      assertThat(followed).as("steps of %s", test).hasSize(steps.size() + 1);
      for (int step = 1; step <= steps.size(); step++) {
        int number = step;
        assertThat(followed.get(number)).startsWith(number + ":");
        assertThat(classNames(steps.get(number - 1)))
            .as("names of step %s of %s", number, test)
            .isNotEmpty()
            .allSatisfy(name -> assertThat(followed.get(number)).contains(name));
      }
    }
  }

  @Test
  @DisplayName(
      "shows commands for running one test whose modules and tests exist, and the first test"
          + " passes")
  void oneTest() throws Exception {
    Matcher commands = ONE_TEST.matcher(read("CONTRIBUTING.md"));
    var tests = new ArrayList<String>();
    while (commands.find()) {
      Path sources = TOP.resolve(commands.group(1)).resolve("src/test/java");
      PathMatcher named =
          sources.getFileSystem().getPathMatcher("glob:" + commands.group(2) + ".java");
      try (Stream<Path> files = Files.walk(sources)) {
        List<Path> found = files.filter(file -> named.matches(file.getFileName())).toList();
        assertThat(found).as(commands.group()).isNotEmpty();
        String path = sources.relativize(found.getFirst()).toString().replace(".java", "");
        tests.add(path.replace(File.separatorChar, '.'));
      }
    }
    assertThat(tests).hasSizeGreaterThan(2);
    assertPasses(Class.forName(tests.getFirst()));
  }

  @Test
  @DisplayName("has code that embeds a gateway behind the JDK's own server and runs as printed")
  void embedding() throws Exception {
    List<String> blocks = blocks(read("docs/embedding.md"));
    var ambient = TestAmbient.realTime();
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.answer("Hello from afar"));
      Path config = folder.resolve("gateway.json");
      Files.writeString(config, Fixtures.config(upstream.baseUri().toString()));
      String code =
          blocks
              .get(3)
              .replace("Path.of(\"gateway.json\")", "Path.of(args[0])")
              .replace("8080", "0");
      assertThat(code).contains("args[0]");
      Object[] running =
          (Object[])
              Snippets.run(code, "return new Object[] {gateway, server};", config.toString());
      HttpServer server = (HttpServer) running[1];
      try (Gateway gateway = (Gateway) running[0]) {
        assertAnswers(server);
        assertStreams(server);
        assertReadsQuery(server);
        assertThat(gateway.config().keys()).hasSize(2);
      } finally {
        server.stop(0);
        ((ExecutorService) server.getExecutor()).shutdown();
      }
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("has code in the README that asks a model in this process and runs as printed")
  void typed() throws Exception {
    var ambient = TestAmbient.realTime();
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.answer("Hello from afar"));
      Path config = folder.resolve("gateway.json");
      Files.writeString(config, Fixtures.config(upstream.baseUri().toString()));
      List<String> blocks = blocks(read("README.md"));
      assertThat(blocks).hasSize(1);
      assertThat(blocks.getFirst().lines()).hasSizeLessThanOrEqualTo(10);
      String code =
          blocks
              .getFirst()
              .replace("Path.of(\"gateway.json\")", "Path.of(args[0])")
              .replace("sk-app-1", Fixtures.APP_KEY)
              .replace("System.out.println(", "output.append(")
              .replaceFirst("\\ntry ", "\nvar output = new StringBuilder();\ntry ");
      Object output = Snippets.run(code, "return output.toString();", config.toString());
      assertThat(output.toString()).startsWith("Hello from afar from ").contains(" for $0.0");
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName(
      "has code that configures a gateway and reads answers as records, and that runs as printed")
  void embeddedInCode() throws Exception {
    List<String> blocks = blocks(read("docs/embedding.md"));
    assertThat(blocks).hasSize(5);
    assertThat(blocks.getFirst().lines().filter(line -> !line.startsWith("import ")))
        .filteredOn(line -> !line.isBlank())
        .hasSizeLessThanOrEqualTo(10);
    var ambient = TestAmbient.realTime();
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.answer("Hello from afar"));
      String inCode =
          withOutput(blocks.getFirst())
              .replace("https://api.acme.example/v1", upstream.baseUri().toString())
              .replace("ACME_API_KEY", "PATH"); // a variable that is set everywhere
      assertThat(Snippets.run(inCode, "return output.toString();")).isEqualTo("Hello from afar");
      assertThat(upstream.last().header("authorization"))
          .isEqualTo("Bearer " + System.getenv("PATH"));

      upstream.script(
          "large",
          Script.answer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[],\"note\":null}"));
      Path config = folder.resolve("gateway.json");
      Files.writeString(config, Fixtures.config(upstream.baseUri().toString()));
      String asRecord =
          withOutput(blocks.get(2))
              .replace("Path.of(\"gateway.json\")", "Path.of(args[0])")
              .replace("sk-...", Fixtures.APP_KEY);
      Object output = Snippets.run(asRecord, "return output.toString();", config.toString());
      assertThat(output.toString()).startsWith("21 degrees for $0.0");
      assertThat(upstream.last().text())
          .contains("\"stations\"", "\"additionalProperties\":false", "\"Weather\"");

      upstream.script("large", Script.answer("Hello from afar"));
      String streamed =
          withOutput(blocks.get(1))
              .replace("Path.of(\"gateway.json\")", "Path.of(args[0])")
              .replace("sk-...", Fixtures.APP_KEY);
      Object streamOutput = Snippets.run(streamed, "return output.toString();", config.toString());
      assertThat(streamOutput.toString()).startsWith("$0.0").contains("selected=Alpha");
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("has code that opens, reloads and closes a gateway with stores and runs as printed")
  void openReloadClose() throws Exception {
    String block = blocks(read("docs/embedding.md")).get(4);
    var ambient = TestAmbient.realTime();
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.answer("Hello from afar"));
      Path config = folder.resolve("gateway.json");
      Files.writeString(config, Fixtures.config(upstream.baseUri().toString()));
      String code =
          withOutput(block)
              .replace("Path.of(\"gateway.json\")", "Path.of(args[0])")
              .replace("Path.of(\"data\")", "Path.of(args[1])")
              .replace("sk-...", Fixtures.APP_KEY);
      Object output =
          Snippets.run(
              code, "return output.toString();", config.toString(), folder.resolve("d").toString());
      assertThat(output.toString()).startsWith("acme/large cost $0.0").endsWith("[]");
      assertThat(folder.resolve("d")).isNotEmptyDirectory();
    }
    ambient.assertNoThreadsLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai-chat", "simulated"})
  @DisplayName(
      "shows a minimal configuration that is valid with this protocol, and a request that it"
          + " answers:")
  void minimalConfig(String protocol) throws Exception {
    String page = read("README.md");
    Matcher json = JSON.matcher(page);
    assertThat(json.find()).isTrue();
    assertThat(json.group(1).lines()).hasSizeLessThanOrEqualTo(8);
    Matcher curl = CURL.matcher(page);
    assertThat(curl.find()).isTrue();
    Map<String, String> environment =
        Map.of("ACME_API_KEY", "sk-upstream", "APP_KEY", curl.group("key"));
    var ambient = TestAmbient.realTime();
    try (SimulatedUpstream upstream = SimulatedUpstream.start(ambient)) {
      upstream.script("large", Script.answer("Hello from afar"));
      String config =
          json.group(1)
              .replace("openai-chat", protocol)
              .replace("https://api.acme.example/v1", upstream.baseUri().toString());
      GatewayCommands.Outcome checked =
          new GatewayCommands(folder, config, environment).run("check --config gateway.json");
      assertThat(checked.code()).as(checked.err()).isZero();
      try (Gateway gateway =
          Gateway.builder(
                  new ConfigReader(new JacksonCodec(), environment::get)
                      .read(config.getBytes(StandardCharsets.UTF_8))
                      .orThrow())
              .provider(
                  protocol.equals("simulated") ? new SimulatedFactory() : new OpenAiChatFactory())
              .build()) {
        assertThat(answer(gateway, curl.group("path"), curl.group("key"), curl.group("body")))
            .contains("\"finish_reason\":\"stop\"");
      }
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("names only commands that exist")
  void commands() throws IOException {
    var terminal = new GatewayCommands(folder, "{}", Map.of());
    Set<String> named = new HashSet<>();
    for (String page : List.of("README.md", "docs/routing.md", "docs/embedding.md")) {
      COMMAND.matcher(read(page)).results().forEach(command -> named.add(command.group(1)));
    }
    named.removeAll(SCRIPT_COMMANDS);
    assertThat(named).contains("demo", "serve", "check", "explain", "replay");
    for (String command : named) {
      GatewayCommands.Outcome help = terminal.run(command + " --help");
      assertThat(help.code()).as("./gateway %s --help: %s", command, help.err()).isZero();
      assertThat(help.out()).contains(command);
    }
  }

  /** Returns the answer to a request as curl sends it, with the content type of a form. */
  private static String answer(Gateway gateway, String path, String key, String body)
      throws Exception {
    Map<String, String> headers =
        Map.of(
            "authorization",
            "Bearer " + key,
            "content-type",
            "application/x-www-form-urlencoded",
            "accept",
            "*/*");
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    path,
                    "",
                    name -> headers.get(name.toLowerCase(Locale.ROOT)),
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    var answer = new ByteArrayOutputStream();
    try (WireBody written = response.body()) {
      written.transferTo(answer);
    }
    assertThat(response.status()).isEqualTo(200);
    return answer.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/embedding.md", "docs/plugin-authors.md"})
  @DisplayName("names only artifacts that exist, in their version")
  void coordinates(String page) throws IOException {
    String text = read(page);
    Matcher version = VERSION.matcher(read("pom.xml"));
    assertThat(version.find()).isTrue();
    List<String> modules =
        MODULE
            .matcher(read("pom.xml"))
            .results()
            .map(module -> "strowger-" + module.group(1))
            .toList();
    assertThat(modules).contains("strowger-engine-core");
    List<String> named =
        ARTIFACT.matcher(text).results().map(artifact -> artifact.group(1)).distinct().toList();
    assertThat(named).contains("strowger-bom");
    assertThat(modules).containsAll(named);
    assertThat(OUR_VERSION.matcher(text).results().map(one -> one.group(1)))
        .isNotEmpty()
        .allMatch(version.group(1)::equals);
  }

  /** Returns a block changed so that it appends to {@code output} instead of printing. */
  private static String withOutput(String block) {
    int lastImport = block.lastIndexOf("\nimport ");
    int begin = block.indexOf('\n', lastImport + 1) + 1;
    return block.substring(0, begin)
        + "var output = new StringBuilder();\n"
        + block.substring(begin).replace("System.out.println(", "output.append(");
  }

  private static void assertAnswers(HttpServer server) throws Exception {
    HttpResponse<String> response = post(server, Fixtures.CHAT);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).contains("Hello from afar");
  }

  private static void assertStreams(HttpServer server) throws Exception {
    HttpResponse<String> response = post(server, Fixtures.STREAMED_CHAT);
    assertThat(response.body()).startsWith("data: ").endsWith("data: [DONE]\n\n");
  }

  private static void assertReadsQuery(HttpServer server) throws Exception {
    assertThat(get(server, "/models")).contains("acme/large");
    assertThat(get(server, "/models?offset=1000&sort=newest")).doesNotContain("acme/large");
    assertThat(get(server, "/models?sort=%6Eonsense")).contains("was", "nonsense");
  }

  private static String get(HttpServer server, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(uri(server, path))
                  .header("Authorization", "Bearer " + Fixtures.APP_KEY)
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static URI uri(HttpServer server, String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1" + path);
  }

  private static HttpResponse<String> post(HttpServer server, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri(server, "/chat/completions"))
              .header("Authorization", "Bearer " + Fixtures.APP_KEY)
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  @Timeout(300) // some 130 tests
  @DisplayName("shows plugin authors complete programs, and tests of them that all pass")
  void pluginAuthors() throws Exception {
    List<String> blocks = blocks(read("docs/plugin-authors.md"));
    for (String block : blocks) {
      assertThat(block.lines().filter(line -> !line.startsWith("import ")))
          .noneMatch(line -> line.contains("io.strowger."));
    }
    List<Class<?>> tests = new ArrayList<>();
    List<String> programs = new ArrayList<>();
    for (Class<?> type : Snippets.programs(blocks)) {
      if (type.getSimpleName().endsWith("Test")) {
        tests.add(type);
      } else {
        programs.add(type.getSimpleName());
      }
    }
    assertThat(programs)
        .containsExactly(
            "BestUnder",
            "Swift",
            "HouseRules",
            "Redactor",
            "AttemptNotes",
            "Stock",
            "PromptFactory",
            "PackedPromptFactory",
            "RecordsInMemory",
            "ShortWebhooks");
    assertThat(tests).hasSize(6);
    for (Class<?> test : tests) {
      assertPasses(test);
    }
  }

  /** Runs a class of tests as its author would, and asserts that it passes. */
  private static void assertPasses(Class<?> test) {
    var listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(test))
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session.getLauncher().execute(request, listener);
    }
    var summary = listener.getSummary();
    assertThat(summary.getFailures())
        .extracting(
            failed -> failed.getTestIdentifier().getUniqueId() + ": " + failed.getException())
        .as(test.getName())
        .isEmpty();
    assertThat(summary.getTestsSucceededCount()).as("tests of %s", test.getName()).isPositive();
    assertThat(summary.getTestsSucceededCount() + summary.getTestsAbortedCount())
        .as("tests of %s that passed or were aborted", test.getName())
        .isEqualTo(summary.getTestsFoundCount());
    assertThat(summary.getTestsAbortedCount()).isLessThanOrEqualTo(2);
  }

  @Test
  @DisplayName("shows operators a valid configuration of which every member has an effect")
  void operating() throws IOException {
    Matcher found = JSON.matcher(read("docs/operating.md"));
    assertThat(found.find()).isTrue();
    var result =
        new ConfigReader(new JacksonCodec(), name -> "value-of-" + name)
            .read(found.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(result.problems()).isEmpty();
    assertThat(result.orThrow().unusedMemberWarnings()).isEmpty();
  }
}
