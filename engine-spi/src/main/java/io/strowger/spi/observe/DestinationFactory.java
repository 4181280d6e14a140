package io.strowger.spi.observe;

import io.strowger.spi.json.Json;
import java.util.Set;

/**
 * Makes the exporters of some types of destination. A host finds factories with {@link
 * java.util.ServiceLoader}, or makes them, and gives them to the builder of its gateway. Safe on
 * any thread.
 */
public interface DestinationFactory {
  /**
   * Returns the types it makes exporters for, as {@code type} of a destination spells them, such as
   * {@code webhook}.
   */
  Set<String> types();

  /**
   * Makes an exporter. Quick: it connects to nothing.
   *
   * @param type one of {@link #types}
   * @param config of the destination, with usual values in the place of those left out; holds
   *     secrets
   * @throws IllegalArgumentException when the destination cannot be reached with such a config; the
   *     message begins with the name of the member, is shown to who sent it, and holds nothing of
   *     what the config says
   */
  DestinationExporter create(String type, Json.Obj config);
}
