package io.strowger.core.dialect.messages;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.Objects;

/**
 * Reads the body of a messages request into the engine's own shape, noting everything that is wrong
 * with it. Contract: "POST /messages", "Limits"; messages fact sheet, sections 1 and 2. Immutable,
 * safe on any thread.
 *
 * <p>Members, blocks and tools of kinds nobody knows are kept and passed on; only {@code provider}
 * and the entries of {@code fallbacks} are closed.
 */
public final class MessagesDecoder {
  private final PluginChecks plugins;

  public MessagesDecoder(PluginChecks plugins) {
    this.plugins = Objects.requireNonNull(plugins, "plugins");
  }

  /**
   * Reads a body. What comes back is only good when no problem was noted.
   *
   * @param problems takes what is wrong; the caller ends the request when there is any
   */
  public InferenceRequest decode(Json.Obj body, Problems problems) {
    var context = new DecodingContext(problems, plugins);
    MessagesDraft draft = read(body, context);
    return context.isMisnamed()
        ? read(MediaAddress.renamed(body), new DecodingContext(problems, plugins)).request()
        : draft.request();
  }

  private static MessagesDraft read(Json.Obj body, DecodingContext context) {
    var draft = new MessagesDraft(body);
    MessagesBody.TABLE.read(body, context, draft);
    return draft;
  }

  /**
   * True of a type of content block the contract lists, be it of requests or of answers. Messages
   * fact sheet, sections 2 and 3.
   */
  public static boolean knows(String type) {
    return ContentBlockRules.isKnown(type);
  }
}
