package io.strowger.core.dialect.responses;

import static io.strowger.core.dialect.responses.WrittenResponses.events;
import static io.strowger.core.dialect.responses.WrittenResponses.last;
import static io.strowger.core.dialect.responses.WrittenResponses.lines;
import static io.strowger.core.dialect.responses.WrittenResponses.member;
import static io.strowger.core.dialect.responses.WrittenResponses.object;
import static io.strowger.core.dialect.responses.WrittenResponses.request;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A responses stream that fails")
class ResponsesStreamFailureTest {
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  private static Event call(String id, String name, String arguments) {
    return new Event.ToolCallDelta(0, id, name, Json.of(arguments), null);
  }

  private static Event moreArguments(String arguments) {
    return new Event.ToolCallDelta(0, null, null, Json.of(arguments), null);
  }

  @Test
  @DisplayName("closes the open items and ends with the failed response and its error")
  void midway() {
    Event failed = new Event.Failed(GatewayError.of(ErrorCode.CAPACITY_EXHAUSTED), null);
    List<String> lines = lines(new Event.TextDelta("a"), failed);
    assertThat(lines.get(lines.size() - 2))
        .startsWith("{'type':'response.output_item.done'")
        .contains("'status':'incomplete'");
    assertThat(lines.get(lines.size() - 1)).startsWith("{'type':'response.failed'");
    Json.Obj last = last(new Event.TextDelta("a"), failed);
    assertThat(last.text("status")).isEqualTo("failed");
    assertThat(member(last, "error"))
        .isEqualTo("{'code':'rate_limit_exceeded','message':'Provider returned error'}");
    assertThat(last.text("error_type")).isEqualTo("rate_limit_exceeded");
    assertThat(last.get("completed_at")).isEqualTo(Json.NULL);
    assertThat(last.text("output_text")).isEqualTo("a");
  }

  @Test
  @DisplayName("before any output has only the response and its failure, numbered from 0")
  void atOnce() {
    assertThat(events(new Event.Failed(GatewayError.of(ErrorCode.TIMEOUT), null)))
        .map(event -> event.longValue("sequence_number", -1) + " " + event.text("type"))
        .containsExactly("0 response.created", "1 response.in_progress", "2 response.failed");
  }

  @Test
  @DisplayName("because of the context length ends as incomplete, not as failed")
  void tooLong() {
    Json.Obj last =
        last(
            new Event.TextDelta("a"),
            new Event.Failed(GatewayError.of(ErrorCode.CONTEXT_LENGTH_EXCEEDED), null));
    assertThat(last.text("status")).isEqualTo("incomplete");
    assertThat(last.get("error")).isEqualTo(Json.NULL);
    assertThat(last.has("error_type")).isFalse();
    assertThat(member(last, "incomplete_details")).isEqualTo("{'reason':'max_output_tokens'}");
  }

  @Test
  @DisplayName("because it broke off ends with a server error")
  void brokenOff() {
    List<String> lines =
        lines(
            answered(null, EventStream.of(List.of(new Event.TextDelta("a")))),
            request("{'input':'hi'}"),
            false);
    assertThat(lines.get(lines.size() - 1))
        .startsWith("{'type':'response.failed'")
        .contains("'code':'server_error'")
        .contains("'usage':null");
  }

  @Test
  @DisplayName("because of a bug continues to number its events and hides the cause")
  void bug() {
    List<Json.Obj> events =
        events(call("c", "f", "{}"), new Event.BlockStop(null), moreArguments("more"), END);
    Json.Obj last = events.get(events.size() - 1);
    assertThat(last.text("type")).isEqualTo("response.failed");
    assertThat(member(object(last, "response"), "error"))
        .isEqualTo("{'code':'server_error','message':'Internal Server Error'}");
    assertThat(last.longValue("sequence_number", 0)).isEqualTo(events.size() - 1);
  }
}
