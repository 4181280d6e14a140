package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.ByokKeyTable;
import io.strowger.core.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that create or change a BYOK key, given any body,")
class ByokKeyFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(ByokKeyFuzz.class, ByokKeyTable.TYPE::create);

  static final Target<ResourceType.Values> UPDATE =
      Target.of(ByokKeyFuzz.class, ByokKeyTable.TYPE::update);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
  }
}
