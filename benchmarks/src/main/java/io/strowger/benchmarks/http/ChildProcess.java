package io.strowger.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server in a process of its own, so that its processor time can be measured separately. The
 * server prints the address it listens on as one line, and runs until it is closed or its parent
 * ends.
 */
public final class ChildProcess implements AutoCloseable {
  /** Options of a virtual machine whose counters are read. */
  public static final List<String> DEFAULT_OPTIONS = List.of("-Xmx512m", JvmCounters.JVM_OPTION);

  private static final String LISTENING = "listening on ";

  private final Process process;
  private final BufferedReader output;
  private final URI uri;
  private final Duration startTime;

  private ChildProcess(Process process, BufferedReader output, URI uri, Duration startTime) {
    this.process = process;
    this.output = output;
    this.uri = uri;
    this.startTime = startTime;
  }

  /** Prints, in a child, the address the child listens on. */
  public static void announce(String uri) {
    System.out.println(LISTENING + uri);
    System.out.flush();
  }

  /** Calls {@link #announce}, waits until the parent is gone, and exits. Never returns. */
  public static void announceAndWait(String uri) {
    announce(uri);
    try {
      while (System.in.read() >= 0) {
        // the parent writes nothing
      }
    } catch (IOException closed) {
      // the parent is gone
    }
    System.exit(0);
  }

  /**
   * Starts a main class of this class path, with {@link #DEFAULT_OPTIONS}.
   *
   * @throws IOException when the process ends instead of listening; its errors go to standard error
   */
  public static ChildProcess start(String mainClass, String... args) throws IOException {
    return start(DEFAULT_OPTIONS, mainClass, args);
  }

  /** Returns the class path of this process. */
  public static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * Starts a main class of this class path, in a virtual machine with these options.
   *
   * @throws IOException when the process ends instead of listening; its errors go to standard error
   */
  public static ChildProcess start(List<String> options, String mainClass, String... args)
      throws IOException {
    return start(options, ownClassPath(), mainClass, args);
  }

  /**
   * Starts a main class of another class path.
   *
   * @throws IOException when the process ends instead of listening; its errors go to standard error
   */
  static ChildProcess start(
      List<String> options, String classPath, String mainClass, String... args) throws IOException {
    long start = System.nanoTime();
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(LISTENING)) {
        URI uri = URI.create(line.substring(LISTENING.length()));
        return new ChildProcess(process, output, uri, Duration.ofNanos(System.nanoTime() - start));
      }
    }
    process.destroyForcibly();
    throw new IOException(mainClass + " ended without serving");
  }

  /**
   * Sends a line to a child that answers lines, and returns its answer.
   *
   * @throws IOException when the child ended instead
   */
  public String ask(String line) throws IOException {
    OutputStream out = process.getOutputStream();
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
    String answer = output.readLine();
    if (answer == null) {
      throw new IOException("a process ended when it was asked to " + line);
    }
    return answer;
  }

  /** Returns the id of the child's process. */
  public long pid() {
    return process.pid();
  }

  /** Returns the address the child listens on. */
  public URI uri() {
    return uri;
  }

  /** Returns the time from the start of the process until it was listening. */
  public Duration startTime() {
    return startTime;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
