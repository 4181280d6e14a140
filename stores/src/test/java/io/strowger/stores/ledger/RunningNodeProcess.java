package io.strowger.stores.ledger;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A running {@link NodeProcess}. */
final class RunningNodeProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private RunningNodeProcess(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static RunningNodeProcess start(List<String> arguments) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    var command = new ArrayList<String>();
    command.addAll(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NodeProcess.class.getName());
    command.addAll(arguments);
    return new RunningNodeProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits until the process is ready; returns how many requests the books have. */
  int awaitReady() throws IOException {
    return readNumber("ready ");
  }

  /** Waits for a line with this prefix, and returns the number after it. */
  int readNumber(String prefix) throws IOException {
    String line = out.readLine();
    while (line != null && !line.startsWith(prefix)) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the process ended before it printed: " + prefix);
    }
    return Integer.parseInt(line.substring(prefix.length()));
  }

  void begin() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Kills the process after this many settled requests; returns how many were settled in all. */
  int killAfter(int requests) throws IOException, InterruptedException {
    int settled = 0;
    while (settled < requests && "settled".equals(out.readLine())) {
      settled++;
    }
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its output as well
    try {
      while ("settled".equals(out.readLine())) {
        settled++;
      }
    } catch (IOException end) {
      // what it had printed before is read
    }
    process.waitFor();
    return settled;
  }

  int awaitExit() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join(); // its files are free only then
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
