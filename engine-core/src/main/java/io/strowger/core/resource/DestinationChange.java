package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.List;

/** A change of a destination while its body is read. */
final class DestinationChange {
  Patch<String> name = Patch.absent();
  Json.Obj config = Json.Obj.EMPTY;
  Patch<Boolean> enabled = Patch.absent();
  Patch<Boolean> privacyMode = Patch.absent();
  Patch<BigDecimal> samplingRate = Patch.absent();
  Patch<FilterRules> filterRules = Patch.absent();
  Patch<List<KeyId>> keys = Patch.absent();
  Patch<Boolean> cost = Patch.absent();
  Patch<Boolean> identity = Patch.absent();
  Patch<Boolean> context = Patch.absent();

  DestinationUpdate finish() {
    return new DestinationUpdate(
        name,
        config,
        new DestinationSelection.Change(enabled, samplingRate, filterRules, keys),
        new Disclosure.Change(privacyMode, cost, identity, context));
  }
}
