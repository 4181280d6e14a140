package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.Upstream;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The reader of chat streams, given any bytes,")
class ChatStreamFuzz {
  static final StreamTarget TARGET = StreamTarget.of(ChatStreamFuzz.class, Upstream.CHAT);

  @FuzzTest
  @DisplayName("ends with exactly one final event and throws nothing")
  void reads(byte[] input) {
    TARGET.check(input);
  }
}
