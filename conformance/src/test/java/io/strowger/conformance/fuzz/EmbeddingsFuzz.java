package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.EmbeddingsDecoder;
import io.strowger.spi.model.EmbeddingsRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of embeddings bodies, given anything,")
class EmbeddingsFuzz {
  static final Target<EmbeddingsRequest> TARGET =
      Target.of(EmbeddingsFuzz.class, new EmbeddingsDecoder()::decode)
          .keeping(EmbeddingsRequest::members);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
