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
record InferenceService(
    Inference inference,
    RequestReader requestReader,
    AnswerFormat format,
    EarlyHeadPolicy earlyHeadPolicy) {
  private static final GatewayError PROVIDER_ERROR = GatewayError.of(ErrorCode.PROVIDER_ERROR);

  WireResponse serve(Caller caller, WireRequest wire, ResponseFactory responseFactory) {
    RequestReader.Result readResult = requestReader.read(caller, wire);
    InferenceRequest request = readResult.request();
    CacheOptions cacheOptions = CacheHeaders.of(wire.headers(), readResult.cache());
    var options = new Options(wantsMetadata(wire.headers()), wantsUpstreamEcho(request));
    Inference.PendingCall call =
        inference.begin(
            caller,
            new Inference.DecodedRequest(
                request,
                cacheOptions,
                readResult.decoding(),
                null,
                RequestHeaders.trace(wire.headers())),
            wire.cancellation());
    if (!request.streaming()) {
      return documentResponse(asAnswer(call.reply()), request, options.metadata(), responseFactory);
    }
    Function<Reply.Answered, AnswerStream> streamFactory =
        reply -> new AnswerStream(reply, format.writer(reply, request, optionsFor(reply, options)));
    if (!earlyHeadPolicy.isEnabled()) {
      return streamResponse(asAnswer(call.reply()), streamFactory, options, responseFactory);
    }
    EarlyStream earlyStream = earlyHeadPolicy.stream(call, wire.cancellation(), streamFactory);
    Reply earlyReply = earlyStream.awaitReply();
    return earlyReply == null
        ? new WireResponse(200, streamHeaders(call.id(), call.cache()), earlyStream)
        : streamResponse(asAnswer(earlyReply), streamFactory, options, responseFactory);
  }

  /** Reads a request, as {@link RequestReader#read}. */
  RequestReader.Result read(Caller caller, WireRequest wire) {
    return requestReader.read(caller, wire);
  }

  /**
   * Answers a request of a batch with one document. The cache and all headers are ignored.
   *
   * @param adaptToBatch changes the decoded request as its batch requires
   * @throws io.strowger.spi.error.GatewayException when the request cannot be read
   */
  BatchRequestHandler.ItemAnswer answer(
      Caller caller,
      WireRequest wire,
      UnaryOperator<InferenceRequest> adaptToBatch,
      BatchItem item) {
    RequestReader.Result readResult = requestReader.read(caller, wire);
    InferenceRequest request = adaptToBatch.apply(readResult.request());
    RequestDecoding decoding = readResult.decoding();
    RequestDecoding batchDecoding =
        decoding == null
            ? null
            : new RequestDecoding(
                decoding.plugins(),
                otherPlugins -> adaptToBatch.apply(decoding.decoder().apply(otherPlugins)));
    Reply reply =
        asAnswer(
            inference
                .begin(
                    caller,
                    new Inference.DecodedRequest(
                        request, null, batchDecoding, item, Inference.Origin.NONE),
                    wire.cancellation())
                .reply());
    return switch (reply) {
      case Reply.Refused refusal -> new BatchRequestHandler.ItemAnswer(null, refusal.error(), null);
      case Reply.Answered answered -> {
        try (Reply.MeteredAnswer meteredAnswer = answered.answer()) {
          yield encode(answered, request, CollectedAnswer.from(meteredAnswer));
        }
      }
    };
  }

  private BatchRequestHandler.ItemAnswer encode(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer) {
    JsonOutput body = body(reply, request, answer, false);
    Bill bill = reply.answer().bill();
    Event.Failed failure = answer.failure();
    GatewayError error = failure == null ? PROVIDER_ERROR : failure.error();
    return body == null
        ? new BatchRequestHandler.ItemAnswer(null, error, bill)
        : new BatchRequestHandler.ItemAnswer(bytes(body), null, bill);
  }

  private static byte[] bytes(JsonOutput document) {
    var bytes = new ByteArrayOutputStream();
    try {
      document.writeTo(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /** Turns a refusal that this dialect reports as an answer into an answer. */
  private Reply asAnswer(Reply reply) {
    return reply instanceof Reply.Refused refusal && format.writesAsAnswer(refusal.error())
        ? InBandError.of(refusal)
        : reply;
  }

  /**
   * Returns the response for a streamed request. The host closes the answer with the response; when
   * no response can be made, this method closes it.
   */
  private static WireResponse streamResponse(
      Reply reply,
      Function<Reply.Answered, AnswerStream> streamFactory,
      Options options,
      ResponseFactory responseFactory) {
    return switch (reply) {
      case Reply.Refused refusal -> refusalResponse(refusal, options.metadata(), responseFactory);
      case Reply.Answered answered -> {
        try {
          yield new WireResponse(
              200,
              streamHeaders(answered.id(), answered.cache()),
              new StreamBody(streamFactory.apply(answered)));
        } catch (RuntimeException | Error bug) {
          answered.answer().close();
          throw bug;
        }
      }
    };
  }

  private WireResponse documentResponse(
      Reply reply, InferenceRequest request, boolean metadata, ResponseFactory responseFactory) {
    return switch (reply) {
      case Reply.Refused refusal -> refusalResponse(refusal, metadata, responseFactory);
      case Reply.Answered answered -> {
        Reply.MeteredAnswer answer = answered.answer();
        try {
          boolean includeMetadata = metadata && !answered.isCached();
          WireResponse response =
              encode(
                  answered,
                  request,
                  CollectedAnswer.from(answer),
                  includeMetadata,
                  responseFactory);
          yield new WireResponse(
              response.status(),
              response.headers(),
              new ReleasingBody(response.body(), answer::close));
        } catch (RuntimeException | Error bug) {
          answer.close();
          throw bug;
        }
      }
    };
  }

  /**
   * Returns the answer's document; null when the answer failed without content and the dialect does
   * not write such an error as an answer, or when the dialect cannot express an incomplete answer.
   * The response is then an error.
   */
  private @Nullable JsonOutput body(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    Event.Failed failure = answer.failure();
    return failure != null && !answer.hasContent() && !format.writesAsAnswer(failure.error())
        ? null
        : format.document(reply, request, answer, metadata);
  }

  private WireResponse encode(
      Reply.Answered reply,
      InferenceRequest request,
      CollectedAnswer answer,
      boolean metadata,
      ResponseFactory responseFactory) {
    JsonOutput body = body(reply, request, answer, metadata);
    if (body != null) {
      return responseFactory.answer(body, reply.id(), reply.cache());
    }
    Event.Failed failure = answer.failure();
    return responseFactory.error(
        failure == null ? PROVIDER_ERROR : failure.error(),
        reply.id(),
        metadata ? RouterMetadata.of(reply.delivery().withoutEndpoint()) : null);
  }

  private static WireResponse refusalResponse(
      Reply.Refused refusal, boolean metadata, ResponseFactory responseFactory) {
    GatewayError error = refusal.error();
    return responseFactory.error(
        error, refusal.id(), metadata ? RouterMetadata.of(refusal.delivery()) : null);
  }

  private static boolean wantsUpstreamEcho(InferenceRequest request) {
    return request.member("debug") instanceof Json.Obj debug
        && Json.TRUE.equals(debug.get("echo_upstream_body"));
  }

  /**
   * Returns the options for a reply: a cached answer has no routing metadata, since it was routed
   * for another request.
   */
  private static Options optionsFor(Reply.Answered reply, Options options) {
    return reply.isCached() ? new Options(false, options.debug()) : options;
  }

  private static Map<String, String> streamHeaders(String id, @Nullable CacheStatus cache) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "text/event-stream");
    headers.put("Cache-Control", "no-cache");
    headers.put(ResponseFactory.GENERATION_ID, id);
    CacheHeaders.put(cache, headers);
    return headers;
  }

  /** Returns whether either metadata header is {@code enabled}, ignoring case. */
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
