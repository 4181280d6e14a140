package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.ByokKeyCreate;
import io.strowger.core.resource.ByokKeyDecoder;
import io.strowger.core.resource.ByokKeyUpdate;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that make and change a customer's own key, given anything,")
class ByokKeyFuzz {
  static final Target<ByokKeyCreate> TARGET =
      Target.of(ByokKeyFuzz.class, new ByokKeyDecoder()::create);

  static final Target<ByokKeyUpdate> UPDATE =
      Target.of(ByokKeyFuzz.class, new ByokKeyDecoder()::update);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
  }
}
