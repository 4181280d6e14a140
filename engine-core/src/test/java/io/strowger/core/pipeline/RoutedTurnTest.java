package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.settled;
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
  /** A provider whose stream has one word and fails to close. */
  private static final ChatProvider UNCLOSABLE =
      new ChatProvider() {
        @Override
        public EventStream open(Call call) {
          return new EventStream() {
            private boolean sent;

            @Override
            public @Nullable Event next() {
              Event event = sent ? null : new Event.TextDelta("word");
              sent = true;
              return event;
            }

            @Override
            public boolean ready() {
              return true;
            }

            @Override
            public void close() {
              throw new IllegalStateException("a bug of an adapter");
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
  @DisplayName("is billed and recorded even if the upstream's stream fails to close")
  void unclosable() {
    try (var engine = new ScriptedEngine()) {
      engine.replaceAlpha(UNCLOSABLE);
      Reply.Answered reply = answered(engine.serve(helloRequest()));
      reply.answer().next();
      assertThatThrownBy(reply.answer()::close).isInstanceOf(IllegalStateException.class);
      assertThat(engine.balance()).isEqualTo(settled(3_000));
      assertThat(engine.records)
          .singleElement()
          .extracting(CallRecord::outcome)
          .isEqualTo(CallRecord.Outcome.CANCELLED);
      assertThat(engine.callsInProgress()).isZero();
    }
  }
}
