package io.strowger.providers.chat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;

/** The names of a request's tools as this dialect takes them, the same on both ways of a call. */
final class ChatToolNames {
  private ChatToolNames() {}

  /** Nothing is renamed in a request of this dialect's own. */
  static SafeNames of(InferenceRequest request) {
    var names = new SafeNames();
    if (request.dialect() != Dialect.CHAT) {
      for (Tool tool : request.tools()) {
        if (tool instanceof Tool.Function function) {
          names.safe(function.name());
        }
      }
    }
    return names;
  }
}
