package io.strowger.core.wire;

import io.strowger.core.account.Accounts;
import io.strowger.core.account.Caller;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Unbuilt;
import io.strowger.core.decode.chat.ChatDecoder;
import io.strowger.core.decode.messages.MessagesDecoder;
import io.strowger.core.decode.responses.ResponsesDecoder;
import io.strowger.core.encode.Envelope;
import io.strowger.core.encode.chat.ChatFormat;
import io.strowger.core.encode.messages.MessagesFormat;
import io.strowger.core.encode.responses.ResponsesFormat;
import io.strowger.core.flow.Inference;
import io.strowger.core.preset.Presets;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.JsonCodec;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole HTTP surface as one function: a host hands in what it received and sends what comes
 * back. Contract: "Endpoints", "Authentication", "Errors".
 *
 * <p>A request is admitted by its headers before anything else happens, so that a stranger learns
 * nothing, not even which paths exist, and no body of a stranger is read. Safe on any thread; each
 * call runs on the caller's own, which should be a virtual one, and may wait for an upstream.
 */
public final class WireApi {
  private static final Logger log = LoggerFactory.getLogger(WireApi.class);
  private static final byte[] HEALTHY = Json.object().put("status", "ok").build().toBytes();

  private final Accounts accounts;
  private final Routes routes = new Routes();
  private final InferenceService chat;
  private final InferenceService messages;
  private final InferenceService responses;
  private final UnbuiltServices unbuilt;

  /**
   * @param accounts the keys there are
   * @param inference what serves requests
   * @param codec reads bodies, with the bounds of the configuration
   * @param batchCodec reads those of batches, which may hold more
   * @param plugins judges plugin entries
   * @param presets looked up by requests that refer to one
   * @param earlyHead when the status line of a stream goes out before its first content
   * @param clock tells the time of day
   */
  public WireApi(
      Accounts accounts,
      Inference inference,
      JsonCodec codec,
      JsonCodec batchCodec,
      WireLimits limits,
      PluginChecks plugins,
      Presets presets,
      EarlyHead earlyHead,
      Supplier<Instant> clock) {
    this.accounts = Objects.requireNonNull(accounts, "accounts");
    var bodies = new BodyReader(codec, limits.requestBytes());
    var batchBodies = new BodyReader(batchCodec, limits.batchBytes());
    var fronts = new InferenceFronts(inference, bodies, presets, earlyHead, limits.problems());
    InferenceBodies.Unserved unbuilt = (body, problems) -> Unbuilt.check(body, plugins, problems);
    this.chat =
        fronts.service(Dialect.CHAT, new ChatDecoder(plugins)::decode, unbuilt, new ChatFormat());
    this.messages =
        fronts.service(
            Dialect.MESSAGES,
            new MessagesDecoder(plugins)::decode,
            (body, problems) -> Unbuilt.checkPlugins(body, plugins, problems),
            new MessagesFormat());
    this.responses =
        fronts.service(
            Dialect.RESPONSES,
            new ResponsesDecoder(plugins)::decode,
            unbuilt,
            new ResponsesFormat(clock));
    this.unbuilt = new UnbuiltServices(bodies, batchBodies, plugins, limits);
  }

  /** Answers a request. Never throws; close the response's body. */
  public WireResponse handle(WireRequest request) {
    var responses = new Responses(Routes.envelope(request.path()));
    try {
      return dispatch(request, responses);
    } catch (GatewayException refused) {
      return responses.error(refused.error());
    } catch (RuntimeException | Error bug) {
      log.error("{} {} failed", request.method(), request.path(), bug);
      return responses.error(GatewayError.of(ErrorCode.INTERNAL));
    }
  }

  private WireResponse dispatch(WireRequest request, Responses responses) {
    Operation operation = routes.operation(request.method(), request.path());
    if (operation == Operation.HEALTH) {
      return responses.ok(HEALTHY, null);
    }
    Caller caller =
        accounts.admit(authorization(request, responses.envelope()), operation.access());
    return switch (operation) {
      case CHAT -> chat.serve(caller, request, responses);
      case MESSAGES -> messages.serve(caller, request, responses);
      case RESPONSES -> this.responses.serve(caller, request, responses);
      case EMBEDDINGS,
          SPEECH,
          CREATE_BATCH,
          LIST_BATCHES,
          GET_BATCH,
          DELETE_BATCH,
          CREATE_KEY,
          LIST_KEYS,
          GET_KEY,
          UPDATE_KEY,
          DELETE_KEY,
          CURRENT_KEY,
          CREATE_DESTINATION,
          LIST_DESTINATIONS,
          GET_DESTINATION,
          UPDATE_DESTINATION,
          DELETE_DESTINATION,
          PRESET_FROM_CHAT,
          PRESET_FROM_MESSAGES,
          PRESET_FROM_RESPONSES,
          LIST_PRESETS,
          GET_PRESET,
          LIST_PRESET_VERSIONS,
          GET_PRESET_VERSION,
          GET_GENERATION,
          LIST_MODELS,
          OTHER_MANAGEMENT,
          OTHER_READING ->
          responses.error(unbuilt.refuse(operation, request));
      case OTHER_METHOD ->
          responses.methodNotAllowed(
              GatewayError.of(ErrorCode.METHOD_NOT_ALLOWED),
              Objects.requireNonNullElse(routes.allowed(request.path()), ""));
      case NOWHERE, HEALTH -> responses.error(GatewayError.of(ErrorCode.NOT_FOUND));
    };
  }

  /** The bearer header; clients of the messages format may send their key under another name. */
  private static @Nullable String authorization(WireRequest request, Envelope envelope) {
    String bearer = request.headers().first("Authorization");
    if (bearer != null || envelope != Envelope.MESSAGES) {
      return bearer;
    }
    String key = request.headers().first("x-api-key");
    return key == null ? null : "Bearer " + key;
  }
}
