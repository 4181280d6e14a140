package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("With an early head, a stream")
class EarlyHeadTest {
  private static final String STREAMED =
      "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final CompletableFuture<Reply> upstream = new CompletableFuture<>();
  private final TestHttpApi api =
      new TestHttpApi(new EarlyHeadPolicy(ambient, Duration.ofMillis(500)));

  EarlyHeadTest() {
    api.reply = upstream::join;
  }

  @AfterEach
  void assertNoThreadsLeft() {
    ambient.assertNoThreadsLeft();
  }

  private static Reply answer() {
    return Replies.answered(
        new Event.TextDelta("hello"), new Event.Finished(StopReason.END, "stop", null));
  }

  private static String nextChunk(WireResponse response) throws IOException {
    var out = new ByteArrayOutputStream();
    return response.body().writeNext(out) ? out.toString(StandardCharsets.UTF_8) : "(end)";
  }

  /** Sends the request on another thread, since sending waits, and runs the action meanwhile. */
  private WireResponse sendWhile(Runnable meanwhile) {
    var response = new CompletableFuture<WireResponse>();
    ambient.start("host", () -> response.complete(api.chat(STREAMED).send()));
    ambient.awaitSleepers(1);
    meanwhile.run();
    return response.join();
  }

  private WireResponse sendUntilEarlyHead() {
    return sendWhile(() -> ambient.advance(Duration.ofMillis(500)));
  }

  @Test
  @DisplayName("that begins in time has the usual head and chunks")
  void inTime() throws IOException {
    WireResponse response = sendWhile(() -> upstream.complete(answer()));
    assertThat(response.status()).isEqualTo(200);
    assertThat(nextChunk(response)).startsWith("data: ").contains("\"role\":\"assistant\"");
    response.body().close();
  }

  @Test
  @DisplayName("that is refused in time has the status of the error")
  void refusedInTime() {
    WireResponse response =
        sendWhile(
            () ->
                upstream.complete(
                    Replies.refused(GatewayError.of(ErrorCode.TEMPORARILY_UNAVAILABLE))));
    assertThat(response.status()).isEqualTo(503);
  }

  @Proves({"resources.error.keep-alive", "chat.answer.keep-alive", "messages.answer.2"})
  @Test
  @DisplayName(
      "that is late begins with its id in the head and with comments, and then continues as usual")
  void late() throws IOException {
    WireResponse response = sendUntilEarlyHead();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("X-Generation-Id", Replies.ID);
    assertThat(nextChunk(response)).isEqualTo(": ROUTER PROCESSING\n\n");
    assertThat(response.body().ready()).isFalse();
    ambient.awaitSleepers(1);
    ambient.advance(Duration.ofSeconds(10));
    assertThat(nextChunk(response)).isEqualTo(": ROUTER PROCESSING\n\n");
    upstream.complete(answer());
    var text = new StringBuilder();
    for (String chunk = nextChunk(response); !chunk.equals("(end)"); chunk = nextChunk(response)) {
      text.append(chunk);
    }
    assertThat(text).contains("\"content\":\"hello\"").endsWith("data: [DONE]\n\n");
    response.body().close();
  }

  @Test
  @DisplayName("that is refused late has the error in the stream")
  void refusedLate() throws IOException {
    WireResponse response = sendUntilEarlyHead();
    nextChunk(response);
    upstream.complete(Replies.refused(GatewayError.of(ErrorCode.CAPACITY_EXHAUSTED)));
    assertThat(nextChunk(response))
        .contains("\"code\":429")
        .contains("\"finish_reason\":\"error\"");
    assertThat(nextChunk(response)).isEqualTo("(end)");
    response.body().close();
  }

  @Test
  @DisplayName("whose engine fails ends with a masked error instead of comments for ever")
  void broken() throws IOException {
    WireResponse response = sendUntilEarlyHead();
    nextChunk(response);
    upstream.completeExceptionally(new IllegalStateException("secret detail"));
    assertThat(nextChunk(response)).contains("\"code\":500").doesNotContain("secret detail");
    assertThat(nextChunk(response)).isEqualTo("(end)");
    response.body().close();
  }

  @Test
  @DisplayName("that is closed before it begins cancels the request, and ends")
  void closed() throws IOException {
    WireResponse response = sendUntilEarlyHead();
    response.body().close();
    assertThat(nextChunk(response)).isEqualTo("(end)");
    assertThat(api.cancellations.getFirst().isCancelled()).isTrue();
    upstream.complete(answer());
  }
}
