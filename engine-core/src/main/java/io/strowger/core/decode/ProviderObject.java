package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;

/** {@code provider}, the one closed object of a request. Contract: "Provider preferences". */
public final class ProviderObject {
  public static final Rule<ProviderPreferences> RULE =
      (given, reading) -> {
        Json.Obj provider = Rules.object().read(given, reading);
        return provider == null
            ? null
            : new PreferencesDecoder(new Checks(reading.problems())).decode(reading.at(), provider);
      };

  private ProviderObject() {}
}
