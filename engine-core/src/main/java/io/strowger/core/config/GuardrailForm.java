package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;

/**
 * Validates the body of a guardrail by the rules that apply to guardrails of the configuration
 * file.
 */
public final class GuardrailForm {
  private GuardrailForm() {}

  /**
   * Notes all that is wrong. Members nobody knows are ignored.
   *
   * @param body whole, as the guardrail is to be
   */
  @SuppressWarnings("exports") // for the engine
  public static void check(Json.Obj body, Problems problems) {
    new Section(body, body, JsonPointer.ROOT, problems).read(GuardrailReader::read);
  }
}
