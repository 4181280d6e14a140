package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.Objects;

/**
 * Reads the body of a chat request into the engine's own shape, noting everything that is wrong
 * with it. Contract: "Chat request body", "Provider preferences", "Plugins", "Limits". Immutable,
 * safe on any thread.
 *
 * <p>Members nobody knows are kept and passed on; only {@code provider} is closed. What the
 * contract knows and this version cannot do yet is a problem: never ignored without a word, never
 * handed to an upstream that would not know it.
 */
public final class ChatDecoder {
  private final PluginChecks plugins;

  public ChatDecoder(PluginChecks plugins) {
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /**
   * Reads a body. What comes back is only good when no problem was noted.
   *
   * @param problems takes what is wrong; the caller ends the request when there is any
   */
  public InferenceRequest decode(Json.Obj body, Problems problems) {
    return new ChatReading(body, new Checks(problems), plugins).read();
  }
}
