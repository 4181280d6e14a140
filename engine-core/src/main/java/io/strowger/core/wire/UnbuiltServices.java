package io.strowger.core.wire;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.batch.BatchDecoder;
import io.strowger.core.decode.chat.ChatDecoder;
import io.strowger.core.decode.embeddings.EmbeddingsDecoder;
import io.strowger.core.decode.messages.MessagesDecoder;
import io.strowger.core.decode.query.PathParameters;
import io.strowger.core.decode.query.Queries;
import io.strowger.core.decode.resource.DestinationDecoder;
import io.strowger.core.decode.resource.KeyDecoder;
import io.strowger.core.decode.resource.PresetDecoder;
import io.strowger.core.decode.responses.ResponsesDecoder;
import io.strowger.core.decode.speech.SpeechDecoder;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * The operations whose service does not exist yet. What they are asked is held to the whole of the
 * contract all the same: a wrong request is told what is wrong with it, a good one that it cannot
 * be served. A service that gets built takes its lines out of here. Safe on any thread.
 */
final class UnbuiltServices {
  private final BodyReader bodies;
  private final BodyReader batchBodies;
  private final PresetDecoder presetFromChat;
  private final PresetDecoder presetFromMessages;
  private final PresetDecoder presetFromResponses;
  private final EmbeddingsDecoder embeddings = new EmbeddingsDecoder();
  private final SpeechDecoder speech = new SpeechDecoder();
  private final BatchDecoder batches;
  private final KeyDecoder keys = new KeyDecoder();
  private final DestinationDecoder destinations = new DestinationDecoder();
  private final int problemLimit;

  UnbuiltServices(
      BodyReader bodies, BodyReader batchBodies, PluginChecks plugins, WireLimits limits) {
    this.bodies = bodies;
    this.batchBodies = batchBodies;
    this.batches = new BatchDecoder(limits.batchRequests());
    this.problemLimit = limits.problems();
    var fromMessages = new MessagesDecoder(plugins);
    var fromResponses = new ResponsesDecoder(plugins);
    presetFromChat = new PresetDecoder(Dialect.CHAT, new ChatDecoder(plugins)::decode);
    presetFromMessages = new PresetDecoder(Dialect.MESSAGES, fromMessages::decode);
    presetFromResponses = new PresetDecoder(Dialect.RESPONSES, fromResponses::decode);
  }

  /**
   * Holds a request to the contract.
   *
   * @return that it cannot be served
   * @throws io.strowger.spi.error.GatewayException what is wrong with it
   */
  GatewayError refuse(Operation operation, WireRequest request) {
    var problems = new Problems(problemLimit);
    String query = request.query();
    switch (operation) {
      case EMBEDDINGS -> embeddings.decode(bodies.read(request), problems);
      case SPEECH -> speech(request, problems);

      case CREATE_BATCH -> batches.accept(batchBodies.read(request), problems);
      case LIST_BATCHES -> listBatches(query, problems);
      case GET_BATCH, DELETE_BATCH -> {}

      case CREATE_KEY -> keys.create(bodies.read(request), problems);
      case LIST_KEYS -> Queries.keys(query, problems);
      case GET_KEY, DELETE_KEY -> key(request);
      case UPDATE_KEY -> {
        keys.update(bodies.read(request), problems);
        problems.throwIfAny();
        key(request);
      }
      case CURRENT_KEY -> {}

      case CREATE_DESTINATION -> destinations.create(bodies.read(request), problems);
      case LIST_DESTINATIONS -> Queries.destinations(query, problems);
      case GET_DESTINATION, DELETE_DESTINATION -> destination(request);
      case UPDATE_DESTINATION -> {
        destinations.update(bodies.read(request), null, problems);
        problems.throwIfAny();
        destination(request);
      }

      case PRESET_FROM_CHAT -> preset(presetFromChat, request, problems);
      case PRESET_FROM_MESSAGES -> preset(presetFromMessages, request, problems);
      case PRESET_FROM_RESPONSES -> preset(presetFromResponses, request, problems);
      case LIST_PRESETS -> Queries.presets(query, problems);
      case GET_PRESET -> slug(request, problems);
      case LIST_PRESET_VERSIONS -> {
        slug(request, problems);
        Queries.presets(query, problems);
      }
      case GET_PRESET_VERSION -> {
        slug(request, problems);
        PathParameters.presetVersion(segment(request, 3), problems);
      }

      case GET_GENERATION -> Queries.generation(query, problems);
      case LIST_MODELS -> Queries.models(query, problems);
      case OTHER_MANAGEMENT, OTHER_READING -> {}
      case HEALTH, CHAT, MESSAGES, RESPONSES, OTHER_METHOD, NOWHERE ->
          throw new IllegalStateException(operation + " is served");
    }
    problems.throwIfAny();
    return GatewayError.of(ErrorCode.NOT_IMPLEMENTED);
  }

  private void speech(WireRequest request, Problems problems) {
    Json.Obj body = bodies.read(request);
    speech.decode(body, problems);
    SessionHeader.of(request.headers(), body, problems);
  }

  private static void listBatches(String query, Problems problems) {
    Queries.batches(query, problems);
    if (!problems.isEmpty()) {
      throw Queries.batchesRefused(problems).toException();
    }
  }

  /** The body is judged also when the slug in the path is wrong: then for one that would do. */
  private void preset(PresetDecoder decoder, WireRequest request, Problems problems) {
    String slug = slug(request, problems);
    decoder.decode(slug == null ? "preset" : slug, bodies.read(request), problems);
  }

  private static @Nullable String slug(WireRequest request, Problems problems) {
    return PathParameters.presetSlug(segment(request, 1), problems);
  }

  /** There is no key whose hash is none. */
  private static void key(WireRequest request) {
    if (PathParameters.keyHash(segment(request, 1)) == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
  }

  private static void destination(WireRequest request) {
    if (PathParameters.destinationId(segment(request, 2)) == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
  }

  /** A segment of the path, from 0; there is one, for the path was found by its pattern. */
  private static String segment(WireRequest request, int index) {
    return request.path().split("/", -1)[index + 1];
  }
}
