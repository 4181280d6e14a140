package io.strowger.conformance.money;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The host in a process of its own, which can be killed as {@code kill -9} does. */
final class HostProcess implements AutoCloseable {
  private static final String LISTENING = "listening on ";

  private final Process process;
  private final URI uri;
  private final HttpClient http = HttpClient.newHttpClient();

  private HostProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * How often a test kills one: a quarter of that with {@code -Dstrowger.effort=25}, for a build
   * that has no time for all.
   */
  static int kills(int all) {
    return Math.ceilDiv(all * Integer.getInteger("strowger.effort", 100), 100);
  }

  /**
   * @throws IOException when it ends instead of listening; what it said went to standard error
   */
  static HostProcess start(Path config, Path data) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "io.strowger.host.Main",
            "serve",
            "--config",
            config.toString(),
            "--port",
            "0",
            "--data",
            data.toString());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(LISTENING)) {
        return new HostProcess(process, URI.create(line.substring(LISTENING.length())));
      }
    }
    process.destroyForcibly();
    throw new IOException("the host ended without serving");
  }

  HttpResponse<String> post(String path, String key, String body)
      throws IOException, InterruptedException {
    return send(to(path, key).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  HttpResponse<String> get(String path, String key) throws IOException, InterruptedException {
    return send(to(path, key).build());
  }

  /** Asks a path that is not of the interface, such as {@code /readyz}. */
  HttpResponse<String> probe(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri.resolve(path)).build());
  }

  private HttpRequest.Builder to(String path, String key) {
    return HttpRequest.newBuilder(URI.create(uri + path)).header("Authorization", "Bearer " + key);
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The process is gone when it returns, with whatever it was doing. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it as a signal does. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
    http.close();
  }
}
