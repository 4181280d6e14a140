package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationTable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that make a destination, given anything,")
class DestinationCreateFuzz {
  static final Target<DestinationCreate> TARGET =
      Target.of(DestinationCreateFuzz.class, DestinationTable::create);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
