package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.config.GuardrailValidator;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The check of bodies that create a guardrail, given any body,")
class GuardrailFuzz {
  static final Target<Json.Obj> TARGET =
      Target.of(GuardrailFuzz.class, GuardrailFuzz::check).treatingNullAsMissing();

  private static Json.Obj check(Json.Obj body, Problems problems) {
    GuardrailValidator.validate(body, problems);
    return body;
  }

  @FuzzTest
  @DisplayName("accepts it or reports which member is wrong and why")
  void checks(byte[] input) {
    TARGET.check(input);
  }
}
