package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.DestinationTable;
import io.strowger.core.resource.DestinationType;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that change a destination, given anything,")
class DestinationUpdateFuzz {
  static final Target<DestinationTable.Change> TARGET =
      Target.of(DestinationUpdateFuzz.class, DestinationUpdateFuzz::update);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }

  /** Which destination it is for is said by a member that the decoder does not know. */
  private static DestinationTable.@Nullable Change update(Json.Obj body, Problems problems) {
    String type = body.text("type");
    return DestinationTable.update(
        body, type == null ? null : DestinationType.find(type), problems);
  }
}
