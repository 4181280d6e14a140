package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.spi.model.InferenceRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of responses bodies, given any body,")
class ResponsesFuzz {
  static final Target<InferenceRequest> TARGET =
      Target.of(ResponsesFuzz.class, new ResponsesDecoder(Targets.PLUGINS)::decode)
          .preservingMembers(InferenceRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
