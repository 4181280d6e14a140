package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationTable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that create a destination, given any body,")
class DestinationCreateFuzz {
  static final Target<DestinationCreate> TARGET =
      Target.of(DestinationCreateFuzz.class, DestinationTable::create);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
