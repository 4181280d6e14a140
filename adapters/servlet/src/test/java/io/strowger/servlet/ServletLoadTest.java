package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.servlet.Container.Settings;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Many streams in a servlet container")
class ServletLoadTest {
  private static final int STREAMS = 200;
  private static final int THREADS = 4;

  /** The output limit of each request, so low that the key can pay for all streams together. */
  private static final int TOKENS = 4;

  /** Tomcat checks once a second whether requests of stopped applications are still running. */
  private static final Duration LONGER_THAN_A_CHECK = Duration.ofMillis(1_300);

  private static List<CompletableFuture<HttpResponse<String>>> startStreams(
      HttpClient client, ServedGateway served, int count) {
    var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < count; i++) {
      answers.add(client.sendAsync(served.chat(TOKENS, true), BodyHandlers.ofString()));
    }
    return answers;
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /** Makes the model count requests, and answer them only when the test allows it. */
  private static void holdAnswers(
      ServedGateway served, CountDownLatch arrivals, CountDownLatch allowed, Duration latency) {
    served.upstream.respond(
        "m",
        request -> {
          arrivals.countDown();
          try {
            allowed.await(40, TimeUnit.SECONDS);
          } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
          }
          return Script.builder().text("all of it").tokens(10, 3).latency(latency).build();
        });
  }

  private static void assertComplete(List<CompletableFuture<HttpResponse<String>>> answers)
      throws Exception {
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      HttpResponse<String> whole = answer.get(20, TimeUnit.SECONDS);
      assertThat(whole.statusCode()).as(whole.body()).isEqualTo(200);
      assertThat(whole.body()).endsWith("data: [DONE]\n\n");
    }
  }

  /** Waits until all requests have arrived, and then allows their answers. */
  private static void allowAnswers(
      CountDownLatch arrivals,
      CountDownLatch allowed,
      List<CompletableFuture<HttpResponse<String>>> answers)
      throws Exception {
    try {
      assertThat(arrivals.await(40, TimeUnit.SECONDS))
          .as(
              "%d requests did not arrive; these have ended: %s",
              arrivals.getCount(), answers.stream().filter(CompletableFuture::isDone).toList())
          .isTrue();
    } finally {
      allowed.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("run at the same time, however few threads the container has")
  void fewThreads(Container container) throws Exception {
    try (var served = new ServedGateway(container, new Settings().threads(THREADS));
        var client = client()) {
      var arrivals = new CountDownLatch(STREAMS);
      var allowed = new CountDownLatch(1);
      holdAnswers(served, arrivals, allowed, Duration.ZERO);
      var answers = startStreams(client, served, STREAMS);
      allowAnswers(arrivals, allowed, answers);
      assertComplete(answers);
      assertThat(served.records).hasSize(STREAMS);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("are waited for when the container stops")
  void waitedForAtStop(Container container) throws Exception {
    Settings settings = new Settings().idleWhileStopping(LONGER_THAN_A_CHECK.multipliedBy(2));
    try (var served = new ServedGateway(container, settings);
        var client = client()) {
      var arrivals = new CountDownLatch(20);
      var allowed = new CountDownLatch(1);
      holdAnswers(served, arrivals, allowed, LONGER_THAN_A_CHECK);
      var answers = startStreams(client, served, 20);
      var stopping = new CountDownLatch(1);
      served.container.onStop(stopping::countDown);
      var stop = new FutureTask<>(served.container::close, null);
      try {
        assertThat(arrivals.await(40, TimeUnit.SECONDS)).isTrue();
        Thread.ofVirtual().start(stop);
        assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        allowed.countDown();
      }
      assertComplete(answers);
      stop.get(20, TimeUnit.SECONDS);
      assertThat(served.records).hasSize(20);
      assertThat(served.records)
          .allSatisfy(
              record -> assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("are cancelled when they take longer than the drain time, and each is recorded")
  void takesTooLong(Container container) throws Exception {
    Settings settings = new Settings().stop(Duration.ofMillis(100));
    try (var served = new ServedGateway(container, settings, Duration.ofMillis(100));
        var client = client()) {
      served.upstream.script(
          "m",
          Script.builder().text("12345678").chunks(2).fault(new ScriptedFault.Stall(1)).build());
      var answers = startStreams(client, served, 20);
      assertThat(served.upstream.awaitRequests(20, ServedGateway.TIMEOUT)).isTrue();
      served.container.close();
      for (int i = 0; i < 20; i++) {
        CallRecord record = served.records.poll(20, TimeUnit.SECONDS);
        assertThat(record).isNotNull();
        assertThat(record.outcome()).isNotEqualTo(CallRecord.Outcome.COMPLETE);
      }
      assertThat(served.upstream.awaitNoConnections(ServedGateway.TIMEOUT)).isTrue();
      answers.forEach(answer -> answer.cancel(true));
    }
  }
}
