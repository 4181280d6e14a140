package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.KeyTable;
import io.strowger.core.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The table of bodies that make a key, given anything,")
class KeyCreateFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(KeyCreateFuzz.class, KeyTable.TYPE::create);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
