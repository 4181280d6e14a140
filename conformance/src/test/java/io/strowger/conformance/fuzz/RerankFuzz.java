package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.RerankDecoder;
import io.strowger.spi.model.RerankRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of rerank bodies, given anything,")
class RerankFuzz {
  static final Target<RerankRequest> TARGET =
      Target.of(RerankFuzz.class, new RerankDecoder()::decode).keeping(RerankRequest::members);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
