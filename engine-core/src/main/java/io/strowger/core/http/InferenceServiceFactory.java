package io.strowger.core.http;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.inference.Inference;
import io.strowger.core.preset.Presets;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.Dialect;

/**
 * Creates the services of inference requests, which differ in how they read and write.
 *
 * @param earlyHeadPolicy decides when the status line of a stream is sent before its first content
 * @param plugins checks the entries of a request's {@code plugins} member against the plugins
 *     installed at the time
 */
record InferenceServiceFactory(
    Inference inference,
    BodyReader bodyReader,
    Presets presets,
    EarlyHeadPolicy earlyHeadPolicy,
    PluginChecks plugins,
    int problemLimit) {
  InferenceService service(RequestReader reader, AnswerFormat format) {
    return new InferenceService(inference, reader, format, earlyHeadPolicy);
  }

  /** Returns a service whose answers are not streamed. */
  InferenceService unaryService(
      Endpoint.Kind kind, UnaryBodyReader.Decoder decoder, AnswerFormat format) {
    return service(new UnaryBodyReader(bodyReader, problemLimit, kind, decoder), format);
  }

  /** Returns a reader for the bodies of a dialect. */
  InferenceBodyReader reader(
      Dialect dialect,
      InferenceBodyReader.Decoder decoder,
      InferenceBodyReader.UnsupportedFeatureCheck unsupportedFeatureCheck) {
    return new InferenceBodyReader(this, dialect, decoder, unsupportedFeatureCheck);
  }
}
