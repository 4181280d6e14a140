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

/** A host in a process of its own, which can be killed as by {@code kill -9}. */
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
   * Returns how often a test kills a host: a percentage of {@code all} that the system property
   * {@code strowger.effort} sets, for builds with little time.
   */
  static int kills(int all) {
    return Math.ceilDiv(all * Integer.getInteger("strowger.effort", 100), 100);
  }

  /**
   * Starts a host and waits until it listens.
   *
   * @throws IOException when the host ends before that; its messages are in the standard error
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
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(LISTENING)) {
        return new HostProcess(process, URI.create(line.substring(LISTENING.length())));
      }
    }
    process.destroyForcibly();
    throw new IOException("the host ended before it was listening");
  }

  HttpResponse<String> post(String path, String key, String body)
      throws IOException, InterruptedException {
    return send(request(path, key).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  HttpResponse<String> get(String path, String key) throws IOException, InterruptedException {
    return send(request(path, key).build());
  }

  /** Requests a path outside of the API, such as {@code /readyz}. */
  HttpResponse<String> probe(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri.resolve(path)).build());
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(URI.create(uri + path)).header("Authorization", "Bearer " + key);
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Kills the process, without a shutdown, and waits for its end. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops the process with a termination signal and waits for its end. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
    http.close();
  }
}
