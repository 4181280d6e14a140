package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
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

@DisplayName("The memory of an answer that is not streamed")
class WholeAnswerMemoryTest {
  private final AtomicInteger openAnswers = new AtomicInteger();

  /** A provider whose answers count as open until they are closed. */
  private final ChatProvider adapter =
      new ChatProvider() {
        @Override
        public EventStream open(Call call) {
          openAnswers.incrementAndGet();
          return new CountedAnswer();
        }

        @Override
        public Json body(Call call) {
          return Json.NULL;
        }

        @Override
        public void close() {}
      };

  private final class CountedAnswer implements EventStream {
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
        openAnswers.decrementAndGet();
      }
    }
  }

  private static InferenceRequest unstreamedRequest() {
    return EngineCalls.inOrder(helloRequest().toBuilder().streaming(false).build(), "alpha");
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

  static Stream<TestInterceptor> plugins() {
    return Stream.of(
        new TestInterceptor(
            "passing", 10, Scope.REQUEST, (request, chain) -> chain.proceed(request)),
        new TestInterceptor(
            "attempt", 10, Scope.ATTEMPT, (request, chain) -> chain.proceed(request)),
        new TestInterceptor(
            "collecting", 10, Scope.REQUEST, (request, chain) -> collected(chain.proceed(request))),
        new TestInterceptor(
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
  @DisplayName("is held until the answer is closed, also with a plugin, and not longer:")
  void untilClosed(TestInterceptor plugin) {
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(plugin))) {
      engine.replaceAlpha(adapter);
      Reply.Answered reply = answered(engine.serve(unstreamedRequest()));
      assertThat(ScriptedEngine.read(reply.answer()).getLast())
          .isInstanceOf(Event.CompleteAnswer.class);
      assertThat(engine.generations.find(reply.id())).as("recorded").isNotNull();
      assertThat(engine.balance().held().nanos()).as("held").isZero();
      assertThat(openAnswers.get()).isPositive();
      reply.answer().close();
      assertThat(openAnswers.get()).isZero();
    }
  }

  static Stream<TestInterceptor> failingPlugins() {
    return Stream.of(
        new TestInterceptor(
            "afterwards",
            10,
            Scope.REQUEST,
            (request, chain) -> {
              collected(chain.proceed(request));
              throw new IllegalStateException("a bug");
            }),
        new TestInterceptor(
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
  @MethodSource("failingPlugins")
  @DisplayName("is released when a plugin fails after it received the answer:")
  void failingPlugins(TestInterceptor plugin) {
    try (var engine = new ScriptedEngine(null, TestInterceptor.pluginsOf(plugin))) {
      engine.replaceAlpha(adapter);
      assertThat(engine.serve(unstreamedRequest())).isInstanceOf(Reply.Refused.class);
      assertThat(openAnswers.get()).isZero();
    }
  }
}
