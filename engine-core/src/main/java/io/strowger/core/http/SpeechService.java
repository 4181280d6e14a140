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
 * audio on as it arrives. A failure before its first byte is an error with a status; a later one
 * ends the connection, since no error can follow audio in the body. Safe on any thread. Contract:
 * "POST /audio/speech"; speech fact sheet.
 */
final class SpeechService {
  private final Inference inference;
  private final BodyReader bodies;
  private final SpeechDecoder decoder = new SpeechDecoder();
  private final int problemLimit;

  SpeechService(Inference inference, BodyReader bodies, int problemLimit) {
    this.inference = inference;
    this.bodies = bodies;
    this.problemLimit = problemLimit;
  }

  WireResponse serve(Caller caller, WireRequest wire, ResponseFactory responseFactory) {
    InferenceRequest request = request(wire);
    boolean metadata = InferenceService.wantsMetadata(wire.headers());
    Inference.Underway underway =
        inference.begin(
            caller,
            new Inference.DecodedRequest(
                request, null, null, null, TraceHeaders.of(wire.headers())),
            wire.cancellation());
    return switch (underway.reply()) {
      case Reply.Refused refused ->
          responseFactory.error(
              refused.error(),
              refused.id(),
              metadata ? RouterMetadata.of(refused.delivery()) : null);
      case Reply.Answered answered -> answered(answered, metadata, responseFactory);
    };
  }

  private InferenceRequest request(WireRequest wire) {
    Json.Obj body = bodies.read(wire);
    var problems = new Problems(problemLimit);
    SpeechRequest speech = decoder.decode(body, problems);
    String session = SessionHeader.of(wire.headers(), body, problems);
    SpeechRequest good = problems.requireValid(speech);
    return InferenceRequest.builder(Dialect.CHAT, body)
        .kind(Endpoint.Kind.SPEECH)
        .models(List.of(good.model()))
        .preferences(preferences(good.preferences()))
        .parameters(0)
        .streaming(true)
        .sessionId(good.sessionId() == null ? session : good.sessionId())
        .user(good.user())
        .origin(OriginHeaders.of(wire.headers(), null))
        .build();
  }

  private static ProviderPreferences preferences(SpeechPreferences given) {
    return given.zeroRetention() || given.denyDataCollection()
        ? ProviderPreferences.builder()
            .zdr(given.zeroRetention())
            .denyDataCollection(given.denyDataCollection())
            .build()
        : ProviderPreferences.NONE;
  }

  /** Closes the answer when there is no audio to pass on; otherwise the host closes it. */
  private static WireResponse answered(
      Reply.Answered reply, boolean metadata, ResponseFactory responseFactory) {
    Reply.Begun answer = reply.answer();
    boolean passedOn = false;
    try {
      Event first = answer.next();
      while (first != null && !(first instanceof Event.AudioDelta) && !first.isTerminal()) {
        first = answer.next();
      }
      if (first instanceof Event.AudioDelta sound) {
        var body = new SoundBody(answer, sound);
        passedOn = true;
        return new WireResponse(200, headers(reply.id(), sound.contentType()), body);
      }
      return responseFactory.error(
          first instanceof Event.Failed failed
              ? failed.error()
              : GatewayError.of(ErrorCode.PROVIDER_ERROR),
          reply.id(),
          metadata ? RouterMetadata.of(reply.delivery().withoutEndpoint()) : null);
    } finally {
      if (!passedOn) {
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
  private static final class SoundBody implements WireBody {
    private final Reply.Begun answer;
    private Event.@Nullable AudioDelta first;
    private volatile boolean over;

    SoundBody(Reply.Begun answer, Event.AudioDelta first) {
      this.answer = answer;
      this.first = first;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      Event.AudioDelta begun = first;
      if (begun != null) {
        first = null;
        begun.writeTo(out);
        return true;
      }
      while (!over) {
        switch (answer.next()) {
          case Event.AudioDelta sound -> {
            sound.writeTo(out);
            return true;
          }
          case Event.Finished finished -> over = true;
          case Event.Failed failed -> throw cut(out, failed);
          case null -> throw cut(out, null);
          default -> {
            // no other event carries audio
          }
        }
      }
      return false;
    }

    /** Sends the audio so far, and returns the exception that ends the body as incomplete. */
    private TruncatedAnswerException cut(OutputStream out, Event.@Nullable Failed failed)
        throws IOException {
      over = true;
      boolean gone = failed != null && failed.kind() == FailureKind.CANCELLED;
      if (!gone) {
        out.flush();
      }
      return new TruncatedAnswerException(
          failed == null ? "the gateway gave the answer up" : failed.code() + " after sound");
    }

    @Override
    public boolean ready() {
      return first != null || over || answer.ready();
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
