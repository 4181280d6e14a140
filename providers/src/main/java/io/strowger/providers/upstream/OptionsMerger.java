package io.strowger.providers.upstream;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import java.util.Set;

/**
 * Adds the options that a caller passes to one provider to the body that is sent to that provider.
 */
public final class OptionsMerger {
  private OptionsMerger() {}

  /**
   * Adds options to a body. Options never replace members of the request.
   *
   * @param reserved the members that options may not add even if the request lacks them
   * @param losses receives the options that are left out
   */
  public static Json.Obj merge(
      Json.Obj body, Json.Obj options, Set<String> reserved, Losses losses) {
    Json.Obj merged = body;
    for (int i = 0; i < options.size(); i++) {
      String name = options.name(i);
      if (reserved.contains(name) || body.has(name)) {
        losses.dropped(
            "provider.options." + name,
            reserved.contains(name)
                ? "options may not set this member"
                : "the request sets this member itself");
      } else {
        merged = merged.with(name, options.value(i));
      }
    }
    return merged;
  }
}
