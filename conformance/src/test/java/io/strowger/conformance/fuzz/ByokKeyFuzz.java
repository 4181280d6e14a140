package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.ByokKeyTable;
import io.strowger.core.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The table of bodies that make and change a customer's own key, given anything,")
class ByokKeyFuzz {
  static final Target<ResourceType.Values> TARGET =
      Target.of(ByokKeyFuzz.class, ByokKeyTable.TYPE::create);

  static final Target<ResourceType.Values> UPDATE =
      Target.of(ByokKeyFuzz.class, ByokKeyTable.TYPE::update);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
    UPDATE.check(input);
  }
}
