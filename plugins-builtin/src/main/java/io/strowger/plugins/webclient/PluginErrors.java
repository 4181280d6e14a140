package io.strowger.plugins.webclient;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/** Refuses a request because of what it asks of a plugin. */
public final class PluginErrors {
  private PluginErrors() {}

  /**
   * A 400 at the plugin's entry; at the model when there is none, since a suffix of it asked for
   * the plugin, or the account did.
   *
   * @param why the rest of a sentence that begins with the place
   */
  public static GatewayException of(InferenceRequest request, String plugin, String why) {
    JsonPointer at = JsonPointer.ROOT.child("model");
    for (int i = 0; i < request.plugins().size(); i++) {
      if (request.plugins().get(i).id().equals(plugin)) {
        at = JsonPointer.ROOT.child("plugins").child(i);
      }
    }
    return GatewayError.of(ErrorCode.INVALID_REQUEST, List.of(new Problem(at, why, "")))
        .toException();
  }
}
