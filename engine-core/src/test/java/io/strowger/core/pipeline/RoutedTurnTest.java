package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A turn")
class RoutedTurnTest {
  /** Streams one word, and fails to close. */
  private static final ChatProvider UNCLOSABLE =
      new ChatProvider() {
        @Override
        public EventStream open(Call call) {
          return new EventStream() {
            private boolean said;

            @Override
            public @Nullable Event next() {
              Event event = said ? null : new Event.TextDelta("word");
              said = true;
              return event;
            }

            @Override
            public boolean ready() {
              return true;
            }

            @Override
            public void close() {
              throw new IllegalStateException("an adapter's own bug");
            }
          };
        }

        @Override
        public Json body(Call call) {
          return Json.NULL;
        }

        @Override
        public void close() {}
      };

  @Test
  @DisplayName("is paid and told of also when the upstream's stream fails to close")
  void unclosable() {
    try (var engine = new ScriptedEngine()) {
      engine.alphaIs(UNCLOSABLE);
      Reply.Answered reply = answered(engine.serve(ask()));
      reply.answer().next();
      assertThatThrownBy(reply.answer()::close).isInstanceOf(IllegalStateException.class);
      assertThat(engine.balance()).isEqualTo(settled(3_000));
      assertThat(engine.records)
          .singleElement()
          .extracting(CallRecord::outcome)
          .isEqualTo(CallRecord.Outcome.CANCELLED);
      assertThat(engine.underWay()).isZero();
    }
  }
}
