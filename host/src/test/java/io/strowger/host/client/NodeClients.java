package io.strowger.host.client;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs the client libraries that vendors publish for JavaScript in a process of Node.js. They are
 * installed in exactly these versions below {@code target}, without a lock file, when first needed.
 */
final class NodeClients implements AutoCloseable {
  private static final Map<String, String> LIBRARIES =
      Map.of("openai", "7.57.0", "@anthropic-ai/sdk", "1.12.0");

  private static final int OLDEST_NODE = 20;
  private static final long INSTALL_SECONDS = 300;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;
  private final Path errorFile;

  private NodeClients(Process process, Path errorFile) {
    this.process = process;
    this.errorFile = errorFile;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts the process; skips the test with a message if Node.js, npm or the package registry is
   * missing.
   *
   * @param base the root of the API
   */
  static NodeClients start(URI base, String key) throws IOException, InterruptedException {
    Path folder = Path.of("target", "node-clients").toAbsolutePath();
    Files.createDirectories(folder);
    String version = output(folder, "node", "--version");
    assumeTrue(
        major(version) >= OLDEST_NODE,
        "skipped: needs Node.js " + OLDEST_NODE + " or newer on the PATH, found: " + version);
    install(folder);
    Path script = folder.resolve("clients.mjs");
    try (InputStream source = NodeClients.class.getResourceAsStream("clients.mjs")) {
      Files.copy(Objects.requireNonNull(source), script, StandardCopyOption.REPLACE_EXISTING);
    }
    Path errorFile = folder.resolve("stderr.txt");
    Process process =
        new ProcessBuilder("node", script.toString(), base.toString(), key)
            .directory(folder.toFile())
            .redirectError(errorFile.toFile())
            .start();
    return new NodeClients(process, errorFile);
  }

  private static int major(String version) {
    String digits = version.replaceFirst("^v", "").replaceFirst("\\..*$", "");
    return digits.matches("\\d{1,4}") ? Integer.parseInt(digits) : 0;
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    ObjectNode manifest = MAPPER.createObjectNode().put("private", true);
    ObjectNode libraries = manifest.putObject("dependencies");
    LIBRARIES.forEach(libraries::put);
    if (LIBRARIES.entrySet().stream().allMatch(one -> isInstalled(folder, one))) {
      return;
    }
    Files.writeString(folder.resolve("package.json"), manifest.toString());
    String npm = output(folder, "npm", "--version");
    assumeTrue(major(npm) > 0, "skipped: needs npm on the PATH, found: " + npm);
    String npmOutput =
        output(
            folder,
            "npm",
            "install",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--loglevel=error");
    assumeTrue(
        LIBRARIES.entrySet().stream().allMatch(one -> isInstalled(folder, one)),
        "skipped: npm could not install " + LIBRARIES + ": " + npmOutput);
  }

  private static boolean isInstalled(Path folder, Map.Entry<String, String> library) {
    Path manifest = folder.resolve("node_modules/" + library.getKey() + "/package.json");
    try {
      return Files.exists(manifest)
          && MAPPER.readTree(manifest.toFile()).path("version").asText().equals(library.getValue());
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns the output of a program, or why it could not be run. */
  private static String output(Path folder, String... command)
      throws IOException, InterruptedException {
    File printed = folder.resolve(command[0] + ".txt").toFile();
    Process run;
    try {
      run =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(printed)
              .start();
    } catch (IOException missing) {
      return command[0] + " is not installed";
    }
    if (!run.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
      run.destroyForcibly();
      return String.join(" ", command) + " took more than " + INSTALL_SECONDS + " seconds";
    }
    List<String> lines = Files.readAllLines(printed.toPath());
    return command[1].equals("--version") && !lines.isEmpty()
        ? lines.getLast().strip()
        : String.join("\n", lines);
  }

  /**
   * Requests an answer through a library.
   *
   * @param dialect {@code chat}, {@code messages} or {@code responses}
   * @param more further members of the request
   * @return text, refusal, reasoning, calls, stop and tokens as the library reads them; or error
   */
  JsonNode ask(String dialect, String model, boolean stream, JsonNode more) throws IOException {
    ObjectNode request =
        MAPPER
            .createObjectNode()
            .put("dialect", dialect)
            .put("model", model)
            .put("stream", stream)
            .set("more", more);
    requests.write(request + "\n");
    requests.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("node ended: " + Files.readString(errorFile));
    }
    return MAPPER.readTree(answer);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
