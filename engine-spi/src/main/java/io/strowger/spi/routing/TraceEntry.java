package io.strowger.spi.routing;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fact about how a request was served. {@code router_metadata}, explain, records and tests all
 * use the same list of entries; texts for people are derived from the list and not stored in it.
 */
public sealed interface TraceEntry {
  /**
   * A rule dropped an endpoint.
   *
   * @param endpoint {@link io.strowger.spi.catalog.Endpoint#id()}
   * @param rule what dropped it: a member of the request, such as {@code provider.ignore}, or a
   *     rule of the account or the engine
   * @param reason why, for a person
   */
  record Excluded(String endpoint, String rule, String reason) implements TraceEntry {}

  /**
   * The number of further endpoints that a rule excluded, when there are too many to list each of
   * them.
   *
   * @param rule the rule, as in {@link Excluded}
   * @param endpoints the number of further endpoints
   */
  record ExcludedCount(String rule, int endpoints) implements TraceEntry {}

  /** Several endpoints of a model were set aside because others suit the request better. */
  record Narrowed(String model, String rule, int kept, int setAside) implements TraceEntry {}

  /**
   * A router ran.
   *
   * @param plugin the id of the router
   * @param model the requested model name that selected it; empty when it acts on every request
   * @param reason the reason for its choice, for a person
   * @param data further data about its choice, such as the kind of task; for {@code
   *     router_metadata}
   */
  record Routed(String plugin, String model, String reason, Json.Obj data) implements TraceEntry {
    /** The reason that is recorded when a router made no choice. */
    public static final String NO_OPINION = "no opinion";
  }

  /**
   * An endpoint is a candidate.
   *
   * @param byokKey id of the customer's own key it would be used with; null for the gateway's
   * @param rank place in the plan, from 0
   * @param criterion the criterion among otherwise equal candidates: {@code price}, {@code
   *     throughput}, {@code latency}, {@code exacto}, {@code provider.order}, {@code sticky}, or
   *     {@code router} when a router's order is final
   * @param score the value of that criterion: the blended price; tokens per second or seconds, -1
   *     when not known; the quality tier, from 0; or the place in a list, from 0
   */
  record Ranked(String endpoint, @Nullable String byokKey, int rank, String criterion, double score)
      implements TraceEntry {}

  /** A candidate was skipped when it would have been tried next. */
  record Skipped(String endpoint, @Nullable String byokKey, String reason) implements TraceEntry {}

  /**
   * An attempt was made.
   *
   * @param byokKey id of the customer's own key it was made with; null for the gateway's
   * @param status the upstream's HTTP status, 200 when it answered; 0 when there was none
   * @param failure the kind of failure; null when the attempt delivered
   * @param nanos how long it took, in nanoseconds
   */
  record Attempted(
      String endpoint,
      @Nullable String byokKey,
      int status,
      @Nullable FailureKind failure,
      long nanos)
      implements TraceEntry {}

  /**
   * A request or its answer lost something when it was translated between dialects.
   *
   * @param endpoint the id of the endpoint it was sent to
   * @param losses in the order they happened; never empty
   */
  record Translated(String endpoint, List<Loss> losses) implements TraceEntry {
    public Translated {
      losses = List.copyOf(losses);
    }
  }

  /**
   * A plugin changed something, as callers read it in the {@code pipeline} of {@code
   * router_metadata}. Plugins fact sheet, section 1.
   *
   * @param type {@code guardrail}, {@code plugin}, {@code server_tools}, {@code response_healing}
   *     or {@code context_compression}
   * @param name the name of the stage, such as {@code response-healing}
   * @param summary for a person; null when there is nothing to say
   * @param data the data that the type documents; empty when there is none
   */
  record Stage(String type, String name, @Nullable String summary, Json.Obj data)
      implements TraceEntry {}

  /** A note by a plugin or the engine. */
  record Note(String source, String text) implements TraceEntry {}
}
