package io.strowger.core.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.spi.model.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer that is written as server-sent events")
class AnswerStreamTest {
  private static final EventWriter CLASS_NAMES =
      (event, out) -> out.ascii(event.getClass().getSimpleName());

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  @DisplayName("ends with an error when the gateway gave it up")
  void givenUp() throws IOException {
    try (var stream = new AnswerStream(twoDeltas(), CLASS_NAMES)) {
      writeAll(stream);
    }
    assertThat(written).hasToString("TextDeltaTextDeltaFailed");
  }

  @Test
  @DisplayName("ends without an error when it is closed while an event is written")
  void closedMeanwhile() throws IOException {
    var stream = new AtomicReference<AnswerStream>();
    EventWriter closing =
        (event, out) -> {
          CLASS_NAMES.write(event, out);
          stream.get().close();
        };
    stream.set(new AnswerStream(twoDeltas(), closing));
    writeAll(stream.get());
    assertThat(written).hasToString("TextDelta");
  }

  private static Reply.Answered twoDeltas() {
    return Replies.answered(new Event.TextDelta("a"), new Event.TextDelta("b"));
  }

  private void writeAll(AnswerStream stream) throws IOException {
    while (stream.writeNext(written)) {
      // until everything is written
    }
  }
}
