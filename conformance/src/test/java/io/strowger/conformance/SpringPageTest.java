package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about Spring Boot")
class SpringPageTest {
  private static final Pattern COPIED =
      Pattern.compile("<!-- from (\\S+) -->\n```(?:java|yaml)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("```(?:java|yaml)\n");

  /** The tree of dependencies; a level is three characters. */
  private static final Pattern TREE =
      Pattern.compile(
          "```text\n(io\\.strowger:strowger-spring-boot-starter\n.*?)```", Pattern.DOTALL);

  private static final Pattern NODE = Pattern.compile("([ |+\\\\-]*)(\\S+)(?: (\\S+))?");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final String OURS = "io.strowger:strowger-";

  /**
   * A line of the tree.
   *
   * @param depth 0 for what an application names itself
   * @param artifact group and artifact
   * @param version the version; null for artifacts of this project
   */
  private record Node(int depth, String artifact, @Nullable String version) {}

  private static String page() throws IOException {
    return Files.readString(Modules.root().resolve("docs/spring.md"));
  }

  private static List<Node> tree() throws IOException {
    Matcher tree = TREE.matcher(page());
    assertThat(tree.find()).isTrue();
    var nodes = new ArrayList<Node>();
    for (String line : tree.group(1).lines().filter(each -> !each.isBlank()).toList()) {
      Matcher node = NODE.matcher(line);
      assertThat(node.matches()).as(line).isTrue();
      nodes.add(new Node(node.group(1).length() / 3, node.group(2), node.group(3)));
    }
    return nodes;
  }

  /** Returns what an artifact of this project brings with it, as its {@code pom.xml} says. */
  private static List<String> dependencies(String artifact) throws IOException {
    String module = artifact.substring(OURS.length());
    Path pom = Modules.root().resolve(module).resolve("pom.xml");
    if (Files.notExists(pom)) {
      pom = Modules.root().resolve("adapters").resolve(module).resolve("pom.xml");
    }
    String own = Files.readString(pom).replaceAll("(?s)<(exclusions|build|profiles)>.*?</\\1>", "");
    return DEPENDENCY
        .matcher(own)
        .results()
        .map(dependency -> dependency.group(1))
        .filter(text -> !text.contains("<optional>true"))
        .filter(text -> !text.contains("<scope>test") && !text.contains("<scope>provided"))
        .map(text -> element(text, "groupId") + ":" + element(text, "artifactId"))
        .toList();
  }

  private static String element(String text, String name) {
    return text.replaceAll("(?s).*<" + name + ">(.*?)</" + name + ">.*", "$1");
  }

  @Test
  @DisplayName("shows what each artifact brings with it as the artifact's pom.xml says")
  void trees() throws IOException {
    List<Node> tree = tree();
    List<String> all = tree.stream().map(Node::artifact).toList();
    assertThat(all).doesNotHaveDuplicates();
    for (int i = 0; i < tree.size(); i++) {
      Node node = tree.get(i);
      assertThat(node.version() == null)
          .as(node.artifact())
          .isEqualTo(node.artifact().startsWith(OURS));
      if (!node.artifact().startsWith(OURS)) {
        continue;
      }
      List<String> declared = dependencies(node.artifact());
      var shown = new ArrayList<String>();
      for (int j = i + 1; j < tree.size() && tree.get(j).depth() > node.depth(); j++) {
        if (tree.get(j).depth() == node.depth() + 1) {
          shown.add(tree.get(j).artifact());
        }
      }
      assertThat(declared).as(node.artifact()).containsAll(shown);
      assertThat(all).as("also what %s shares with others", node.artifact()).containsAll(declared);
    }
  }

  @Test
  @DisplayName("shows a tree of each artifact that it names, in the versions of its table")
  void versions() throws IOException {
    List<Node> tree = tree();
    String offered = page().replaceAll("(?s).*You may add the following(.*?)\n\n.*", "$1");
    List<String> artifacts =
        Pattern.compile("`(strowger-[a-z-]+)`")
            .matcher(offered)
            .results()
            .map(name -> "io.strowger:" + name.group(1))
            .toList();
    assertThat(artifacts).hasSize(5);
    assertThat(tree)
        .filteredOn(node -> node.depth() == 0)
        .extracting(Node::artifact)
        .startsWith(OURS + "spring-boot-starter")
        .containsAll(artifacts)
        .hasSize(1 + artifacts.size());
    Matcher table =
        Pattern.compile("\\| Boot ((?:\\| [a-z0-9-]+ )+)\\|\n[|-]+\n\\| 3\\.[0-9.]+ (.*) \\|")
            .matcher(page());
    assertThat(table.find()).isTrue();
    String[] names = table.group(1).substring(2).strip().split(" \\| ");
    String[] versions = table.group(2).substring(2).split(" \\| ");
    assertThat(versions).hasSameSizeAs(names);
    for (Node node : tree) {
      for (int i = 0; i < names.length; i++) {
        if (node.artifact().matches(".*:" + names[i] + "(-api|-core)?")) {
          assertThat(node.version()).as(node.artifact()).isEqualTo(versions[i]);
        }
      }
    }
  }

  @Test
  @DisplayName("shows only code that is in the examples, which CI runs")
  void copied() throws IOException {
    String page = page();
    var copies = COPIED.matcher(page).results().toList();
    assertThat(copies).hasSameSizeAs(CODE.matcher(page).results().toList()).hasSize(3);
    for (MatchResult copy : copies) {
      Path original = Modules.root().resolve(copy.group(1));
      assertThat(Files.readString(original)).as(copy.group(1)).contains(copy.group(2));
    }
  }

  @Test
  @DisplayName("names every property of the starter with its default")
  void properties() throws IOException {
    String page = page();
    String metadata =
        Files.readString(
            Modules.root()
                .resolve("adapters/spring-boot-starter/src/main/resources/META-INF")
                .resolve("spring-configuration-metadata.json"));
    var property =
        Pattern.compile(
            "\"name\": \"((?:strowger|management)\\.[^\"]+)\"[^}]*?(?:\"defaultValue\": \"?([^\"\\n"
                + "]+)\"?\\s*)?}");
    var named = property.matcher(metadata).results().toList();
    assertThat(named).hasSizeGreaterThan(5);
    for (MatchResult each : named) {
      if (each.group(1).startsWith("strowger.")) {
        String value = each.group(2);
        assertThat(page)
            .contains("| `" + each.group(1) + "` | " + (value == null ? "|" : "`" + value + "` |"));
      }
    }
  }
}
