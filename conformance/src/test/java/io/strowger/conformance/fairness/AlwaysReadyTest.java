package io.strowger.conformance.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.strowger.conformance.dialects.CallerDialect;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.guardrail.ContentFilter;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.sse.SseReader;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Runs one loop on each carrier thread, over a source that never makes the loop wait, and starts a
 * second thread that the carrier can only run when the loop yields. The second thread must run
 * before the loop has done much more than a fair share of work; without fair shares it would run
 * only after the loop.
 */
@DisplayName("Another request gets its turn")
class AlwaysReadyTest {
  /** The bytes after which a loop ends in any case: many times a fair share. */
  private static final long MAX_BYTES = 16L << 20;

  private static final String CHUNK =
      "data:"
          + " {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word"
          + " \"},\"finish_reason\":null}]}\n\n";

  private final Ambient ambient = new SystemAmbient();

  /** Work that continues until the other thread has run, or for a maximum time. */
  @FunctionalInterface
  private interface Loop {
    void run(Progress progress) throws IOException;
  }

  /** The bytes that one loop has processed, and whether the other thread has run. */
  private static final class Progress {
    private final AtomicBoolean otherThreadRan = new AtomicBoolean();
    private long done;

    boolean shouldContinue() {
      return done < MAX_BYTES && !otherThreadRan.get();
    }

    void add(long bytes) {
      done += bytes;
    }
  }

  /** Runs the loop on every carrier thread at once. */
  private void runOnEveryCarrier(Loop loop) throws InterruptedException {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    var begun = new CountDownLatch(carriers);
    Map<Thread, Progress> loops = new LinkedHashMap<>();
    for (int i = 0; i < carriers; i++) {
      var progress = new Progress();
      loops.put(ambient.start("loop", () -> run(loop, progress, begun)), progress);
    }
    for (Map.Entry<Thread, Progress> each : loops.entrySet()) {
      each.getKey().join();
      assertThat(each.getValue().done).as("bytes before another thread ran").isLessThan(MAX_BYTES);
    }
  }

  private void run(Loop loop, Progress progress, CountDownLatch begun) {
    begun.countDown();
    while (begun.getCount() > 0) {
      Thread.onSpinWait(); // without releasing the carrier
    }
    ambient.start("other", () -> progress.otherThreadRan.set(true));
    try {
      loop.run(progress);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Repeats the same bytes until the loop is to end. */
  private static final class RepeatingStream extends InputStream {
    private final byte[] piece;
    private final Progress progress;
    private int at;

    RepeatingStream(String piece, Progress progress) {
      this.piece = piece.getBytes(StandardCharsets.UTF_8);
      this.progress = progress;
    }

    @Override
    public int read() {
      if (!progress.shouldContinue()) {
        return -1;
      }
      progress.add(1);
      at = at == piece.length ? 0 : at;
      return piece[at++] & 0xFF;
    }

    @Override
    public int available() {
      return Integer.MAX_VALUE;
    }
  }

  @Test
  @DisplayName("during streams without end")
  void streams() throws InterruptedException {
    var request =
        CallerDialect.CHAT.decode(
            (Json.Obj)
                TestJson.of(
                    "{'model':'a/b','stream':true,'messages':[{'role':'user','content':'Hi'}]}"));
    runOnEveryCarrier(
        progress -> {
          EventStream stream = Upstream.CHAT.stream(new RepeatingStream(CHUNK, progress), request);
          while (stream.next() != null) {
            // to the end
          }
        });
  }

  @Test
  @DisplayName("during streams that consist only of comments")
  void comments() throws InterruptedException {
    runOnEveryCarrier(
        progress -> {
          var frames = new SseReader(new RepeatingStream(": still here\n\n", progress));
          assertThat(frames.next()).isFalse();
        });
  }

  @Test
  @DisplayName("during answers whose events are all ready at once")
  void answers() throws InterruptedException {
    runOnEveryCarrier(
        progress -> {
          Event word = new Event.TextDelta("word ");
          EventStream events =
              new EventStream() {
                @Override
                public @Nullable Event next() {
                  progress.add(5);
                  return progress.shouldContinue() ? word : null;
                }

                @Override
                public boolean ready() {
                  return true;
                }

                @Override
                public void close() {}
              };
          CollectedAnswer.from(events);
        });
  }

  @Test
  @DisplayName("during the parsing of bodies with many values")
  void bodies() throws InterruptedException {
    byte[] body = ("[" + "1,".repeat(50_000) + "1]").getBytes(StandardCharsets.UTF_8);
    var codec = new JacksonCodec();
    runOnEveryCarrier(
        progress -> {
          while (progress.shouldContinue()) {
            assertThatCode(() -> codec.parse(body)).doesNotThrowAnyException();
            progress.add(body.length);
          }
        });
  }

  @Test
  @DisplayName("during the check of long lists")
  void lists() throws InterruptedException {
    Json.Obj body =
        Json.object()
            .put("model", "a/b")
            .put("messages", Json.array(Collections.nCopies(20_000, Json.TRUE)))
            .build();
    runOnEveryCarrier(
        progress -> {
          while (progress.shouldContinue()) {
            var problems = new Problems();
            new ChatDecoder((entry, at, found) -> {}).decode(body, problems);
            progress.add(20_000);
          }
        });
  }

  @Test
  @DisplayName("while a long text is searched for a pattern")
  void filters() throws InterruptedException {
    Json.Obj pattern = (Json.Obj) TestJson.of("{'pattern':'b.*z|z','action':'flag'}");
    Json.Obj guardrail = Json.object().put("content_filters", Json.array(pattern)).build();
    ContentFilter filter = Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
    String text = "a".repeat(1 << 20);
    var request =
        CallerDialect.CHAT.decode(
            (Json.Obj)
                TestJson.of(
                    "{'model':'a/b','messages':[{'role':'user','content':'" + text + "'}]}"));
    runOnEveryCarrier(
        progress -> {
          filter.apply(request, new Cancellation());
          progress.add(progress.shouldContinue() ? MAX_BYTES : 0);
        });
  }
}
