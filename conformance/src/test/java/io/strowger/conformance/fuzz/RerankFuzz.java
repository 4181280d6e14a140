package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.RerankDecoder;
import io.strowger.spi.model.RerankRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of rerank bodies, given any body,")
class RerankFuzz {
  static final Target<RerankRequest> TARGET =
      Target.of(RerankFuzz.class, new RerankDecoder()::decode)
          .preservingMembers(RerankRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
