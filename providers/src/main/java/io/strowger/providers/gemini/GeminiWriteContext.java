package io.strowger.providers.gemini;

import io.strowger.providers.translate.Losses;
import io.strowger.providers.translate.SafeNames;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.JsonCodec;
import java.util.List;

/**
 * What those who write a body's members have in common.
 *
 * @param names of tools and what they are called upstream
 */
record GeminiWriteContext(Call call, JsonCodec codec, Losses losses, SafeNames names) {

  /** Whether the endpoint takes it; told to the losses when it does not. */
  boolean takes(Parameter parameter) {
    if (call.endpoint().supports(parameter)) {
      return true;
    }
    losses.dropped(parameter.wireName(), "the endpoint does not take it");
    return false;
  }

  /** This dialect caches by itself. */
  void noCacheMark(Json.Obj extras) {
    for (String mark : List.of("cache_control", "prompt_cache_breakpoint")) {
      if (extras.has(mark) && !(extras.get(mark) instanceof Json.Null)) {
        losses.dropped(mark, "the upstream caches by itself");
      }
    }
  }
}
