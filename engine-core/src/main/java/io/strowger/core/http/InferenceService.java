package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.batch.BatchRequestHandler;
import io.strowger.core.cache.CacheOptions;
import io.strowger.core.cache.CacheStatus;
import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.AnswerFormat.Options;
import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.BatchItem;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.core.meter.Bill;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /chat/completions}, {@code /messages}, {@code /responses}, and requests that are
 * answered with one document, such as {@code /embeddings}: reads a request in one dialect, has it
 * served and writes the answer in the same dialect. Safe on any thread.
 */
final class InferenceService {
  private static final GatewayError PROVIDER_ERROR = GatewayError.of(ErrorCode.PROVIDER_ERROR);

  private final Inference inference;
  private final RequestReader bodies;
  private final AnswerFormat format;
  private final EarlyHead earlyHead;

  InferenceService(
      Inference inference, RequestReader bodies, AnswerFormat format, EarlyHead earlyHead) {
    this.inference = inference;
    this.bodies = bodies;
    this.format = format;
    this.earlyHead = earlyHead;
  }

  WireResponse serve(Caller caller, WireRequest wire, ResponseFactory responseFactory) {
    InferenceBodies.Read read = bodies.read(caller, wire);
    InferenceRequest request = read.request();
    CacheOptions cacheOptions = CacheHeaders.of(wire.headers(), read.cache());
    var options = new Options(wantsMetadata(wire.headers()), echoes(request));
    Inference.Underway underway =
        inference.begin(
            caller,
            new Inference.DecodedRequest(
                request, cacheOptions, read.decoding(), null, TraceHeaders.of(wire.headers())),
            wire.cancellation());
    if (!request.streaming()) {
      return whole(inBand(underway.reply()), request, options.metadata(), responseFactory);
    }
    Function<Reply.Answered, AnswerStream> writing =
        reply -> new AnswerStream(reply, format.writer(reply, request, told(reply, options)));
    if (!earlyHead.isEnabled()) {
      return streamed(inBand(underway.reply()), writing, options, responseFactory);
    }
    EarlyStream early = earlyHead.stream(underway, wire.cancellation(), writing);
    Reply inTime = early.awaitReply();
    return inTime == null
        ? new WireResponse(200, streamHeaders(underway.id(), underway.cache()), early)
        : streamed(inBand(inTime), writing, options, responseFactory);
  }

  /** Reads a request, as {@link RequestReader#read}. */
  InferenceBodies.Read read(Caller caller, WireRequest wire) {
    return bodies.read(caller, wire);
  }

  /**
   * Answers a request of a batch with one document. The cache and all headers are ignored.
   *
   * @param made adapts the request that was read to its batch
   * @throws io.strowger.spi.error.GatewayException when it cannot be read
   */
  BatchRequestHandler.ItemAnswer answer(
      Caller caller, WireRequest wire, UnaryOperator<InferenceRequest> made, BatchItem item) {
    InferenceBodies.Read read = bodies.read(caller, wire);
    InferenceRequest request = made.apply(read.request());
    RequestDecoding decoding = read.decoding();
    RequestDecoding again =
        decoding == null
            ? null
            : new RequestDecoding(
                decoding.plugins(), other -> made.apply(decoding.decodeWith().apply(other)));
    Reply reply =
        inBand(
            inference
                .begin(
                    caller,
                    new Inference.DecodedRequest(request, null, again, item, Inference.Origin.NONE),
                    wire.cancellation())
                .reply());
    return switch (reply) {
      case Reply.Refused refused -> new BatchRequestHandler.ItemAnswer(null, refused.error(), null);
      case Reply.Answered answered -> {
        try (Reply.Begun begun = answered.answer()) {
          yield collected(answered, request, CollectedAnswer.from(begun));
        }
      }
    };
  }

  private BatchRequestHandler.ItemAnswer collected(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer) {
    JsonOutput body = body(reply, request, answer, false);
    Bill bill = reply.answer().bill();
    Event.Failed failed = answer.failed();
    GatewayError error = failed == null ? PROVIDER_ERROR : failed.error();
    return body == null
        ? new BatchRequestHandler.ItemAnswer(null, error, bill)
        : new BatchRequestHandler.ItemAnswer(bytes(body), null, bill);
  }

