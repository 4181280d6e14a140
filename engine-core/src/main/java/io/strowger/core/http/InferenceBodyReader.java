package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.core.preset.MergedRequest;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.core.preset.PresetMerge;
import io.strowger.core.preset.PresetReferences;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of an inference request in one dialect: merges the preset it refers to, decodes
 * the result, and adds what the headers ask for: the features of an upstream, and the session when
 * the body has none. Problems are reported at their places in the caller's own body.
 */
record InferenceBodyReader(
    InferenceServiceFactory services,
    Dialect dialect,
    Decoder decoder,
    UnsupportedFeatureCheck unsupportedFeatureCheck)
    implements RequestReader {
  /** Decodes a body with its preset merged in, and notes its problems. */
  @FunctionalInterface
  interface Decoder {
    InferenceRequest.Builder decodeToBuilder(
        Json.Obj body, PluginChecks plugins, Problems problems);
  }

  /** Notes features that a valid body may ask for but this version does not support. */
  @FunctionalInterface
  interface UnsupportedFeatureCheck {
    void check(Json.Obj body, PluginChecks plugins, Problems problems);
  }

  @Override
  public Result read(Caller caller, WireRequest wire) {
    return read(caller, services.bodyReader().read(wire), wire.headers());
  }

  /** Reads a document that did not arrive as the body of an HTTP request. */
  Result read(Caller caller, Json.Obj body, WireRequest.Headers headers) {
    var problems = new Problems(services.problemLimit());
    PresetReferences.Reference reference = PresetReferences.find(body, problems);
    if (reference == null) {
      // the member is absent, null or malformed (which is already noted): a null must not reach an
      // upstream
      return read(
          new DecodingInput(headers, body.without("preset"), null, null),
          PresetCacheSettings.UNSET,
          problems);
    }
    Preset preset = preset(caller, reference.slug());
    MergedRequest mergedRequest = PresetMerge.merge(preset, reference.document(), dialect);
    return read(
        new DecodingInput(headers, mergedRequest.document(), preset.id(), mergedRequest),
        preset.cache(),
        problems);
  }

  /**
   * The input that a request is decoded from.
   *
   * @param body the body, with its preset merged in
   * @param presetId the preset's id; null without one
   * @param mergedRequest the result of the merge, which knows where each part comes from; null
   *     without a preset
   */
  private record DecodingInput(
      WireRequest.Headers headers,
      Json.Obj body,
      @Nullable String presetId,
      @Nullable MergedRequest mergedRequest) {}

  private Result read(DecodingInput decodingInput, PresetCacheSettings cache, Problems problems) {
    PluginChecks checks = services.plugins().snapshot();
    return new Result(
        decodeInCallerTerms(decodingInput, checks, problems),
        cache,
        new RequestDecoding(
            checks,
            otherChecks ->
                decodeInCallerTerms(
                    decodingInput, otherChecks, new Problems(services.problemLimit()))));
  }

  private InferenceRequest decodeInCallerTerms(
      DecodingInput decodingInput, PluginChecks checks, Problems problems) {
    try {
      return decode(decodingInput, checks, problems);
    } catch (GatewayException refusal) {
      MergedRequest mergedRequest = decodingInput.mergedRequest();
      throw mergedRequest == null
          ? refusal
          : mergedRequest.inCallerTerms(refusal.error()).toException();
    }
  }

  private Preset preset(Caller caller, String slug) {
    Preset preset = services.presets().findActive(caller.workspace(), slug);
    if (preset == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND, "There is no preset '" + slug + "'").toException();
    }
    return preset;
  }

  private InferenceRequest decode(
      DecodingInput decodingInput, PluginChecks checks, Problems problems) {
    WireRequest.Headers headers = decodingInput.headers();
    InferenceRequest.Builder request =
        decoder.decodeToBuilder(decodingInput.body(), checks, problems);
    unsupportedFeatureCheck.check(decodingInput.body(), checks, problems);
    String session = RequestHeaders.session(headers, decodingInput.body(), problems);
    List<String> features = FeatureHeader.of(headers, problems);
    problems.throwIfAny();
    request
        .upstreamFeatures(features)
        .origin(RequestHeaders.origin(headers, decodingInput.presetId()));
    return (session == null ? request : request.sessionId(session)).build();
  }
}
