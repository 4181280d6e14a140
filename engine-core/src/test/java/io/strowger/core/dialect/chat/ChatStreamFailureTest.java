package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.Chunks.HEAD;
import static io.strowger.core.dialect.chat.Chunks.ROLE;
import static io.strowger.core.dialect.chat.Chunks.stream;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat stream that fails")
class ChatStreamFailureTest {
  private static final String CONTENT_CHUNK =
      HEAD + ",'choices':[{'index':0,'delta':{'content':'a'},'finish_reason':null}]}";

  @Proves({"resources.error.mid-stream", "chat.answer.error.after"})
  @Test
  @DisplayName("ends with one chunk that has the error, without [DONE]")
  void inBand() {
    Event failed =
        Event.Failed.upstream(new Failure(FailureKind.OVERLOADED, 503, -1, "upstream's words"));
    assertThat(stream(answered(new Event.TextDelta("a"), failed)))
        .containsExactly(
            ROLE,
            CONTENT_CHUNK,
            HEAD
                + ",'error':{'code':503,'message':'Service temporarily unavailable','metadata':{"
                + "'error_type':'provider_overloaded','provider_code':503}},'choices':[{'index':0,"
                + "'delta':{'content':''},'finish_reason':'error'}]}");
  }

  @Test
  @DisplayName("because the gateway abandoned it ends with an error, never like a complete one")
  void abandoned() {
    assertThat(stream(answered(new Event.TextDelta("a"))).getLast())
        .startsWith(HEAD.replace("'provider':'alpha'", "'provider':''") + ",'error':{'code':503,")
        .endsWith("'finish_reason':'error'}]}");
  }

  @Test
  @DisplayName(
      "because an event cannot be written ends with an error, without half a chunk before it")
  void unwritable() {
    @SuppressWarnings("NullAway") // what a faulty adapter may emit
    Event broken = new Event.ToolCallDelta(0, "c", "f", null, null);
    assertThat(stream(answered(new Event.TextDelta("a"), broken)))
        .hasSize(3)
        .last(STRING)
        .startsWith(HEAD + ",'error':{'code':500,");
  }

  @Proves("chat.answer.error.after")
  @Test
  @DisplayName("hides the details of an internal error")
  void masked() {
    Event failed =
        new Event.Failed(
            GatewayError.of(ErrorCode.INTERNAL, "secret"),
            new Failure(FailureKind.PROTOCOL, 500, -1, "secret"));
    assertThat(stream(answered(new Event.TextDelta("a"), failed)))
        .endsWith(
            HEAD
                + ",'error':{'code':500,'message':'Internal Server Error','metadata':{"
                + "'error_type':'server'}},'choices':[{'index':0,'delta':{'content':''},"
                + "'finish_reason':'error'}]}");
  }
}
