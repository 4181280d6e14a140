package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.KeyTable;
import io.strowger.core.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that change a key, given any body,")
class KeyUpdateFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(KeyUpdateFuzz.class, KeyTable.TYPE::update);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
