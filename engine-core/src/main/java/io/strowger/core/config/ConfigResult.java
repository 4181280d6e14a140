package io.strowger.core.config;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import java.util.List;
import java.util.Objects;

/** The result of reading a configuration: accepted, or refused with all of its problems. */
public sealed interface ConfigResult {
  /** The configuration is valid. */
  record Accepted(GatewayConfig config) implements ConfigResult {
    public Accepted {
      Objects.requireNonNull(config, "config");
    }
  }

  /**
   * The configuration is invalid; no part of it is used.
   *
   * @param problems at least one, in the order of the file's sections; variables come first
   * @param plugins the readable plugin settings, so that plugins can check their settings, too
   */
  record Refused(List<Problem> problems, PluginSettings plugins) implements ConfigResult {
    public Refused {
      problems = List.copyOf(problems);
      Objects.requireNonNull(plugins, "plugins");
    }
  }

  /** Returns the problems; empty when the configuration is valid. */
  default List<Problem> problems() {
    return switch (this) {
      case Accepted accepted -> List.of();
      case Refused refused -> refused.problems();
    };
  }

  /**
   * Returns the configuration.
   *
   * @throws io.strowger.spi.error.GatewayException with {@link ErrorCode#INVALID_REQUEST} and every
   *     problem when it was refused
   */
  default GatewayConfig orThrow() {
    return switch (this) {
      case Accepted(var config) -> config;
      case Refused(var problems, var plugins) ->
          throw GatewayError.of(ErrorCode.INVALID_REQUEST, problems).toException();
    };
  }
}
