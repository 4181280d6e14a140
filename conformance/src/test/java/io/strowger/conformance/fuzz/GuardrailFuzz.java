package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.config.GuardrailForm;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The judge of bodies that make a guardrail, given anything,")
class GuardrailFuzz {
  static final Target<Json.Obj> TARGET =
      Target.of(GuardrailFuzz.class, GuardrailFuzz::judged).takingNullForNothing();

  private static Json.Obj judged(Json.Obj body, Problems problems) {
    GuardrailForm.check(body, problems);
    return body;
  }

  @FuzzTest
  @DisplayName("takes it or names what is wrong with which member")
  void judges(byte[] input) {
    TARGET.check(input);
  }
}
