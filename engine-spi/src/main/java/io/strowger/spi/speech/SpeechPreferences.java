package io.strowger.spi.speech;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * A caller's provider preferences for speech: the speech endpoint's own {@code provider} object.
 * Contract: "POST /audio/speech"; speech fact sheet, {@code provider}.
 *
 * @param zeroRetention only providers that keep nothing
 * @param denyDataCollection only providers that do not learn from what they are sent
 * @param options an object by provider slug; a provider gets its own and never another's, and slugs
 *     nobody has are dropped
 */
public record SpeechPreferences(
    boolean zeroRetention, boolean denyDataCollection, Json.Obj options) {
  public static final SpeechPreferences NONE = new SpeechPreferences(false, false, Json.Obj.EMPTY);

  public SpeechPreferences {
    Objects.requireNonNull(options, "options");
  }

  /**
   * Returns what a provider is sent of the {@link #options}: its own object, never another's.
   *
   * @param slug of the provider, in any case
   * @return empty when the caller said nothing for it
   */
  public Json.Obj optionsFor(String slug) {
    for (int i = 0; i < options.size(); i++) {
      if (options.name(i).equalsIgnoreCase(slug) && options.value(i) instanceof Json.Obj own) {
        return own;
      }
    }
    return Json.Obj.EMPTY;
  }
}
