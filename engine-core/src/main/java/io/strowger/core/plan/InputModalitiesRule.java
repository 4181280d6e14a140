package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.ErrorCode;
import java.util.StringJoiner;

/** Drops endpoints that cannot read a kind of input the prompt holds. */
final class InputModalitiesRule implements Rule {
  @Override
  public String name() {
    return "input_modalities";
  }

  @Override
  public Test compile(Scope scope) {
    int needed = scope.query().inputModalities();
    return needed == 0 ? Test.KEEPS_ALL : endpoint -> (needed & ~endpoint.inputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, Scope scope) {
    int missing = scope.query().inputModalities() & ~endpoint.inputModalities();
    var names = new StringJoiner(", ", "does not read ", "");
    for (Modality modality : Modality.values()) {
      if ((missing & modality.bit()) != 0) {
        names.add(modality.wireName());
      }
    }
    return names.toString();
  }

  @Override
  public ErrorCode whenNoneIsLeft() {
    return ErrorCode.CONSTRAINT_FILTERED;
  }
}
