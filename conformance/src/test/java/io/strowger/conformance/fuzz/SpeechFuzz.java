package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.speech.SpeechDecoder;
import io.strowger.spi.speech.SpeechRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of speech bodies, given any body,")
class SpeechFuzz {
  static final Target<SpeechRequest> TARGET =
      Target.of(SpeechFuzz.class, new SpeechDecoder()::decode)
          .preservingMembers(SpeechRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
