package io.strowger.core.http;

import static io.strowger.core.http.Calls.FORBIDDEN;
import static io.strowger.core.http.Calls.GOOD;
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
  private static final int ROOMY = 1_000_000;
  private static final int MANY = OverloadLimits.UNLIMITED;

  private final Calls calls = Calls.roomy();

  @AfterEach
  void nothingLeaks() {
    AdmissionSnapshot after = snapshot();
    assertThat(after.inFlight()).as("in flight").isZero();
    assertThat(after.queued()).as("queued").isZero();
    assertThat(after.bodyBytes()).as("bytes").isZero();
  }

  private AdmissionSnapshot snapshot() {
    return calls.admission.snapshot(new EndpointLimiter(calls.admission::limits, calls.ambient));
  }

  private void limits(long bytes, int inFlight, int perKey) {
    calls.admission.configure(
        new OverloadLimits(bytes, inFlight, perKey, MANY, 0, Duration.ZERO, false));
  }

  /** A body of exactly so many bytes. */
  private static String body(int bytes) {
    return GOOD.replace("hi", "x".repeat(bytes - GOOD.length() + 2));
  }

  private Calls.Call declared(int bytes) {
    return calls.chat(body(bytes)).header("Content-Length", Integer.toString(bytes));
  }

  /** How a response ended whose body was closed. */
  private static int closed(WireResponse response) {
    response.body().close();
    return response.status();
  }

  private static @Nullable String reason(WireResponse response) {
    Json.Obj error = Objects.requireNonNull(Calls.json(response).object("error"));
    return Objects.requireNonNull(error.object("metadata")).text("overload");
  }

  @Proves({"resources.error.retry-after", "chat.header.retry-after"})
  @Test
  @DisplayName("serves as many bodies as there is room for, and reads no byte of the others")
  void bodies() throws InterruptedException {
    limits(3 * BODY, MANY, MANY);
    var begun = new CountDownLatch(3);
    var go = new CountDownLatch(1);
    calls.reply =
        () -> {
          begun.countDown();
          await(go);
          return Replies.answered(new Event.Finished(StopReason.END, "stop", null));
        };
    List<WireResponse> served = Collections.synchronizedList(new ArrayList<>());
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 3; i++) {
      threads.add(Thread.ofVirtual().start(() -> served.add(declared(BODY).send())));
    }
    begun.await();
    for (int i = 0; i < 47; i++) {
      WireResponse refused = declared(BODY).body(FORBIDDEN).send();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.headers()).containsEntry("Retry-After", "1");
      assertThat(Calls.message(refused)).isEqualTo("Service temporarily unavailable");
    }
    go.countDown();
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
  @DisplayName(
      "charges a body of unknown length as it comes, and gives up at what there is room for")
  void chunked() {
    limits(ROOMY, MANY, MANY);
    WireResponse other = declared(BODY).send();
    limits(BODY + 1_000, MANY, MANY); // less than is in flight, and one step more
    WireResponse refused = calls.chat(body(BODY)).send();
    assertThat(refused.status()).isEqualTo(413); // a step is larger than all there is
    limits(17_000, MANY, MANY);
    WireResponse crowded = calls.chat(body(BODY)).send();
    assertThat(crowded.status()).isEqualTo(503);
    assertThat(reason(crowded)).isEqualTo("memory");
    assertThat(closed(other)).isEqualTo(200);
    assertThat(closed(calls.chat(body(BODY)).send())).isEqualTo(200);
  }

  @Test
  @DisplayName("charges a body that is little but values more than its length")
  void dense() {
    String values = GOOD.replace("}]}", "}],\"x\":[" + "1,".repeat(4_099) + "1]}");
    assertThat(values.length()).isLessThan(BODY);
    limits(50_000, MANY, MANY); // 4,096 values are charged 65,536
    WireResponse dense =
        calls.chat(values).header("Content-Length", Integer.toString(values.length())).send();
    assertThat(dense.status()).isEqualTo(413);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("lets a request go whatever it came to")
  @ValueSource(
      strings = {
        "{", // 400
        "{\"messages\":[]}", // 400
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"preset\":\"none\"}" // 404
      })
  void refusedBodies(String body) {
    limits(ROOMY, 1, 1);
    assertThat(calls.chat(body).send().status()).isBetween(400, 404);
    assertThat(calls.call("GET", "/no/such/path").key("sk-app").send())
        .satisfies(response -> assertThat(closed(response)).isEqualTo(404));
    assertThat(closed(calls.call("POST", "/batches").key("sk-app").send())).isEqualTo(400);
    calls.reply =
        () -> {
          throw new IllegalStateException("a bug");
        };
    assertThat(calls.chat(GOOD).send().status()).isEqualTo(500);
  }

  @Test
  @DisplayName("counts a stream as in flight until it is closed")
  void streams() {
    limits(ROOMY, 1, MANY);
    WireResponse stream = calls.chat(GOOD.replace("}]}", "}],\"stream\":true}")).send();
    assertThat(stream.status()).isEqualTo(200);
    assertThat(calls.chat(GOOD).send().status()).isEqualTo(503);
    stream.body().close();
    assertThat(closed(calls.chat(GOOD).send())).isEqualTo(200);
  }

  @Proves("chat.header.retry-after")
  @ParameterizedTest(name = "{0}")
  @DisplayName("tells a key that has as many in flight as it may 429, in the form of the path")
  @CsvSource({"/chat/completions", "/messages", "/responses", "/batches"})
  void perKey(String path) {
    limits(ROOMY, MANY, 1);
    WireResponse first = calls.chat(GOOD).send();
    WireResponse refused = calls.call("POST", path).key("sk-app").body(FORBIDDEN).send();
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers()).containsEntry("Retry-After", "1");
    assertThat(Calls.message(refused)).isEqualTo("Rate limit exceeded");
    first.body().close();
  }

  @Test
  @DisplayName("looks at credentials first, and serves health and management all the same")
  void others() {
    limits(ROOMY, 1, MANY);
    WireResponse first = calls.chat(GOOD).send();
    assertThat(calls.call("POST", "/chat/completions").key("sk-no").send().status()).isEqualTo(401);
    assertThat(calls.call("POST", "/keys").key("sk-app").send().status()).isEqualTo(403);
    assertThat(calls.call("GET", "/health").send().status()).isEqualTo(200);
    assertThat(closed(calls.call("GET", "/keys").key("sk-admin").send())).isEqualTo(200);
    assertThat(calls.call("GET", "/key").key("sk-app").send().status()).isEqualTo(503);
    first.body().close();
  }
}
