package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.cache.CacheOptions;
import io.strowger.core.preset.PresetCacheSettings;
import io.strowger.tck.conformance.Proves;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The caching of an answer")
class CacheHeadersTest {
  private static @Nullable CacheOptions of(
      Map<String, String> headers, PresetCacheSettings preset) {
    var lower = new HashMap<String, String>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    return CacheHeaders.of(name -> lower.get(name.toLowerCase(Locale.ROOT)), preset);
  }

  private static int ttl(@Nullable String header, @Nullable Integer preset) {
    var headers = new HashMap<>(Map.of("X-Router-Cache", "true"));
    if (header != null) {
      headers.put("X-Router-Cache-TTL", header);
    }
    return Objects.requireNonNull(of(headers, new PresetCacheSettings(null, preset))).ttlSeconds();
  }

  @Proves("resources.record.cache.precedence")
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, false",
        "true, -, true",
        "TRUE, -, true",
        "' true ', -, true",
        "yes, -, false",
        "1, -, false",
        "-, true, true",
        "false, true, false",
        "maybe, true, true",
        "-, false, false",
        "false, false, false"
      })
  @DisplayName("is decided by the header, then by the preset, and is off if neither decides")
  void precedence(@Nullable String header, @Nullable Boolean preset, boolean cached) {
    Map<String, String> headers = header == null ? Map.of() : Map.of("X-Router-Cache", header);
    assertThat(of(headers, new PresetCacheSettings(preset, null)) != null).isEqualTo(cached);
  }

  @Proves({"resources.preset.PS-4", "resources.record.cache.precedence"})
  @Test
  @DisplayName("PS-4: is off if the preset forbids it, whatever the header says")
  void presetForbids() {
    assertThat(of(Map.of("X-Router-Cache", "true"), new PresetCacheSettings(false, 60))).isNull();
  }

  @Proves("resources.record.cache.ttl")
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, 300",
        "60, -, 60",
        "60, 90, 60",
        "-, 90, 90",
        "60abc, -, 60",
        "1.5, -, 1",
        "abc, -, 300",
        "abc, 90, 90",
        "'', 90, 90",
        "0, -, 1",
        "'-5', -, 1",
        "+5, -, 5",
        "+, -, 300",
        "86400, -, 86400",
        "86401, -, 86400",
        "99999999999999999999999, -, 86400"
      })
  @DisplayName("lasts the number of seconds at the beginning of the header, from 1 to 86400")
  void timeToLive(@Nullable String header, @Nullable Integer preset, int seconds) {
    assertThat(ttl(header, preset)).isEqualTo(seconds);
  }

  @Test
  @DisplayName("is cleared by the clear header, which has no effect if caching is off")
  void clear() {
    Map<String, String> clear = Map.of("X-Router-Cache-Clear", "true");
    assertThat(of(clear, PresetCacheSettings.UNSET)).isNull();
    assertThat(of(clear, new PresetCacheSettings(true, null)))
        .isEqualTo(new CacheOptions(300, true));
    assertThat(of(Map.of("X-Router-Cache", "true"), PresetCacheSettings.UNSET))
        .isEqualTo(new CacheOptions(300, false));
  }
}
