package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.KeyDecoder;
import io.strowger.core.resource.KeyUpdate;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that change a key, given anything,")
class KeyUpdateFuzz {
  static final Target<KeyUpdate> TARGET = Target.of(KeyUpdateFuzz.class, new KeyDecoder()::update);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
