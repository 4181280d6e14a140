package io.strowger.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An object of a recorded decision")
class RecordedJsonTest {
  private final RecordedJson json =
      new RecordedJson(
          Json.object()
              .put("word", "x")
              .put("period", "daily")
              .put("PERIOD", "DAILY")
              .put("none", Json.NULL)
              .put("time", "2026-01-02T03:04:05Z")
              .build());

  @Test
  @DisplayName("reads a time")
  void time() {
    assertThat(json.instant("time")).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Test
  @DisplayName("names the member that is not a time, a number or an object")
  void unexpectedForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.instant("word"))
        .withMessage("has a member word of an unexpected form")
        .withCauseInstanceOf(DateTimeParseException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.number("word"))
        .withMessage("has a member word of an unexpected form");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.object("word"))
        .withMessage("has a member word of an unexpected form");
  }

  @Test
  @DisplayName("reads a constant in capital or small letters, and names the member that has none")
  void constant() {
    assertThat(json.constant("period", Period.class)).isEqualTo(Period.DAILY);
    assertThat(json.constant("PERIOD", Period.class)).isEqualTo(Period.DAILY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.constant("word", Period.class))
        .withMessage("has a member word of an unexpected form");
  }

  @Test
  @DisplayName("names a member that is missing")
  void missing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.instant("created"))
        .withMessage("has no member created");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.flag("created"))
        .withMessage("has no member created");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.texts("created"))
        .withMessage("has no member created");
  }

  @Test
  @DisplayName("has no value for an optional member that is absent or null")
  void optional() {
    assertThat(json.optionalText("absent")).isNull();
    assertThat(json.optionalText("none")).isNull();
    assertThat(json.optional("absent", json::instant)).isNull();
    assertThat(json.optional("none", json::instant)).isNull();
  }

  @Test
  @DisplayName("has no value for a member that is null, and rejects one that must not be absent")
  void orNull() {
    assertThat(json.orNull("none", json::text)).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> json.orNull("absent", json::text))
        .withMessage("has no member absent");
  }
}
