package io.strowger.core.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings for the beginning of streamed answers.
 *
 * @param earlyHead the time after which the status line is sent even without content, 0 to a day;
 *     null to send it only with the first content
 */
public record StreamSettings(@Nullable Duration earlyHead) {
  static StreamSettings read(Section in) {
    Long millis = in.wholeNumber("early_head_ms", 0, 86_400_000);
    return new StreamSettings(millis == null ? null : Duration.ofMillis(millis));
  }
}
