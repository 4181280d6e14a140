package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.spi.model.InferenceRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of messages bodies, given any body,")
class MessagesFuzz {
  static final Target<InferenceRequest> TARGET =
      Target.of(MessagesFuzz.class, new MessagesDecoder(Targets.PLUGINS)::decode)
          .preservingMembers(InferenceRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
