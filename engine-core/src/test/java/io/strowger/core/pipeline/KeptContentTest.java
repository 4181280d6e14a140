package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.core.record.GenerationView;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.store.GenerationStore.Generation;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stored content of an answer")
class KeptContentTest {
  /** A stream that passes on all text in upper case. */
  private record UpperCaseStream(EventStream inner) implements EventStream {
    @Override
    public @Nullable Event next() {
      return inner.next() instanceof Event event ? upperCase(event) : null;
    }

    private static Event upperCase(Event event) {
      return event instanceof Event.TextDelta delta
          ? new Event.TextDelta(delta.text().text().toUpperCase(Locale.ROOT))
          : event;
    }

    @Override
    public boolean ready() {
      return inner.ready();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static Json.Obj output(ScriptedEngine engine, Reply.Answered reply) {
    Generation kept = Objects.requireNonNull(engine.generations.find(reply.id()));
    Json.Obj content = GenerationView.content(kept);
    return Objects.requireNonNull(Objects.requireNonNull(content).object("output"));
  }

  private static ScriptedEngine upperCaseEngine() {
    return new ScriptedEngine(
        null,
        TestInterceptor.pluginsOf(
            new TestInterceptor(
                "loud",
                1,
                Scope.REQUEST,
                (request, chain) -> new UpperCaseStream(chain.proceed(request)))));
  }

  @Test
  @DisplayName("is what the caller received after a plugin changed it, not the upstream's text")
  void changed() {
    try (var engine = upperCaseEngine()) {
      engine.keepsContent = true;
      engine.alpha.streams(
          emit(new Event.ReasoningDelta(Json.of("hm"), null)), text("no"), text("on"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      drain(reply);
      assertThat(output(engine, reply))
          .isEqualTo(Json.object().put("completion", "NOON").put("reasoning", "hm").build());
    }
  }

  @Test
  @DisplayName("is what the caller had read when it closed the answer early")
  void closedEarly() {
    try (var engine = upperCaseEngine()) {
      engine.keepsContent = true;
      engine.alpha.streams(text("no"), text("on"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      reply.answer().next();
      reply.answer().close();
      assertThat(output(engine, reply).text("completion")).isEqualTo("NO");
    }
  }

  @Test
  @DisplayName("is the upstream's text when there is no plugin")
  void plain() {
    try (var engine = new ScriptedEngine()) {
      engine.keepsContent = true;
      engine.alpha.streams(text("no"), text("on"), finished());
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      drain(reply);
      assertThat(output(engine, reply).text("completion")).isEqualTo("noon");
    }
  }
}
