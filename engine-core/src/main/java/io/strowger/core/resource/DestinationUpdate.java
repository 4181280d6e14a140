package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import java.util.Objects;

/**
 * What is to change of a destination. Resources fact sheet, section 5. Shows nothing of its config
 * in text.
 *
 * @param name never cleared
 * @param config the members that change, masked ones left out but for those of headers; empty when
 *     none does; holds secrets; keeps no body reachable
 */
public record DestinationUpdate(
    Patch<String> name,
    Json.Obj config,
    DestinationSelection.Change selection,
    Disclosure.Change disclosure) {
  public DestinationUpdate {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(selection, "selection");
    Objects.requireNonNull(disclosure, "disclosure");
  }

  @Override
  public String toString() {
    return "DestinationUpdate[" + name + "]";
  }
}
