package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

@DisplayName("The modules that are published")
class PublishedModulesTest {
  private static final List<String> UNPUBLISHED = List.of("conformance", "benchmarks");

  /**
   * Returns the root of the project. Tests run either there or in the directory of their module.
   */
  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("engine-spi")) ? here : here.resolve("..").normalize();
  }

  private static Document pom(String directory) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(root().resolve(directory).resolve("pom.xml").toFile());
  }

  /** Returns the text of a child element, not of one further below; empty if there is none. */
  private static String child(Node parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    return "";
  }

  private static List<String> modules() throws Exception {
    var names = pom("").getElementsByTagName("module");
    var modules = new ArrayList<String>();
    for (int i = 0; i < names.getLength(); i++) {
      modules.add(names.item(i).getTextContent());
    }
    return modules;
  }

  @Test
  @DisplayName("are called strowger- and the name of their directory")
  void names() throws Exception {
    assertThat(modules()).hasSizeGreaterThan(8);
    for (String module : modules()) {
      assertThat(child(pom(module).getDocumentElement(), "artifactId"))
          .isEqualTo("strowger-" + module.substring(module.lastIndexOf('/') + 1));
    }
  }

  @Test
  @DisplayName("are all in the bill of materials, with its version")
  void bill() throws Exception {
    Document bill = pom("adapters/bom");
    Element parent = pom("").getDocumentElement();
    assertThat(child(bill.getDocumentElement(), "version")).isEqualTo(child(parent, "version"));
    assertThat(bill.getElementsByTagName("parent").getLength()).isZero();
    var listed = new ArrayList<String>();
    var dependencies = bill.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      String artifact = child(dependencies.item(i), "artifactId");
      String version = child(dependencies.item(i), "version");
      if (artifact.equals("h2")) { // which strowger-stores leaves to its user
        assertThat(version)
            .isEqualTo(parent.getElementsByTagName("h2.version").item(0).getTextContent());
      } else {
        listed.add(artifact);
        assertThat(version).isEqualTo("${project.version}");
      }
    }
    var published = new ArrayList<>(modules());
    published.removeAll(UNPUBLISHED);
    published.remove("adapters/bom");
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            published.stream()
                .map(module -> "strowger-" + module.substring(module.lastIndexOf('/') + 1))
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"router-plugin", "tool-plugin", "provider-adapter"})
  @DisplayName(
      "include all that an example of a plugin needs: the interfaces, and the kit for its tests")
  void plugins(String name) throws Exception {
    var dependencies = pom("examples/" + name).getElementsByTagName("dependency");
    assertThat(dependencies.getLength()).isEqualTo(3);
    assertThat(child(dependencies.item(1), "artifactId")).isEqualTo("strowger-engine-spi");
    assertThat(child(dependencies.item(2), "artifactId")).isEqualTo("strowger-engine-tck");
  }

  /**
   * Returns the dependency that imports the versions of this project; Spring's may come before it.
   */
  private static Node bill(Document example) {
    var dependencies = example.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      if ("strowger-bom".equals(child(dependencies.item(i), "artifactId"))) {
        return dependencies.item(i);
      }
    }
    throw new AssertionError("no strowger-bom in " + example.getDocumentURI());
  }

  @Test
  @DisplayName("are used in this version by every example, and no example has a parent")
  void examples() throws Exception {
    var modules = pom("examples").getElementsByTagName("module");
    var listed = new ArrayList<String>();
    for (int i = 0; i < modules.getLength(); i++) {
      listed.add(modules.item(i).getTextContent());
    }
    String ci = Files.readString(root().resolve(".ci/consumer"));
    try (Stream<Path> directories = Files.list(root().resolve("examples"))) {
      assertThat(directories.filter(directory -> Files.exists(directory.resolve("pom.xml"))))
          .as("examples, all of which must be run")
          .extracting(directory -> directory.getFileName().toString())
          .allMatch(name -> listed.contains(name) || ci.contains("examples/" + name));
    }
    for (String name : listed) {
      Document example = pom("examples/" + name);
      Node bill = bill(example);
      assertThat(child(bill, "version"))
          .as(name)
          .isEqualTo(child(pom("").getDocumentElement(), "version"));
      assertThat(example.getElementsByTagName("parent").getLength()).as(name).isZero();
    }
  }
}
