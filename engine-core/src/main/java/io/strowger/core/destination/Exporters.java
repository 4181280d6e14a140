package io.strowger.core.destination;

import io.strowger.core.resource.DestinationType;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.DestinationFactory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The factories of exporters that a gateway was given, by type of destination. Immutable. */
public final class Exporters {
  private static final Logger log = LoggerFactory.getLogger(Exporters.class);

  /** Exporters without a factory: every type is refused. */
  public static final Exporters NONE = new Exporters(Map.of());

  private final Map<String, DestinationFactory> factories;

  private Exporters(Map<String, DestinationFactory> factories) {
    this.factories = Map.copyOf(factories);
  }

  /**
   * Returns the exporters that these factories create.
   *
   * @throws IllegalStateException when two factories create exporters for the same type; the
   *     message names them
   */
  public static Exporters of(List<DestinationFactory> list) {
    var factories = new TreeMap<String, DestinationFactory>();
    for (DestinationFactory factory : list) {
      for (String type : factory.types()) {
        DestinationFactory existing = factories.putIfAbsent(type, factory);
        if (existing != null && existing != factory) {
          throw new IllegalStateException(
              "two factories for destinations of type "
                  + type
                  + ": "
                  + existing.getClass().getName()
                  + " and "
                  + factory.getClass().getName());
        }
      }
    }
    return new Exporters(factories);
  }

  /**
   * Returns why a type has no exporter, as the rest of a sentence that begins with the type; null
   * when it has one.
   */
  private @Nullable String missingReason(DestinationType type) {
    if (factories.containsKey(type.name())) {
      return null;
    }
    return factories.isEmpty()
        ? "has no exporter: this gateway was given none; add the module strowger-destinations and"
            + " pass its factory to Gateway.Builder.destinations"
        : "has no exporter; there are exporters for "
            + String.join(", ", new TreeMap<>(factories).keySet());
  }

  /**
   * Returns why a destination cannot be served, in a message without any value of its config; null
   * when it can.
   */
  public @Nullable String problem(DestinationType type, Json.Obj config) {
    try {
      create(type, config);
      return null;
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Creates the exporter of a destination.
   *
   * @throws IllegalArgumentException when there is no exporter for the type, when it cannot work
   *     with the config, or when its factory fails; the message may be shown to the sender of the
   *     config
   */
  DestinationExporter create(DestinationType type, Json.Obj config) {
    DestinationFactory factory = factories.get(type.name());
    if (factory == null) {
      throw new IllegalArgumentException("type " + missingReason(type));
    }
    try {
      return Objects.requireNonNull(factory.create(type.name(), config), "the created exporter");
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error(
          "{} failed to create an exporter of type {}",
          factory.getClass().getName(),
          type.name(),
          bug);
      throw new IllegalArgumentException(
          "type " + type.name() + " has an exporter that failed; the log of the gateway says why",
          bug);
    }
  }
}
