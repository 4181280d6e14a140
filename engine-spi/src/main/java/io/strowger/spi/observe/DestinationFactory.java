package io.strowger.spi.observe;

import io.strowger.spi.json.Json;
import java.util.Set;

/**
 * Creates the exporters of some types of destination. A host finds factories with {@link
 * java.util.ServiceLoader}, or creates them, and gives them to the builder of its gateway. Safe on
 * any thread.
 */
public interface DestinationFactory {
  /**
   * Returns the types that the factory makes exporters for, as {@code type} of a destination spells
   * them, such as {@code webhook}.
   */
  Set<String> types();

  /**
   * Creates an exporter. Must return quickly and connect to nothing.
   *
   * @param type one of {@link #types}
   * @param config the configuration of the destination, with default values for omitted members;
   *     contains secrets
   * @throws IllegalArgumentException when the destination cannot be used with this config; the
   *     message begins with the name of the wrong member, is shown to the user who sent the config,
   *     and repeats no value of it
   */
  DestinationExporter create(String type, Json.Obj config);
}
