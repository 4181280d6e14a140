package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.util.List;

/**
 * Presents to the attempt loop an adapter whose answers are not streamed. An answer is checked
 * before any of it reaches the caller, so the next candidate can be tried after an invalid one.
 * Safe on any thread. Decision 54.
 *
 * @param <R> the requests of the kind
 */
final class UnaryAdapter<R extends UnaryRequest> implements ChatProvider {
  private final UnaryProvider provider;
  private final UnaryCodec<R> codec;

  UnaryAdapter(UnaryProvider provider, UnaryCodec<R> codec) {
    this.provider = provider;
    this.codec = codec;
  }

  @Override
  public EventStream open(Call call) throws UpstreamException {
    R request = request(call);
    UnaryAnswer answer;
    try {
      answer =
          provider.answer(
              new UnaryCall(
                  call.endpoint(),
                  call.credential(),
                  request,
                  ProviderOptions.of(call),
                  call.losses(),
                  call.endUser(),
                  call.readTimeout(),
                  call.cancellation(),
                  call.traceparent()));
    } catch (GatewayException e) {
      return EventStream.of(List.of(new Event.Failed(e.error(), null)));
    }
    EventStream events = null;
    try {
      UnaryCodec.CheckedAnswer checkedAnswer =
          codec.check(answer, request, call.endpoint().pricing());
      events =
          new CompleteAnswerStream(
              checkedAnswer.document(), checkedAnswer.usage(), answer.whenDone());
      return events;
    } finally {
      if (events == null) {
        answer.whenDone().run();
      }
    }
  }

  /** Returns the request as it is now: a content filter may have changed its text. */
  private R request(Call call) throws UpstreamException {
    R request =
        codec.decode(
            call.request().members().without(ProviderOptions.PROVIDER),
            call.request().upload(),
            new Problems());
    if (request == null) {
      throw new UpstreamException(
          Failure.of(FailureKind.INVALID_REQUEST, codec.unreadableMessage()));
    }
    return request;
  }

  @Override
  public Json body(Call call) {
    return call.request().members();
  }

  @Override
  public void close() {
    provider.close();
  }
}
