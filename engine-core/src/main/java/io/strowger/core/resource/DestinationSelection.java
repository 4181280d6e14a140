package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the requests that are sent to a destination. Contract: "Observability destination".
 *
 * @param enabled false to send none
 * @param samplingRate the share of sessions to send, 0.0001 to 1
 * @param filterRules the rules for requests to send; null to send all
 * @param keys the keys whose requests are sent, at least one; null for all keys
 */
public record DestinationSelection(
    boolean enabled,
    BigDecimal samplingRate,
    @Nullable FilterRules filterRules,
    @Nullable List<KeyId> keys) {
  public DestinationSelection {
    samplingRate = samplingRate.stripTrailingZeros();
    keys = keys == null ? null : List.copyOf(keys);
  }

  /**
   * Reads the members of a destination, as {@link DestinationTable} keeps them. Absent members have
   * their defaults.
   */
  public static DestinationSelection of(Json.Obj members) {
    Json.Obj filter = members.object("filter_rules");
    return new DestinationSelection(
        !Json.FALSE.equals(members.get("enabled")),
        members.get("sampling_rate") instanceof Json.Num rate ? rate.decimal() : BigDecimal.ONE,
        filter == null ? null : FilterRules.read(filter),
        keys(members.list("api_key_hashes")));
  }

  private static @Nullable List<KeyId> keys(Json.@Nullable Arr list) {
    if (list == null) {
      return null;
    }
    var keys = new ArrayList<KeyId>(list.size());
    for (Json item : list) {
      if (item instanceof Json.Str hash) {
        keys.add(KeyId.of(HexFormat.of().parseHex(hash.text())));
      }
    }
    return keys;
  }
}
