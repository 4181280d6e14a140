package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.ImagesDecoder;
import io.strowger.spi.model.ImagesRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of image generation bodies, given any body,")
class ImagesFuzz {
  static final Target<ImagesRequest> TARGET =
      Target.of(ImagesFuzz.class, new ImagesDecoder()::decode)
          .preservingMembers(ImagesRequest::members);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
