package io.strowger.providers.responses;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;

/** The names of a request's tools as an upstream gets them, to read its answer by. */
final class ResponsesToolNames {
  private ResponsesToolNames() {}

  /** Knows every tool of the request; those of the dialect itself leave under their own names. */
  static SafeNames of(InferenceRequest request) {
    var names = new SafeNames();
    if (request.dialect() != Dialect.RESPONSES) {
      for (Tool tool : request.tools()) {
        if (tool instanceof Tool.Function function) {
          names.safe(function.name());
        }
      }
    }
    return names;
  }
}
