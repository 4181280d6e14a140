package io.strowger.spi.speech;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Preferences of a speech request")
class SpeechPreferencesTest {
  private static Json.Obj speed(int speed) {
    return Json.object().put("speed", speed).build();
  }

  @Test
  @DisplayName("give a provider its own options and never another's")
  void options() {
    Json.Obj options = Json.object().put("alpha", speed(1)).put("beta", speed(2)).build();
    var preferences = new SpeechPreferences(false, false, options);
    assertThat(preferences.optionsFor("alpha")).isEqualTo(speed(1));
    assertThat(preferences.optionsFor("Beta")).isEqualTo(speed(2));
    assertThat(preferences.optionsFor("gamma")).isEqualTo(Json.Obj.EMPTY);
    assertThat(SpeechPreferences.NONE.optionsFor("alpha")).isEqualTo(Json.Obj.EMPTY);
  }
}
