package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.Step;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An answer with much around its text that no output token is made for")
class LargeFramesTest {
  private static final String DATA = "A".repeat(3_000_000);
  private static final Json.Obj LARGE = Json.object().put("result", DATA).build();

  static Stream<Arguments> pieces() {
    return Stream.of(
        Arguments.of("an image, or a document it read", new Event.OtherContent(LARGE)),
        Arguments.of("what it cites", new Event.Annotation(LARGE, null)),
        Arguments.of("a signature", new Event.ReasoningSignature(Json.of(DATA), null, null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  @DisplayName("costs what its provider counted:")
  void counted(String name, Event piece) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(text("Here it is"), Step.emit(piece), usage(9, 60), finished());
      drain(answered(exchange.serve(ask())));
      assertThat(exchange.balance()).isEqualTo(Asking.settled((9 + 60) * 1_000));
      assertThat(exchange.records.getFirst().billLines().getFirst().usage().isEstimated())
          .isFalse();
      assertThat(exchange.records.getFirst().trace()).noneMatch(TraceEntry.Note.class::isInstance);
    }
  }

  @Test
  @DisplayName("costs that when it comes whole, too")
  void whole() {
    try (var exchange = new ScriptedEngine()) {
      var image = new Part.Image(Json.of("data:image/png;base64," + DATA), Json.Obj.EMPTY, null);
      exchange.alpha.answers(
          new Answer(
              List.of(new Part.Text("Here it is"), image),
              StopReason.END,
              "stop",
              Given.usage(9, 60),
              Dialect.CHAT,
              null));
      drain(answered(exchange.serve(ask())));
      assertThat(exchange.balance()).isEqualTo(Asking.settled((9 + 60) * 1_000));
    }
  }
}
