package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.unary.ImagesDecoder;
import io.strowger.spi.model.ImagesRequest;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of images bodies, given anything,")
class ImagesFuzz {
  static final Target<ImagesRequest> TARGET =
      Target.of(ImagesFuzz.class, new ImagesDecoder()::decode).keeping(ImagesRequest::members);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