  private static byte[] bytes(JsonOutput document) {
    var bytes = new ByteArrayOutputStream();
    try {
      document.writeTo(bytes);
    } catch (IOException impossible) {
      throw new IllegalStateException("writing to memory failed", impossible);
    }
    return bytes.toByteArray();
  }

  /** Turns a refusal that this dialect reports as an answer into an answer. */
  private Reply inBand(Reply reply) {
    return reply instanceof Reply.Refused refused && format.writesAsAnswer(refused.error())
        ? InBandError.of(refused)
        : reply;
  }

  /** Closes the answer when no response can be made; otherwise the host closes it. */
  private static WireResponse streamed(
      Reply reply,
      Function<Reply.Answered, AnswerStream> writing,
      Options options,
      ResponseFactory responseFactory) {
    return switch (reply) {
      case Reply.Refused refused -> refused(refused, options.metadata(), responseFactory);
      case Reply.Answered answered -> {
        try {
          yield new WireResponse(
              200,
              streamHeaders(answered.id(), answered.cache()),
              new StreamBody(writing.apply(answered)));
        } catch (RuntimeException | Error bug) {
          answered.answer().close();
          throw bug;
        }
      }
    };
  }

  private WireResponse whole(
      Reply reply, InferenceRequest request, boolean metadata, ResponseFactory responseFactory) {
    return switch (reply) {
      case Reply.Refused refused -> refused(refused, metadata, responseFactory);
      case Reply.Answered answered -> {
        Reply.Begun answer = answered.answer();
        try {
          boolean told = metadata && !answered.cached();
          WireResponse made =
              collected(answered, request, CollectedAnswer.from(answer), told, responseFactory);
          yield new WireResponse(
              made.status(), made.headers(), new ReleasingBody(made.body(), answer::close));
        } catch (RuntimeException | Error bug) {
          answer.close();
          throw bug;
        }
      }
    };
  }

  /** Returns the answer's document; null when it failed without content and must be an error. */
  private @Nullable JsonOutput body(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    Event.Failed failed = answer.failed();
    return failed != null && !answer.hasContent() && !format.writesAsAnswer(failed.error())
        ? null
        : format.document(reply, request, answer, metadata);
  }

  private WireResponse collected(
      Reply.Answered reply,
      InferenceRequest request,
      CollectedAnswer answer,
      boolean metadata,
      ResponseFactory responseFactory) {
    JsonOutput body = body(reply, request, answer, metadata);
    if (body != null) {
      return responseFactory.answer(body, reply.id(), reply.cache());
    }
    Event.Failed failed = answer.failed();
    return responseFactory.error(
        failed == null ? PROVIDER_ERROR : failed.error(),
        reply.id(),
        metadata ? RouterMetadata.of(reply.delivery().withoutEndpoint()) : null);
  }

  private static WireResponse refused(
      Reply.Refused refused, boolean metadata, ResponseFactory responseFactory) {
    GatewayError error = refused.error();
    return responseFactory.error(
        error, refused.id(), metadata ? RouterMetadata.of(refused.delivery()) : null);
  }

  private static boolean echoes(InferenceRequest request) {
    return request.member("debug") instanceof Json.Obj asked
        && Json.TRUE.equals(asked.get("echo_upstream_body"));
  }

  /** Drops the routing metadata of a cached answer, which was routed for another request. */
  private static Options told(Reply.Answered reply, Options options) {
    return reply.cached() ? new Options(false, options.debug()) : options;
  }

  private static Map<String, String> streamHeaders(String id, @Nullable CacheStatus cache) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "text/event-stream");
    headers.put("Cache-Control", "no-cache");
    headers.put(ResponseFactory.GENERATION_ID, id);
    CacheHeaders.put(cache, headers);
    return headers;
  }

  /** Returns whether either metadata header is {@code enabled}, in any case. */
  static boolean wantsMetadata(WireRequest.Headers headers) {
    return isEnabled(headers.first("X-Router-Metadata"))
        || isEnabled(headers.first("X-Router-Experimental-Metadata"));
  }

  private static boolean isEnabled(@Nullable String value) {
    return value != null && value.strip().toLowerCase(Locale.ROOT).equals("enabled");
  }

  /** A stream of events as the body of a response. */
  private record StreamBody(AnswerStream stream) implements WireBody {
    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      return stream.writeNext(out);
    }

    @Override
    public boolean ready() {
      return stream.ready();
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
