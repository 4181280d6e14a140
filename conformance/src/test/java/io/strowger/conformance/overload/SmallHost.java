package io.strowger.conformance.overload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A host in a process of its own, with a heap of 256 MiB. */
final class SmallHost implements AutoCloseable {
  private static final String LISTENING = "listening on ";
  private static final Pattern USED = Pattern.compile("used (\\d+)K");
  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");

  private final Process process;
  private final URI uri;

  private SmallHost(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * Starts a host and waits until it listens.
   *
   * @throws IOException when the host ends before that; its messages are in the standard error
   */
  static SmallHost start(Path config) throws IOException {
    List<String> command =
        List.of(
            JDK.resolve("java").toString(),
            "-Xmx256m",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            "io.strowger.host.Main",
            "serve",
            "--config",
            config.toString(),
            "--port",
            "0");
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(LISTENING)) {
        return new SmallHost(process, URI.create(line.substring(LISTENING.length())));
      }
    }
    process.destroyForcibly();
    throw new IOException("the host ended before it was listening");
  }

  int port() {
    return uri.getPort();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Runs a garbage collection and returns the used heap in MiB. */
  long usedMebibytes() throws IOException, InterruptedException {
    jcmd("GC.run");
    Matcher used = USED.matcher(jcmd("GC.heap_info"));
    if (!used.find()) {
      throw new IOException("jcmd reported no used heap");
    }
    return Long.parseLong(used.group(1)) / 1024;
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(JDK.resolve("jcmd").toString(), Long.toString(process.pid()), command)
            .redirectErrorStream(true)
            .start();
    try (var output =
        new BufferedReader(new InputStreamReader(jcmd.getInputStream(), StandardCharsets.UTF_8))) {
      var text = new StringBuilder();
      output.lines().forEach(line -> text.append(line).append('\n'));
      jcmd.waitFor();
      return text.toString();
    }
  }

  /** Stops the process with a termination signal and waits for its end. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
