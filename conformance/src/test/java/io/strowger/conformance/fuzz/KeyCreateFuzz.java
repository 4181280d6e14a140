package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.KeyCreate;
import io.strowger.core.resource.KeyDecoder;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that make a key, given anything,")
class KeyCreateFuzz {
  static final Target<KeyCreate> TARGET = Target.of(KeyCreateFuzz.class, new KeyDecoder()::create);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
