package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.Upstream;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The reader of gemini streams, given anything,")
class GeminiStreamFuzz {
  static final StreamTarget TARGET = StreamTarget.of(GeminiStreamFuzz.class, Upstream.GEMINI);

  @FuzzTest
  @DisplayName("ends exactly once and breaks nobody")
  void reads(byte[] input) {
    TARGET.check(input);
  }
}
