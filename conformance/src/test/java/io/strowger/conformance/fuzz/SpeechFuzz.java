package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.speech.SpeechDecoder;
import io.strowger.spi.speech.SpeechRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of speech bodies, given anything,")
class SpeechFuzz {
  static final Target<SpeechRequest> TARGET =
      Target.of(SpeechFuzz.class, new SpeechDecoder()::decode).keeping(SpeechRequest::members);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
