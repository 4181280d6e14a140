package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.Upstream;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The reader of messages streams, given any bytes,")
class MessagesStreamFuzz {
  static final StreamTarget TARGET = StreamTarget.of(MessagesStreamFuzz.class, Upstream.MESSAGES);

  @FuzzTest
  @DisplayName("ends with exactly one final event and throws nothing")
  void reads(byte[] input) {
    TARGET.check(input);
  }
}
