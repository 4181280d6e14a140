package io.strowger.conformance.overload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.strowger.conformance.overload.Upload.Answer;
import io.strowger.conformance.overload.Upload.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@Tag("long")
@Timeout(300)
@DisplayName("A host with 256 MiB of heap")
class OverloadedHostTest {
  private static final int CLIENTS = 50;

  /** How many requests the host admits at once: one for each 768 KiB of heap. */
  private static final int MAX_ADMITTED = 341;

  private static final Body SMALL = Body.text(10);
  private static final String ANSWER =
      """
      {"id":"1","object":"chat.completion","created":1,"model":"large","choices":[{"index":0,
       "message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],
       "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}
      """;

  private static final String STREAM_START =
      """
      data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"large","choices":[{"index":0,\
      "delta":{"content":"word"},"finish_reason":"stop"}]}

      """;

  @TempDir private Path folder;

  @Test
  @DisplayName("refuses some of 50 parallel bodies of 31 MiB, answers all, and keeps serving")
  void largeBodies() throws Exception {
    assertKeepsServing(Body.text(31 << 20));
  }

  @Test
  @DisplayName("does the same with bodies that consist almost only of values")
  void denseBodies() throws Exception {
    assertKeepsServing(Body.values(10));
  }

  private void assertKeepsServing(Body body) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        var host = SmallHost.start(config(upstream(threads, new CountDownLatch(0)), ""))) {
      assertThat(Upload.chat(host.port(), "sk-app", SMALL).status()).isEqualTo(200);
      for (int wave = 0; wave < 2; wave++) {
        List<Answer> answers = sendAtOnce(threads, host.port(), body);
        assertThat(answers).extracting(Answer::status).containsOnly(200, 503);
        assertThat(answers)
            .filteredOn(answer -> answer.status() == 503)
            .allSatisfy(
                refused -> {
                  assertThat(refused.body()).contains("Service temporarily unavailable");
                  assertThat(Integer.parseInt(refused.retryAfter())).isBetween(1, 60);
                });
        assertThat(Upload.chat(host.port(), "sk-app", SMALL).status()).isEqualTo(200);
      }
      assertThat(host.isAlive()).isTrue();
      assertThat(host.usedMebibytes()).isLessThan(64);
    }
  }

  @Test
  @DisplayName("admits as many silent streams as it has memory for, and refuses the others")
  void silentStreams() throws Exception {
    var streamsMayEnd = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        var host =
            SmallHost.start(
                config(upstream(threads, streamsMayEnd), ",\"overload\":{\"queue\":0}"));
        var streams = new OpenStreams(host.port(), "sk-app")) {
      for (int i = 0; i < MAX_ADMITTED; i++) {
        assertThat(streams.open(12_000)).as("stream " + i).isEqualTo(200);
      }
      for (int i = 0; i < 50; i++) {
        assertThat(streams.open(12_000)).as("beyond the limit").isEqualTo(503);
      }
      assertThat(host.usedMebibytes()).isLessThan(128);
      streamsMayEnd.countDown();
      streams.readAllToEnd();
      assertThat(Upload.chat(host.port(), "sk-app", SMALL).status()).isEqualTo(200);
    }
  }

  private static List<Answer> sendAtOnce(ExecutorService threads, int port, Body body)
      throws InterruptedException, ExecutionException {
    var started = new ArrayList<Future<Answer>>();
    for (int i = 0; i < CLIENTS; i++) {
      started.add(threads.submit(() -> Upload.chat(port, "sk-app", body)));
    }
    var answers = new ArrayList<Answer>();
    for (Future<Answer> one : started) {
      answers.add(one.get());
    }
    return answers;
  }

  /**
   * Writes the configuration.
   *
   * @param more further members, each after a comma
   */
  private Path config(HttpServer upstream, String more) throws IOException {
    String file =
        """
        {"providers": [{"slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:%d/v1"}],
         "models": [{"id": "acme/large", "endpoints": [{"provider": "alpha"}]}],
         "keys": [{"name": "app", "key": "sk-app"}], "store": {"url": "memory:"}%s}
        """
            .formatted(upstream.getAddress().getPort(), more);
    return Files.writeString(folder.resolve("gateway.json"), file);
  }

  /**
   * Starts the upstream.
   *
   * @param streamsMayEnd until it is counted down, streams send nothing after their first frame
   */
  private static HttpServer upstream(ExecutorService threads, CountDownLatch streamsMayEnd)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, streamsMayEnd));
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange, CountDownLatch streamsMayEnd)
      throws IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      String start = new String(body.readNBytes(200), StandardCharsets.UTF_8);
      boolean stream = start.contains("\"stream\":true");
      body.transferTo(OutputStream.nullOutputStream());
      byte[] answer = (stream ? STREAM_START : ANSWER).getBytes(StandardCharsets.UTF_8);
      exchange
          .getResponseHeaders()
          .add("Content-Type", stream ? "text/event-stream" : "application/json");
      exchange.sendResponseHeaders(200, stream ? 0 : answer.length);
      exchange.getResponseBody().write(answer);
      exchange.getResponseBody().flush();
      if (stream) {
        streamsMayEnd.await();
        exchange.getResponseBody().write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
      }
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }
}
