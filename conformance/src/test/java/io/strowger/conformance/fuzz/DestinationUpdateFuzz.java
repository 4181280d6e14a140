package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.decode.Problems;
import io.strowger.core.resource.DestinationTable;
import io.strowger.core.resource.DestinationType;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that change a destination, given any body,")
class DestinationUpdateFuzz {
  static final Target<DestinationTable.Change> TARGET =
      Target.of(DestinationUpdateFuzz.class, DestinationUpdateFuzz::update);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }

  /**
   * Decodes a change. The member {@code type} of the input selects the type of the destination that
   * is changed; the decoder itself ignores it.
   */
  private static DestinationTable.@Nullable Change update(Json.Obj body, Problems problems) {
    String type = body.text("type");
    return DestinationTable.update(
        body, type == null ? null : DestinationType.find(type), problems);
  }
}
