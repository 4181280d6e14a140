package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What an answer that came whole holds")
class WholeAnswerMemoryTest {
  private final AtomicInteger open = new AtomicInteger();

  /** Each answer is one document, which holds something until it is closed. */
  private final ChatProvider adapter =
      new ChatProvider() {
        @Override
        public EventStream open(Call call) {
          open.incrementAndGet();
          return new Kept();
        }

        @Override
        public Json body(Call call) {
          return Json.NULL;
        }

        @Override
        public void close() {}
      };

  private final class Kept implements EventStream {
    private final EventStream events =
        EventStream.of(
            List.of(
                new Event.CompleteAnswer(
                    new Answer(
                        List.of(new Part.Text("Hi")),
                        StopReason.END,
                        null,
                        null,
                        Dialect.CHAT,
                        null))));
    private boolean closed;

    @Override
    public @Nullable Event next() {
      return events.next();
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        open.decrementAndGet();
      }
    }
  }

  private static InferenceRequest whole() {
    return Asking.inOrder(ask().toBuilder().streaming(false).build(), "alpha");
  }

  private static EventStream collected(EventStream inner) {
    var collector = new AnswerCollector();
    try (inner) {
      for (Event event = inner.next(); event != null; event = inner.next()) {
        collector.add(event);
      }
    }
    return EventStream.of(List.of(new Event.CompleteAnswer(collector.answer(Dialect.CHAT))));
  }

  static Stream<Around> plugins() {
    return Stream.of(
        new Around("passing", 10, Scope.REQUEST, (request, chain) -> chain.proceed(request)),
        new Around("attempt", 10, Scope.ATTEMPT, (request, chain) -> chain.proceed(request)),
        new Around(
            "collecting", 10, Scope.REQUEST, (request, chain) -> collected(chain.proceed(request))),
        new Around(
            "several",
            10,
            Scope.REQUEST,
            (request, chain) -> {
              var call = new InnerCall("beside", request);
              chain.callAll(List.of(call, call), chain.remaining());
              return chain.proceed(request);
            }));
  }

  @ParameterizedTest
  @MethodSource("plugins")
  @DisplayName("is held until the answer is closed, also by a plugin, and not longer:")
  void untilClosed(Around plugin) {
    try (var exchange = new ScriptedEngine(null, Around.all(plugin))) {
      exchange.alphaIs(adapter);
      Reply.Answered reply = answered(exchange.serve(whole()));
      assertThat(ScriptedEngine.read(reply.answer()).getLast())
          .isInstanceOf(Event.CompleteAnswer.class);
      assertThat(exchange.generations.find(reply.id())).as("recorded").isNotNull();
      assertThat(exchange.balance().held().nanos()).as("set aside").isZero();
      assertThat(open.get()).isPositive();
      reply.answer().close();
      assertThat(open.get()).isZero();
    }
  }

  static Stream<Around> broken() {
    return Stream.of(
        new Around(
            "afterwards",
            10,
            Scope.REQUEST,
            (request, chain) -> {
              collected(chain.proceed(request));
              throw new IllegalStateException("a bug");
            }),
        new Around(
            "forgetful",
            10,
            Scope.REQUEST,
            (request, chain) -> {
              EventStream forgotten = chain.proceed(request);
              forgotten.next();
              throw new IllegalStateException("a bug");
            }));
  }

  @ParameterizedTest
  @MethodSource("broken")
  @DisplayName("is given back when a plugin fails behind it:")
  void broken(Around plugin) {
    try (var exchange = new ScriptedEngine(null, Around.all(plugin))) {
      exchange.alphaIs(adapter);
      assertThat(exchange.serve(whole())).isInstanceOf(Reply.Refused.class);
      assertThat(open.get()).isZero();
    }
  }
}
