package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
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

@DisplayName("An answer with large data for which there are no output tokens")
class LargeFramesTest {
  private static final String DATA = "A".repeat(3_000_000);
  private static final Json.Obj LARGE = Json.object().put("result", DATA).build();

  static Stream<Arguments> pieces() {
    return Stream.of(
        Arguments.of("an image or a document", new Event.OtherContent(LARGE)),
        Arguments.of("a citation", new Event.Annotation(LARGE, null)),
        Arguments.of("a signature", new Event.ReasoningSignature(Json.of(DATA), null, null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  @DisplayName("costs what its provider counted:")
  void counted(String name, Event piece) {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(text("Here it is"), Step.emit(piece), usage(9, 60), finished());
      drain(answered(engine.serve(helloRequest())));
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled((9 + 60) * 1_000));
      assertThat(engine.records.getFirst().billLines().getFirst().usage().isEstimated()).isFalse();
      assertThat(engine.records.getFirst().trace()).noneMatch(TraceEntry.Note.class::isInstance);
    }
  }

  @Test
  @DisplayName("costs what its provider counted also when it is not streamed")
  void unstreamed() {
    try (var engine = new ScriptedEngine()) {
      var image = new Part.Image(Json.of("data:image/png;base64," + DATA), Json.Obj.EMPTY, null);
      engine.alpha.answers(
          new Answer(
              List.of(new Part.Text("Here it is"), image),
              StopReason.END,
              "stop",
              Given.usage(9, 60),
              Dialect.CHAT,
              null));
      drain(answered(engine.serve(helloRequest())));
      assertThat(engine.balance()).isEqualTo(EngineCalls.settled((9 + 60) * 1_000));
    }
  }
}
