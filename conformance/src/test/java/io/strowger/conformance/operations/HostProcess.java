package io.strowger.conformance.operations;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A host in a process of its own. Not thread-safe. */
final class HostProcess implements AutoCloseable {
  private static final String LISTENING = "listening on ";
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private final Process process;

  private HostProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts the host of this build and returns when it listens.
   *
   * @param options the options of the JVM
   * @param arguments the arguments of the host, such as {@code serve}
   * @throws IOException when the host ends before it listens; its messages are in the standard
   *     error
   */
  static HostProcess start(
      List<String> options, List<String> arguments, Map<String, String> environment)
      throws IOException {
    var command = new ArrayList<>(List.of(JAVA.toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.strowger.host.Main"));
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    Process process = builder.start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(LISTENING)) {
        return new HostProcess(process);
      }
    }
    process.destroyForcibly();
    throw new IOException("the host ended before it was listening");
  }

  /** Sends the process a signal for which Java has no method, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO();
    if (kill.start().waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  /**
   * Asks the host to shut down, as an operator does, and does not wait. To be called once: a second
   * signal would end the process at once.
   */
  void stop() {
    process.destroy();
  }

  /** Waits for the end of the process, and returns its exit code. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Kills the process without a shutdown. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
