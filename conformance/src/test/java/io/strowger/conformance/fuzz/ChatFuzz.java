package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.spi.model.InferenceRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of chat bodies, given any body,")
class ChatFuzz {
  static final Target<InferenceRequest> TARGET =
      Target.of(ChatFuzz.class, new ChatDecoder(Targets.PLUGINS)::decode)
          .preservingMembers(InferenceRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
