package io.strowger.core.http;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.inference.Inference;
import io.strowger.core.preset.Presets;
import io.strowger.spi.model.Dialect;

/**
 * Makes the services of the three dialects, which differ in how they read and how they write.
 *
 * @param plugins those in force, which change meanwhile
 */
record InferenceFronts(
    Inference inference,
    BodyReader bodies,
    Presets presets,
    EarlyHead earlyHead,
    PluginChecks plugins,
    int problemLimit) {
  InferenceService service(
      Dialect dialect,
      InferenceBodies.Decoder decoder,
      InferenceBodies.Unserved unserved,
      AnswerFormat format) {
    return new InferenceService(inference, reader(dialect, decoder, unserved), format, earlyHead);
  }

  /** Reads bodies of a dialect, without serving them. */
  InferenceBodies reader(
      Dialect dialect, InferenceBodies.Decoder decoder, InferenceBodies.Unserved unserved) {
    return new InferenceBodies(this, dialect, decoder, unserved);
  }
}
