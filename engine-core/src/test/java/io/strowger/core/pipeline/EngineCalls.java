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

/** Helpers for tests that send requests to a {@link ScriptedEngine}. */
final class EngineCalls {
  private EngineCalls() {}

  /** Returns the request with this order of providers; without one the order is drawn at random. */
  static InferenceRequest inOrder(InferenceRequest request, String... providers) {
    return request.toBuilder()
        .preferences(ProviderPreferences.builder().order(List.of(providers)).build())
        .build();
  }

  /** Returns a streaming request to alpha, then beta, then gamma. */
  static InferenceRequest helloRequest() {
    return inOrder(streaming(MODEL, "hello"), "alpha", "beta", "gamma");
  }

  /** Asserts that the reply is an answer, and returns it. */
  static Reply.Answered answered(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return (Reply.Answered) reply;
  }

  /** Reads the answer to its end and closes it; returns its events. */
  static List<Event> drain(Reply.Answered reply) {
    List<Event> events = read(reply.answer());
    reply.answer().close();
    return events;
  }

  /** Asserts that the reply is a refusal, and returns it. */
  static Reply.Refused refused(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return (Reply.Refused) reply;
  }

  /** Returns the balance of a key with this settled amount, without holds and overrun. */
  static ScriptedEngine.Amounts settled(long nanos) {
    return new ScriptedEngine.Amounts(new Usd(nanos), Usd.ZERO, Usd.ZERO);
  }
}
