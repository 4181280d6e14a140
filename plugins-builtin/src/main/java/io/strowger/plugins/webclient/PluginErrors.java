package io.strowger.plugins.webclient;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/** Creates the errors for requests that name or enable a plugin that cannot run. */
public final class PluginErrors {
  private PluginErrors() {}

  /**
   * Returns an error 400 located at the plugin's entry in the request. Without an entry, the plugin
   * was enabled by a suffix of the model or by the account, and the error is located at the model.
   *
   * @param reason the rest of a sentence whose subject is that location
   */
  public static GatewayException of(InferenceRequest request, String plugin, String reason) {
    JsonPointer at = JsonPointer.ROOT.child("model");
    for (int i = 0; i < request.plugins().size(); i++) {
      if (request.plugins().get(i).id().equals(plugin)) {
        at = JsonPointer.ROOT.child("plugins").child(i);
      }
    }
    return GatewayError.of(ErrorCode.INVALID_REQUEST, List.of(new Problem(at, reason, "")))
        .toException();
  }
}
