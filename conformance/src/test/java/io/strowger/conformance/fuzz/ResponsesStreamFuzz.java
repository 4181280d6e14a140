package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.Upstream;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The reader of responses streams, given anything,")
class ResponsesStreamFuzz {
  static final StreamTarget TARGET = StreamTarget.of(ResponsesStreamFuzz.class, Upstream.RESPONSES);

  @FuzzTest
  @DisplayName("ends exactly once and breaks nobody")
  void reads(byte[] input) {
    TARGET.check(input);
  }
}
