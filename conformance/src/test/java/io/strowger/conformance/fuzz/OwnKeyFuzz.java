package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.OwnKeyCreate;
import io.strowger.core.resource.OwnKeyDecoder;
import io.strowger.core.resource.OwnKeyUpdate;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that make and change a customer's own key, given anything,")
class OwnKeyFuzz {
  static final Target<OwnKeyCreate> TARGET =
      Target.of(OwnKeyFuzz.class, new OwnKeyDecoder()::create);

  static final Target<OwnKeyUpdate> UPDATE =
      Target.of(OwnKeyFuzz.class, new OwnKeyDecoder()::update);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
  }
}
