package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.EmbeddingsDecoder;
import io.strowger.spi.model.EmbeddingsRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of embeddings bodies, given any body,")
class EmbeddingsFuzz {
  static final Target<EmbeddingsRequest> TARGET =
      Target.of(EmbeddingsFuzz.class, new EmbeddingsDecoder()::decode)
          .preservingMembers(EmbeddingsRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
