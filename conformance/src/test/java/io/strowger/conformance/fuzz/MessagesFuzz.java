package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.spi.model.InferenceRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of messages bodies, given anything,")
class MessagesFuzz {
  static final Target<InferenceRequest> TARGET =
      Target.of(MessagesFuzz.class, new MessagesDecoder(Targets.PLUGINS)::decode)
          .keeping(InferenceRequest::members);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
