package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.TranscriptionDecoder;
import io.strowger.spi.model.TranscriptionRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of transcription bodies, given any body,")
class TranscriptionFuzz {
  static final Target<TranscriptionRequest> TARGET =
      Target.of(TranscriptionFuzz.class, new TranscriptionDecoder()::decode);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
