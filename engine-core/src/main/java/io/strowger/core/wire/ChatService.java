package io.strowger.core.wire;

import io.strowger.core.account.Caller;
import io.strowger.core.encode.ChatAnswer;
import io.strowger.core.encode.ChatStream;
import io.strowger.core.encode.RouterMetadata;
import io.strowger.core.flow.Inference;
import io.strowger.core.flow.Reply;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** {@code POST /chat/completions}. Contract: "Chat request body"; chat fact sheet. */
final class ChatService {
  private final Inference inference;
  private final InferenceBodies bodies;
  private final EarlyHead earlyHead;

  ChatService(Inference inference, InferenceBodies bodies, EarlyHead earlyHead) {
    this.inference = inference;
    this.bodies = bodies;
    this.earlyHead = earlyHead;
  }

  WireResponse serve(Caller caller, WireRequest wire, Responses responses) {
    InferenceRequest request = bodies.read(wire);
    boolean metadata = wantsMetadata(wire.headers());
    var options = new ChatStream.Options(metadata, echoes(request));
    Inference.Underway underway = inference.begin(caller, request, wire.cancellation());
    if (!request.streaming() || !earlyHead.wanted()) {
      return begun(underway.reply(), request, options, responses);
    }
    EarlyStream early = earlyHead.stream(underway, wire.cancellation(), options);
    Reply inTime = early.awaitReply();
    return inTime == null
        ? new WireResponse(200, streamHeaders(underway.id()), early)
        : begun(inTime, request, options, responses);
  }

  private static WireResponse begun(
      Reply reply, InferenceRequest request, ChatStream.Options options, Responses responses) {
    return switch (reply) {
      case Reply.Refused refused ->
          responses.error(
              refused.error(),
              refused.id(),
              options.metadata() ? RouterMetadata.of(refused.delivery()) : null);
      case Reply.Answered answered ->
          request.streaming()
              ? streamed(answered, options)
              : whole(answered, options.metadata(), responses);
    };
  }

  /** Whoever gets the response closes it; until then that is ours to do. */
  private static WireResponse streamed(Reply.Answered answered, ChatStream.Options options) {
    try {
      return new WireResponse(
          200, streamHeaders(answered.id()), new StreamBody(new ChatStream(answered, options)));
    } catch (RuntimeException | Error bug) {
      answered.answer().close();
      throw bug;
    }
  }

  private static boolean echoes(InferenceRequest request) {
    return request.member("debug") instanceof Json.Obj asked
        && Json.TRUE.equals(asked.get("echo_upstream_body"));
  }

  private static Map<String, String> streamHeaders(String id) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "text/event-stream");
    headers.put("Cache-Control", "no-cache");
    headers.put(Responses.GENERATION_ID, id);
    return headers;
  }

  /** Either header, in any case; anything but enabled is disabled. */
  private static boolean wantsMetadata(WireRequest.Headers headers) {
    return isEnabled(headers, "X-Router-Metadata")
        || isEnabled(headers, "X-Router-Experimental-Metadata");
  }

  private static boolean isEnabled(WireRequest.Headers headers, String name) {
    String value = headers.first(name);
    return value != null && value.strip().toLowerCase(Locale.ROOT).equals("enabled");
  }

  private static WireResponse whole(
      Reply.Answered answered, boolean metadata, Responses responses) {
    try (Reply.Begun answer = answered.answer()) {
      return switch (ChatAnswer.read(answered, metadata)) {
        case ChatAnswer.Document document -> responses.ok(document.body(), answered.id());
        case ChatAnswer.Nothing nothing -> {
          GatewayError error = nothing.error();
          yield responses.error(
              error,
              answered.id(),
              metadata ? RouterMetadata.of(answered.delivery().withoutEndpoint()) : null);
        }
      };
    }
  }
}
