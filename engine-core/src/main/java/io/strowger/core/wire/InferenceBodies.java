package io.strowger.core.wire;

import io.strowger.core.account.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.preset.Merged;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetCache;
import io.strowger.core.preset.PresetMerge;
import io.strowger.core.preset.PresetReferences;
import io.strowger.core.preset.Presets;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request for an answer, in one dialect: merges the preset it refers to under
 * it, decodes the whole, and adds what the headers say: the session, where the body has none, and
 * the features asked of an upstream. What is wrong is told in the places of the caller's own body.
 */
final class InferenceBodies {
  private final BodyReader bodies;
  private final Presets presets;
  private final Dialect dialect;
  private final Decoder decoder;
  private final Unserved unserved;
  private final int problemLimit;

  /**
   * A request, and what its preset says of caching.
   *
   * @param request preset merged in
   */
  record Read(InferenceRequest request, PresetCache cache) {}

  /** Reads a whole body, preset merged in, and notes what is wrong with it. */
  @FunctionalInterface
  interface Decoder {
    InferenceRequest decode(Json.Obj body, Problems problems);
  }

  /** Notes what a good body may ask for and this version cannot do. */
  @FunctionalInterface
  interface Unserved {
    void check(Json.Obj body, Problems problems);
  }

  InferenceBodies(
      BodyReader bodies,
      Presets presets,
      Dialect dialect,
      Decoder decoder,
      Unserved unserved,
      int problemLimit) {
    this.bodies = Objects.requireNonNull(bodies, "bodies");
    this.presets = Objects.requireNonNull(presets, "presets");
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.decoder = Objects.requireNonNull(decoder, "decoder");
    this.unserved = Objects.requireNonNull(unserved, "unserved");
    this.problemLimit = problemLimit;
  }

  /**
   * @throws GatewayException 413 or 400 when it is not as it should be, 404 when it refers to a
   *     preset there is none of
   */
  Read read(Caller caller, WireRequest wire) {
    Json.Obj body = bodies.read(wire);
    var problems = new Problems(problemLimit);
    PresetReferences.Reference reference = PresetReferences.find(body, problems);
    if (reference == null) {
      // what is wrong with the reference has been said, and a null is not for an upstream
      return new Read(decoded(wire, body.without("preset"), null, problems), PresetCache.SILENT);
    }
    Preset preset = preset(caller, reference.slug());
    Merged merged = PresetMerge.merge(preset, reference.document(), dialect);
    try {
      return new Read(decoded(wire, merged.document(), preset.id(), problems), preset.cache());
    } catch (GatewayException refused) {
      throw merged.placed(refused.error()).toException();
    }
  }

  private Preset preset(Caller caller, String slug) {
    Preset preset = presets.designated(caller.workspace(), slug);
    if (preset == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND, "There is no preset " + slug).toException();
    }
    return preset;
  }

  private InferenceRequest decoded(
      WireRequest wire, Json.Obj body, @Nullable String preset, Problems problems) {
    InferenceRequest request = decoder.decode(body, problems);
    unserved.check(body, problems);
    String session = SessionHeader.of(wire.headers(), body, problems);
    List<String> features = FeatureHeader.of(wire.headers(), problems);
    problems.throwIfAny();
    InferenceRequest.Builder told =
        request.toBuilder()
            .upstreamFeatures(features)
            .origin(OriginHeaders.of(wire.headers(), preset));
    return (session == null ? told : told.sessionId(session)).build();
  }
}
