package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.core.pipeline.ScriptedEngine.read;
import static io.strowger.tck.Given.streaming;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;

/** The words tests of requests are written in. */
final class Asking {
  private Asking() {}

  /** The order of attempts is a draw unless it is asked for. */
  static InferenceRequest inOrder(InferenceRequest request, String... providers) {
    return request.toBuilder()
        .preferences(ProviderPreferences.builder().order(List.of(providers)).build())
        .build();
  }

  static InferenceRequest ask() {
    return inOrder(streaming(MODEL, "hello"), "alpha", "beta", "gamma");
  }

  static Reply.Answered answered(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return (Reply.Answered) reply;
  }

  static List<Event> drain(Reply.Answered reply) {
    List<Event> events = read(reply.answer());
    reply.answer().close();
    return events;
  }

  static Reply.Refused refused(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return (Reply.Refused) reply;
  }

  static ScriptedEngine.Standing settled(long nanos) {
    return new ScriptedEngine.Standing(new Usd(nanos), Usd.ZERO, Usd.ZERO);
  }
}
