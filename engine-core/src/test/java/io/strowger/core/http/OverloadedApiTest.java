package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.CHAT_BODY;
import static io.strowger.core.http.TestHttpApi.UNREAD_BODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.overload.AdmissionSnapshot;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.overload.RefusalReason;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP surface under overload")
class OverloadedApiTest {
  private static final int BODY = 9_000;
  private static final int AMPLE = 1_000_000;
  private static final int UNLIMITED = OverloadLimits.UNLIMITED;

  private final TestHttpApi api = TestHttpApi.withLargeBodies();

  @AfterEach
  void assertNothingLeaks() {
    AdmissionSnapshot after = snapshot();
    assertThat(after.inFlight()).as("in flight").isZero();
    assertThat(after.queued()).as("queued").isZero();
    assertThat(after.bodyBytes()).as("bytes").isZero();
  }

  private AdmissionSnapshot snapshot() {
    return api.admission.snapshot(new EndpointLimiter(api.admission::limits, api.ambient));
  }

  private void limits(long bytes, int inFlight, int perKey) {
    api.admission.configure(
        new OverloadLimits(bytes, inFlight, perKey, UNLIMITED, 0, Duration.ZERO, false));
  }

  /** Returns a body of exactly this many bytes. */
  private static String body(int bytes) {
    return CHAT_BODY.replace("hi", "x".repeat(bytes - CHAT_BODY.length() + 2));
  }

  private TestHttpApi.RequestBuilder chatWithLength(int bytes) {
    return api.chat(body(bytes)).header("Content-Length", Integer.toString(bytes));
  }

  /** Closes the body of a response and returns its status. */
  private static int closeBody(WireResponse response) {
    response.body().close();
    return response.status();
  }

  private static @Nullable String reason(WireResponse response) {
    Json.Obj error = Objects.requireNonNull(TestHttpApi.json(response).object("error"));
    return Objects.requireNonNull(error.object("metadata")).text("overload");
  }

  @Proves({"resources.error.retry-after", "chat.header.retry-after"})
  @Test
  @DisplayName("serves as many bodies as the memory limit permits, and reads no byte of the others")
  void bodies() throws InterruptedException {
    limits(3 * BODY, UNLIMITED, UNLIMITED);
    var started = new CountDownLatch(3);
    var mayAnswer = new CountDownLatch(1);
    api.reply =
        () -> {
          started.countDown();
          await(mayAnswer);
          return Replies.answered(new Event.Finished(StopReason.END, "stop", null));
        };
    List<WireResponse> served = Collections.synchronizedList(new ArrayList<>());
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 3; i++) {
      threads.add(Thread.ofVirtual().start(() -> served.add(chatWithLength(BODY).send())));
    }
    started.await();
    for (int i = 0; i < 47; i++) {
      WireResponse refused = chatWithLength(BODY).body(UNREAD_BODY).send();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.headers()).containsEntry("Retry-After", "1");
      assertThat(TestHttpApi.message(refused)).isEqualTo("Service temporarily unavailable");
    }
    mayAnswer.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(served).extracting(WireResponse::status).containsExactly(200, 200, 200);
    assertThat(snapshot().inFlight()).isEqualTo(3);
    assertThat(snapshot().bodyBytes()).isEqualTo(3 * BODY);
    assertThat(snapshot().refusals()).containsEntry(RefusalReason.MEMORY, 47L);
    served.forEach(response -> response.body().close());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Test
  @DisplayName("counts a body of unknown length as it arrives, and refuses it at the memory limit")
  void chunked() {
    limits(AMPLE, UNLIMITED, UNLIMITED);
    WireResponse other = chatWithLength(BODY).send();
    limits(BODY + 1_000, UNLIMITED, UNLIMITED); // less than is in flight, and one step more
    WireResponse refused = api.chat(body(BODY)).send();
    assertThat(refused.status()).isEqualTo(413); // one step is larger than the limit
    limits(17_000, UNLIMITED, UNLIMITED);
    WireResponse crowded = api.chat(body(BODY)).send();
    assertThat(crowded.status()).isEqualTo(503);
    assertThat(reason(crowded)).isEqualTo("memory");
    assertThat(closeBody(other)).isEqualTo(200);
    assertThat(closeBody(api.chat(body(BODY)).send())).isEqualTo(200);
  }

  @Test
  @DisplayName("counts more than its length for a body that has mostly values")
  void manyValues() {
    String values = CHAT_BODY.replace("}]}", "}],\"x\":[" + "1,".repeat(4_099) + "1]}");
    assertThat(values.length()).isLessThan(BODY);
    limits(50_000, UNLIMITED, UNLIMITED); // 4,096 values are charged 65,536
    WireResponse manyValues =
        api.chat(values).header("Content-Length", Integer.toString(values.length())).send();
    assertThat(manyValues.status()).isEqualTo(413);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("releases a request whatever its result")
  @ValueSource(
      strings = {
        "{", // 400
        "{\"messages\":[]}", // 400
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"preset\":\"none\"}" // 404
      })
  void refusedBodies(String body) {
    limits(AMPLE, 1, 1);
    assertThat(api.chat(body).send().status()).isBetween(400, 404);
    assertThat(api.call("GET", "/no/such/path").key("sk-app").send())
        .satisfies(response -> assertThat(closeBody(response)).isEqualTo(404));
    assertThat(closeBody(api.call("POST", "/batches").key("sk-app").send())).isEqualTo(400);
    api.reply =
        () -> {
          throw new IllegalStateException("a bug");
        };
    assertThat(api.chat(CHAT_BODY).send().status()).isEqualTo(500);
  }

  @Test
  @DisplayName("counts a stream as in flight until it is closed")
  void streams() {
    limits(AMPLE, 1, UNLIMITED);
    WireResponse stream = api.chat(CHAT_BODY.replace("}]}", "}],\"stream\":true}")).send();
    assertThat(stream.status()).isEqualTo(200);
    assertThat(api.chat(CHAT_BODY).send().status()).isEqualTo(503);
    stream.body().close();
    assertThat(closeBody(api.chat(CHAT_BODY).send())).isEqualTo(200);
  }

  @Proves("chat.header.retry-after")
  @ParameterizedTest(name = "{0}")
  @DisplayName("answers 429 to a key that has its maximum in flight, in the format of the path")
  @CsvSource({"/chat/completions", "/messages", "/responses", "/batches"})
  void perKey(String path) {
    limits(AMPLE, UNLIMITED, 1);
    WireResponse first = api.chat(CHAT_BODY).send();
    WireResponse refused = api.call("POST", path).key("sk-app").body(UNREAD_BODY).send();
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers()).containsEntry("Retry-After", "1");
    assertThat(TestHttpApi.message(refused)).isEqualTo("Rate limit exceeded");
    first.body().close();
  }

  @Test
  @DisplayName("checks credentials first, and still serves health checks and management")
  void others() {
    limits(AMPLE, 1, UNLIMITED);
    WireResponse first = api.chat(CHAT_BODY).send();
    assertThat(api.call("POST", "/chat/completions").key("sk-no").send().status()).isEqualTo(401);
    assertThat(api.call("POST", "/keys").key("sk-app").send().status()).isEqualTo(403);
    assertThat(api.call("GET", "/health").send().status()).isEqualTo(200);
    assertThat(closeBody(api.call("GET", "/keys").key("sk-admin").send())).isEqualTo(200);
    assertThat(api.call("GET", "/key").key("sk-app").send().status()).isEqualTo(503);
    first.body().close();
  }
}
