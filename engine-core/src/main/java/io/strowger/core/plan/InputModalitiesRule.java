package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.routing.RoutingQuery;
import java.util.StringJoiner;

/** Drops endpoints that cannot read a kind of input the prompt holds. */
final class InputModalitiesRule implements Rule {
  @Override
  public String name() {
    return "input_modalities";
  }

  @Override
  public Test compile(RoutingQuery query, Catalog catalog) {
    int needed = query.inputModalities();
    return needed == 0 ? Test.KEEPS_ALL : endpoint -> (needed & ~endpoint.inputModalities()) != 0;
  }

  @Override
  public String reason(Endpoint endpoint, RoutingQuery query) {
    int missing = query.inputModalities() & ~endpoint.inputModalities();
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
