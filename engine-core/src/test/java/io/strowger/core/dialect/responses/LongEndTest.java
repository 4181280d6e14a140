package io.strowger.core.dialect.responses;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The end of a long response")
class LongEndTest {
  private static final int DELTAS = 1000;

  @Test
  @DisplayName("repeats the text five times without ever copying the whole of it")
  void copiesNothing() throws IOException {
    List<Event> events =
        new ArrayList<>(Collections.nCopies(DELTAS, new Event.TextDelta("x".repeat(1000))));
    events.add(new Event.Finished(StopReason.END, null, null));
    Reply.Answered reply = Replies.answered(events.toArray(Event[]::new));
    InferenceRequest request = WrittenResponses.request("{'input':'hi'}");
    var options = new AnswerFormat.Options(false, false);
    var sizes = new ArrayList<Integer>();
    var out =
        new OutputStream() {
          @Override
          public void write(int single) {
            sizes.add(1);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            sizes.add(length);
          }
        };
    try (var stream =
        new AnswerStream(
            reply, new ResponsesFormat(() -> Instant.EPOCH).writer(reply, request, options))) {
      while (stream.writeNext(out)) {
        // until everything is written
      }
    }
    assertThat(sizes.stream().mapToLong(size -> size).sum()).isGreaterThan(6_000_000);
    assertThat(Collections.max(sizes)).as("largest write in bytes").isLessThan(10_000);
  }
}
