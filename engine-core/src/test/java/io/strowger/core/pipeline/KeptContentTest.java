package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
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

@DisplayName("What is kept of an answer")
class KeptContentTest {
  /** Says everything louder than it was said. */
  private record Loud(EventStream inner) implements EventStream {
    @Override
    public @Nullable Event next() {
      return inner.next() instanceof Event event ? louder(event) : null;
    }

    private static Event louder(Event event) {
      return event instanceof Event.TextDelta said
          ? new Event.TextDelta(said.text().text().toUpperCase(Locale.ROOT))
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

  private static Json.Obj output(ScriptedEngine exchange, Reply.Answered reply) {
    Generation kept = Objects.requireNonNull(exchange.generations.find(reply.id()));
    Json.Obj content = GenerationView.content(kept);
    return Objects.requireNonNull(Objects.requireNonNull(content).object("output"));
  }

  private static ScriptedEngine loud() {
    return new ScriptedEngine(
        null,
        Around.all(
            new Around(
                "loud", 1, Scope.REQUEST, (request, chain) -> new Loud(chain.proceed(request)))));
  }

  @Test
  @DisplayName("is what the caller got, not what the upstream said before a plugin changed it")
  void changed() {
    try (var exchange = loud()) {
      exchange.keepsContent = true;
      exchange.alpha.streams(
          emit(new Event.ReasoningDelta(Json.of("hm"), null)), text("no"), text("on"), finished());
      Reply.Answered reply = answered(exchange.serve(ask()));
      drain(reply);
      assertThat(output(exchange, reply))
          .isEqualTo(Json.object().put("completion", "NOON").put("reasoning", "hm").build());
    }
  }

  @Test
  @DisplayName("is what the caller read, when it went away before the end")
  void half() {
    try (var exchange = loud()) {
      exchange.keepsContent = true;
      exchange.alpha.streams(text("no"), text("on"), finished());
      Reply.Answered reply = answered(exchange.serve(ask()));
      reply.answer().next();
      reply.answer().close();
      assertThat(output(exchange, reply).text("completion")).isEqualTo("NO");
    }
  }

  @Test
  @DisplayName("is what the upstream said, where nothing stands in between")
  void plain() {
    try (var exchange = new ScriptedEngine()) {
      exchange.keepsContent = true;
      exchange.alpha.streams(text("no"), text("on"), finished());
      Reply.Answered reply = answered(exchange.serve(ask()));
      drain(reply);
      assertThat(output(exchange, reply).text("completion")).isEqualTo("noon");
    }
  }
}
