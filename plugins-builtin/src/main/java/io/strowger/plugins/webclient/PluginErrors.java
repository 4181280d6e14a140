package io.strowger.plugins.webclient;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/** Creates the errors of requests that ask for what a plugin cannot do. */
public final class PluginErrors {
  private PluginErrors() {}

  /**
   * Returns a 400 at the plugin's entry, or at the model when there is no entry, since a suffix of
   * the model or the account asked for the plugin.
   *
   * @param why the rest of a sentence whose subject is that place
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
