package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.StopReason;
import io.strowger.tck.conformance.Proves;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A finish_reason")
class StopReasonsTest {
  @Proves({"translation.stop.TOOL_CALLS", "translation.case.8"})
  @ParameterizedTest(name = "{0}, calls {1}, refusal {2}: {3}")
  @DisplayName(
      "Case 8: is replaced by what the answer contains when it is a plain stop, wrong, or unknown")
  @CsvSource({
    "stop, false, false, END",
    ", false, false, END",
    "later, false, false, END",
    "stop, true, false, TOOL_CALLS",
    "tool_calls, true, false, TOOL_CALLS",
    "tool_calls, false, false, END",
    "stop, false, true, REFUSAL",
    "length, true, false, LENGTH",
    "max_tokens, false, false, LENGTH",
    "content_filter, false, true, CONTENT_FILTER",
    "model_length, false, false, CONTEXT_WINDOW",
    "stop_sequence, false, false, STOP_SEQUENCE",
    "error, true, false, ERROR"
  })
  void words(@Nullable String finishReason, boolean calls, boolean refused, StopReason reason) {
    assertThat(StopReasons.CHAT.of(finishReason, calls, refused)).isEqualTo(reason);
  }
}
