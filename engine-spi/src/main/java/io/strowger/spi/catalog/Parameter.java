package io.strowger.spi.catalog;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * A request parameter that an endpoint may support. Contract: "Provider preferences", {@code
 * require_parameters}; the vocabulary is that of the routing fact sheet, section 7.
 */
public enum Parameter {
  TEMPERATURE,
  TOP_P,
  TOP_K,
  MIN_P,
  TOP_A,
  FREQUENCY_PENALTY,
  PRESENCE_PENALTY,
  REPETITION_PENALTY,
  MAX_TOKENS,
  MAX_COMPLETION_TOKENS,
  LOGIT_BIAS,
  LOGPROBS,
  TOP_LOGPROBS,
  PREDICTION,
  SEED,
  RESPONSE_FORMAT,
  STRUCTURED_OUTPUTS,
  STOP,
  TOOLS,
  TOOL_CHOICE,
  PARALLEL_TOOL_CALLS,
  INCLUDE_REASONING,
  REASONING,
  REASONING_EFFORT,
  WEB_SEARCH_OPTIONS,
  VERBOSITY;

  /** The mask of all parameters. */
  public static final long ALL = (1L << values().length) - 1;

  /** Returns this parameter's bit in a mask. */
  public long bit() {
    return 1L << ordinal();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Parameter> ofWireName(String name) {
    for (Parameter parameter : values()) {
      if (parameter.wireName().equals(name)) {
        return Optional.of(parameter);
      }
    }
    return Optional.empty();
  }

  /** Returns the mask of several parameters. */
  public static long mask(Collection<Parameter> parameters) {
    long mask = 0;
    for (Parameter parameter : parameters) {
      mask |= parameter.bit();
    }
    return mask;
  }
}
