package io.strowger.providers.upstream;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import java.util.Set;

/** What a caller passes to one provider, in the body that it is sent. */
public final class OptionsMerger {
  private OptionsMerger() {}

  /**
   * Adds options to a body. None replaces what the request itself says.
   *
   * @param ours members that options may not bring though the request has none of them
   * @param losses is told which are left out
   */
  public static Json.Obj added(Json.Obj body, Json.Obj options, Set<String> ours, Losses losses) {
    Json.Obj all = body;
    for (int i = 0; i < options.size(); i++) {
      String name = options.name(i);
      if (ours.contains(name) || body.has(name)) {
        losses.dropped("provider.options." + name, "the request says it itself");
      } else {
        all = all.with(name, options.value(i));
      }
    }
    return all;
  }
}
