package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.dialect.speech.SpeechDecoder;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.speech.SpeechPreferences;
import io.strowger.spi.speech.SpeechRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /audio/speech}: reads a request, has it served like every other one, and passes the
 * audio on as it arrives. A failure before the first byte of audio is answered with an error
 * status. A later failure ends the connection, since no error can follow audio in the body. Safe on
 * any thread. Contract: "POST /audio/speech"; speech fact sheet.
 */
record SpeechService(Inference inference, BodyReader bodyReader, int problemLimit) {
  private static final SpeechDecoder DECODER = new SpeechDecoder();

  WireResponse serve(Caller caller, WireRequest wire, ResponseFactory responseFactory) {
    InferenceRequest request = request(wire);
    boolean metadata = InferenceService.wantsMetadata(wire.headers());
    Inference.PendingCall call =
        inference.begin(
            caller,
            new Inference.DecodedRequest(
                request, null, null, null, RequestHeaders.trace(wire.headers())),
            wire.cancellation());
    return switch (call.reply()) {
      case Reply.Refused refusal ->
          responseFactory.error(
              refusal.error(),
              refusal.id(),
              metadata ? RouterMetadata.of(refusal.delivery()) : null);
      case Reply.Answered answered -> audioResponse(answered, metadata, responseFactory);
    };
  }

  private InferenceRequest request(WireRequest wire) {
    Json.Obj body = bodyReader.read(wire);
    var problems = new Problems(problemLimit);
    SpeechRequest decodedRequest = DECODER.decode(body, problems);
    String session = RequestHeaders.session(wire.headers(), body, problems);
    SpeechRequest validRequest = problems.requireValid(decodedRequest);
    return InferenceRequest.builder(Dialect.CHAT, body)
        .kind(Endpoint.Kind.SPEECH)
        .models(List.of(validRequest.model()))
        .preferences(preferences(validRequest.preferences()))
        .parameters(0)
        .streaming(true)
        .sessionId(validRequest.sessionId() == null ? session : validRequest.sessionId())
        .user(validRequest.user())
        .origin(RequestHeaders.origin(wire.headers(), null))
        .build();
  }

  private static ProviderPreferences preferences(SpeechPreferences preferences) {
    return preferences.zdr() || preferences.denyDataCollection()
        ? ProviderPreferences.builder()
            .zdr(preferences.zdr())
            .denyDataCollection(preferences.denyDataCollection())
            .build()
        : ProviderPreferences.NONE;
  }

  /**
   * Returns the response with the audio, or with an error when there is none. The host closes the
   * answer with the audio; when there is none, this method closes it.
   */
  private static WireResponse audioResponse(
      Reply.Answered reply, boolean metadata, ResponseFactory responseFactory) {
    Reply.MeteredAnswer answer = reply.answer();
    boolean isHandedOver = false;
    try {
      Event first = answer.next();
      while (first != null && !(first instanceof Event.AudioDelta) && !first.isTerminal()) {
        first = answer.next();
      }
      if (first instanceof Event.AudioDelta audio) {
        var body = new AudioBody(answer, audio);
        isHandedOver = true;
        return new WireResponse(200, headers(reply.id(), audio.contentType()), body);
      }
      return responseFactory.error(
          first instanceof Event.Failed failure
              ? failure.error()
              : GatewayError.of(ErrorCode.PROVIDER_ERROR),
          reply.id(),
          metadata ? RouterMetadata.of(reply.delivery().withoutEndpoint()) : null);
    } finally {
      if (!isHandedOver) {
        answer.close();
      }
    }
  }

  private static Map<String, String> headers(String id, String contentType) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", contentType);
    headers.put("Cache-Control", "no-store");
    headers.put(ResponseFactory.GENERATION_ID, id);
    return headers;
  }

  /** The audio of an answer. Read by one thread; closed by any. */
  private static final class AudioBody implements WireBody {
    private final Reply.MeteredAnswer answer;
    private Event.@Nullable AudioDelta first;
    private volatile boolean ended;

    AudioBody(Reply.MeteredAnswer answer, Event.AudioDelta first) {
      this.answer = answer;
      this.first = first;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      Event.AudioDelta firstAudio = first;
      if (firstAudio != null) {
        first = null;
        firstAudio.writeTo(out);
        return true;
      }
      while (!ended) {
        switch (answer.next()) {
          case Event.AudioDelta audio -> {
            audio.writeTo(out);
            return true;
          }
          case Event.Finished finished -> ended = true;
          case Event.Failed failure -> throw truncate(out, failure);
          case null -> throw truncate(out, null);
          default -> {
            // no other event carries audio
          }
        }
      }
      return false;
    }

    /** Sends the audio so far, and returns the exception that ends the body as incomplete. */
    private TruncatedAnswerException truncate(OutputStream out, Event.@Nullable Failed failure)
        throws IOException {
      ended = true;
      boolean isCallerGone = failure != null && failure.kind() == FailureKind.CANCELLED;
      if (!isCallerGone) {
        out.flush();
      }
      return new TruncatedAnswerException(
          failure == null
              ? "the gateway ended the answer early"
              : "the answer failed after audio was sent: " + failure.code());
    }

    @Override
    public boolean ready() {
      return first != null || ended || answer.ready();
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {
      answer.close();
    }
  }
}
