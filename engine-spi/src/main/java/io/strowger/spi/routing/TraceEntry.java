package io.strowger.spi.routing;

import io.strowger.spi.error.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * One fact about how a request was served. One list of them serves {@code router_metadata},
 * explain, records and tests; text for people is made from it, never stored in it twice.
 */
public sealed interface TraceEntry {
  /**
   * A rule dropped an endpoint.
   *
   * @param endpoint {@link io.strowger.spi.catalog.Endpoint#id()}
   * @param rule the member of the request, account or engine that dropped it, such as {@code
   *     provider.ignore}
   * @param reason why, for a person
   */
  record Excluded(String endpoint, String rule, String reason) implements TraceEntry {}

  /** Several endpoints of a model were set aside because others suit the request better. */
  record Narrowed(String model, String rule, int kept, int setAside) implements TraceEntry {}

  /**
   * An endpoint is a candidate.
   *
   * @param rank place in the plan, from 0
   * @param by what decided its place: {@code provider.order} or {@code price}
   * @param score by that: the place in the caller's list, from 0; or the blended price
   */
  record Ranked(String endpoint, int rank, String by, double score) implements TraceEntry {}

  /**
   * An attempt was made.
   *
   * @param status the upstream's HTTP status, 200 when it answered; 0 when there was none
   * @param failure null when the attempt delivered
   * @param nanos how long it took, in nanoseconds
   */
  record Attempted(String endpoint, int status, @Nullable FailureKind failure, long nanos)
      implements TraceEntry {}

  /** Something else worth knowing, by a plugin or the engine. */
  record Note(String source, String text) implements TraceEntry {}
}
