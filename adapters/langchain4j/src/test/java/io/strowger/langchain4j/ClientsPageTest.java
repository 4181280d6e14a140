package io.strowger.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the code of {@code docs/clients.md} against the classes that it uses. */
class ClientsPageTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  @DisplayName("The code of docs/clients.md compiles")
  void compiles() throws Exception {
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(Path.of("../../docs/clients.md")))
            .results()
            .map(block -> block.group(1))
            .filter(
                block -> block.contains("langchain4j") || block.startsWith("StrowgerChatRequest"))
            .toList();
    assertThat(blocks).hasSize(2);
    assertThat(errors("Model", blocks.getFirst())).isEmpty();
    String parameters =
        "import io.strowger.langchain4j.*;\nimport io.strowger.spi.routing.*;\nvar parameters = "
            + blocks.getLast().stripTrailing()
            + ";";
    assertThat(errors("Parameters", parameters)).isEmpty();
  }

  /** Compiles imports with the statements after them; returns the errors, empty if none. */
  private String errors(String name, String block) throws Exception {
    String imports =
        block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        block.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    String source =
        imports
            + "\nclass "
            + name
            + " { static void run() throws Exception {\n"
            + statements
            + "\n} }\n";
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    var diagnostics = new DiagnosticCollector<JavaFileObject>();
    String surefire = System.getProperty("surefire.test.class.path");
    String classPath = surefire != null ? surefire : System.getProperty("java.class.path");
    List<String> options = List.of("-d", folder.toString(), "-cp", classPath, "-proc:none");
    try (var files = javac.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      var sources = files.getJavaFileObjects(file);
      boolean done = javac.getTask(null, files, diagnostics, options, null, sources).call();
      return done ? "" : diagnostics.getDiagnostics() + "\nin\n" + source;
    }
  }
}
