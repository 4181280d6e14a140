package io.strowger.core.config;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import java.util.List;
import java.util.Objects;

/** The result of reading a configuration: accepted, or refused with all of its problems. */
public sealed interface ConfigResult {
  /** The configuration is good. */
  record Accepted(GatewayConfig config) implements ConfigResult {
    public Accepted {
      Objects.requireNonNull(config, "config");
    }
  }

  /**
   * The configuration is not used, not even in part.
   *
   * @param problems at least one; in the order of the file's sections, variables first
   * @param plugins what it says of plugins as far as it can be read, for them to judge as well
   */
  record Refused(List<Problem> problems, PluginSettings plugins) implements ConfigResult {
    public Refused {
      problems = List.copyOf(problems);
      Objects.requireNonNull(plugins, "plugins");
    }
  }

  /** What is wrong; empty when nothing is. */
  default List<Problem> problems() {
    return switch (this) {
      case Accepted accepted -> List.of();
      case Refused refused -> refused.problems();
    };
  }

  /**
   * The configuration.
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
