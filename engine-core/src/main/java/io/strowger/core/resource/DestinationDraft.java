package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A destination while its body is read; at first with what the contract says of what is left out.
 */
final class DestinationDraft {
  String name = "";
  @Nullable String workspaceId;
  @Nullable DestinationType type;
  Json.Obj config = Json.Obj.EMPTY;
  boolean enabled = true;
  boolean privacyMode;
  BigDecimal samplingRate = BigDecimal.ONE;
  @Nullable FilterRules filterRules;
  @Nullable List<KeyId> keys;
  boolean cost;
  boolean identity;
  boolean context;

  DestinationCreate finish() {
    DestinationType known = Objects.requireNonNull(type);
    return new DestinationCreate(
        name,
        workspaceId,
        known,
        known.withFallbacks(config),
        new DestinationSelection(enabled, samplingRate, filterRules, keys),
        new Disclosure(privacyMode, cost, identity, context));
  }
}
