package io.strowger.conformance.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.strowger.conformance.dialects.Caller;
import io.strowger.conformance.dialects.Upstream;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.decode.Drawn;
import io.strowger.core.decode.Problems;
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
 * As many loops as there are carriers, each over a source that never makes it wait, and behind each
 * another thread that its carrier is to run next. It has its turn before the loop did much more
 * than a share; without shares it would have none before the loop ended.
 */
@DisplayName("Another request has its turn")
class AlwaysReadyTest {
  /** Many times a share, and all that a loop does. */
  private static final long MOST = 16L << 20;

  private static final String CHUNK =
      "data:"
          + " {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word"
          + " \"},\"finish_reason\":null}]}\n\n";

  private final Ambient ambient = new SystemAmbient();

  /** What goes on until another thread had its turn, or for too long. */
  @FunctionalInterface
  private interface Loop {
    void run(Progress progress) throws IOException;
  }

  /** How far one loop is. */
  private static final class Progress {
    private final AtomicBoolean otherHadItsTurn = new AtomicBoolean();
    private long done;

    boolean goesOn() {
      return done < MOST && !otherHadItsTurn.get();
    }

    void did(long bytes) {
      done += bytes;
    }
  }

  /** Runs the loop on every carrier at once. */
  private void everyCarrier(Loop loop) throws InterruptedException {
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
      assertThat(each.getValue().done).as("bytes before another thread ran").isLessThan(MOST);
    }
  }

  private void run(Loop loop, Progress progress, CountDownLatch begun) {
    begun.countDown();
    while (begun.getCount() > 0) {
      Thread.onSpinWait(); // the carrier is kept
    }
    ambient.start("other", () -> progress.otherHadItsTurn.set(true));
    try {
      loop.run(progress);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The same piece again and again, until the loop is to end. */
  private static final class Endless extends InputStream {
    private final byte[] piece;
    private final Progress progress;
    private int at;

    Endless(String piece, Progress progress) {
      this.piece = piece.getBytes(StandardCharsets.UTF_8);
      this.progress = progress;
    }

    @Override
    public int read() {
      if (!progress.goesOn()) {
        return -1;
      }
      progress.did(1);
      at = at == piece.length ? 0 : at;
      return piece[at++] & 0xFF;
    }

    @Override
    public int available() {
      return Integer.MAX_VALUE;
    }
  }

  @Test
  @DisplayName("beside streams without end")
  void streams() throws InterruptedException {
    var request =
        Caller.CHAT.read(
            (Json.Obj)
                Drawn.json(
                    "{'model':'a/b','stream':true,'messages':[{'role':'user','content':'Hi'}]}"));
    everyCarrier(
        progress -> {
          EventStream stream = Upstream.CHAT.stream(new Endless(CHUNK, progress), request);
          while (stream.next() != null) {
            // to the end
          }
        });
  }

  @Test
  @DisplayName("beside streams of nothing but comments")
  void comments() throws InterruptedException {
    everyCarrier(
        progress -> {
          var frames = new SseReader(new Endless(": still here\n\n", progress));
          assertThat(frames.next()).isFalse();
        });
  }

  @Test
  @DisplayName("beside answers that are there at once")
  void answers() throws InterruptedException {
    everyCarrier(
        progress -> {
          Event word = new Event.TextDelta("word ");
          EventStream events =
              new EventStream() {
                @Override
                public @Nullable Event next() {
                  progress.did(5);
                  return progress.goesOn() ? word : null;
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
  @DisplayName("beside bodies of many values")
  void bodies() throws InterruptedException {
    byte[] body = ("[" + "1,".repeat(50_000) + "1]").getBytes(StandardCharsets.UTF_8);
    var codec = new JacksonCodec();
    everyCarrier(
        progress -> {
          while (progress.goesOn()) {
            assertThatCode(() -> codec.parse(body)).doesNotThrowAnyException();
            progress.did(body.length);
          }
        });
  }

  @Test
  @DisplayName("beside lists that are judged item by item")
  void lists() throws InterruptedException {
    Json.Obj body =
        Json.object()
            .put("model", "a/b")
            .put("messages", Json.array(Collections.nCopies(20_000, Json.TRUE)))
            .build();
    everyCarrier(
        progress -> {
          while (progress.goesOn()) {
            var problems = new Problems();
            new ChatDecoder((entry, at, found) -> {}).decode(body, problems);
            progress.did(20_000);
          }
        });
  }

  @Test
  @DisplayName("while a long text is looked through for a pattern")
  void filters() throws InterruptedException {
    Json.Obj pattern = (Json.Obj) Drawn.json("{'pattern':'b.*z|z','action':'flag'}");
    Json.Obj guardrail = Json.object().put("content_filters", Json.array(pattern)).build();
    ContentFilter filter = Objects.requireNonNull(ContentFilter.of(List.of(guardrail)));
    String text = "a".repeat(1 << 20);
    var request =
        Caller.CHAT.read(
            (Json.Obj)
                Drawn.json(
                    "{'model':'a/b','messages':[{'role':'user','content':'" + text + "'}]}"));
    everyCarrier(
        progress -> {
          filter.apply(request, new Cancellation());
          progress.did(progress.goesOn() ? MOST : 0);
        });
  }
}
