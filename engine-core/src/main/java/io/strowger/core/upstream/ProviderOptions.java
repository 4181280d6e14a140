package io.strowger.core.upstream;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.speech.SpeechPreferences;

/** The options a caller passes to one provider: {@code provider.options}. */
final class ProviderOptions {
  /** The member that only the gateway reads, except for its {@code options}. */
  static final String PROVIDER = "provider";

  private ProviderOptions() {}

  /** Returns the options for the provider of a call; empty when there are none. */
  static Json.Obj of(Call call) {
    Json.Obj preferences = call.request().members().object(PROVIDER);
    Json.Obj options = preferences == null ? null : preferences.object("options");
    return options == null
        ? Json.Obj.EMPTY
        : new SpeechPreferences(false, false, options)
            .optionsFor(call.endpoint().provider().slug());
  }
}
