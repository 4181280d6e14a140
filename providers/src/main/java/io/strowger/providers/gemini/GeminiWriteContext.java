package io.strowger.providers.gemini;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import java.util.List;

/**
 * The state shared by the writers of one request body.
 *
 * @param names maps tool names to those the upstream accepts
 */
record GeminiWriteContext(Call call, JsonCodec codec, Losses losses, SafeNames names) {

  /** Returns whether the endpoint accepts the parameter; records a loss when it does not. */
  boolean accepts(Parameter parameter) {
    if (call.endpoint().supports(parameter)) {
      return true;
    }
    losses.dropped(parameter.wireName(), "the endpoint has no such parameter");
    return false;
  }

  /**
   * Records each cache mark among the members as a loss, since this dialect caches automatically.
   */
  void dropCacheMarks(Json.Obj extras) {
    for (String mark : List.of("cache_control", "prompt_cache_breakpoint")) {
      if (extras.has(mark) && !(extras.get(mark) instanceof Json.Null)) {
        losses.dropped(mark, "the upstream decides itself what it caches");
      }
    }
  }
}
