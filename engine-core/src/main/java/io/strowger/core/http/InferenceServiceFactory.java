package io.strowger.core.http;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.inference.Inference;
import io.strowger.core.preset.Presets;
import io.strowger.spi.model.Dialect;

/**
 * Creates the services of the chat, messages and responses dialects, which differ in how they read
 * and write.
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
  InferenceService service(
      Dialect dialect,
      InferenceBodyReader.Decoder decoder,
      InferenceBodyReader.UnsupportedFeatureCheck unsupportedFeatureCheck,
      AnswerFormat format) {
    return new InferenceService(
        inference, bodyReader(dialect, decoder, unsupportedFeatureCheck), format, earlyHeadPolicy);
  }

  /** Returns a reader for the bodies of a dialect. */
  InferenceBodyReader bodyReader(
      Dialect dialect,
      InferenceBodyReader.Decoder decoder,
      InferenceBodyReader.UnsupportedFeatureCheck unsupportedFeatureCheck) {
    return new InferenceBodyReader(this, dialect, decoder, unsupportedFeatureCheck);
  }
}
