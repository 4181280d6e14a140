package io.strowger.spi.speech;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A caller's provider preferences for speech: the speech endpoint's own {@code provider} object.
 * Contract: "POST /audio/speech"; speech fact sheet, {@code provider}.
 *
 * @param zdr whether to use only providers that retain nothing
 * @param denyDataCollection whether to use only providers that do not train on what they receive
 * @param options an object with one member per provider slug; each provider is sent only its own
 *     member, and members of unknown slugs are dropped
 */
public record SpeechPreferences(boolean zdr, boolean denyDataCollection, Json.Obj options) {
  public static final SpeechPreferences NONE = new SpeechPreferences(false, false, Json.Obj.EMPTY);

  public SpeechPreferences {
    Objects.requireNonNull(options, "options");
  }

  /**
   * Returns the part of the {@link #options} that is sent to a provider: its own object only.
   *
   * @param slug the slug of the provider; case does not matter
   * @return the options; empty when the caller gave none for it
   */
  public Json.Obj optionsFor(String slug) {
    for (int i = 0; i < options.size(); i++) {
      if (options.name(i).equalsIgnoreCase(slug)
          && options.value(i) instanceof Json.Obj providerOptions) {
        return providerOptions;
      }
    }
    return Json.Obj.EMPTY;
  }
}
