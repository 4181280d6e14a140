package io.strowger.core.dialect.chat;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.Objects;

/**
 * Reads the body of a chat request into the engine's own shape, noting everything that is wrong
 * with it. Contract: "Chat request body", "Provider preferences", "Plugins", "Limits". Immutable,
 * safe on any thread.
 *
 * <p>Holds a body to the contract. Members the contract does not know are kept and passed on; only
 * {@code provider} is closed. What this version cannot do is not its business but that of {@link
 * io.strowger.core.dialect.UnsupportedFeatures}.
 */
public final class ChatDecoder {
  private final PluginChecks plugins;

  /**
   * @param plugins judges the entries of {@code plugins}
   */
  public ChatDecoder(PluginChecks plugins) {
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /**
   * Reads a body. What comes back is only good when no problem was noted.
   *
   * @param problems takes what is wrong; the caller ends the request when there is any
   */
  public InferenceRequest decode(Json.Obj body, Problems problems) {
    var context = new DecodingContext(problems, plugins);
    ChatDraft draft = read(body, context);
    return context.isMisnamed()
        ? read(MediaAddress.renamed(body), new DecodingContext(problems, plugins)).request()
        : draft.request();
  }

  private static ChatDraft read(Json.Obj body, DecodingContext context) {
    var draft = new ChatDraft(body);
    ChatMembers.TABLE.read(body, context, draft);
    return draft;
  }
}
