package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;

/**
 * Validates the body of a guardrail by the rules that apply to guardrails of the configuration
 * file.
 */
public final class GuardrailValidator {
  private GuardrailValidator() {}

  /**
   * Adds every problem of a body to the list. Unknown members are ignored.
   *
   * @param body the complete body of the guardrail
   */
  @SuppressWarnings("exports") // for the engine
  public static void validate(Json.Obj body, Problems problems) {
    new Section(body, body, JsonPointer.ROOT, problems).read(GuardrailReader::read);
  }
}
