package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import java.util.List;

/**
 * Narrows and orders the models or endpoints a request may use, in two pure steps: {@link #facts}
 * reads the request, {@link #select} decides from the facts alone. A recorded decision is replayed
 * without the prompt.
 *
 * <p>Pure: no I/O, no clock, no chance but {@link Feasible#chance}, no state kept between calls.
 * {@code facts} is called once per request, {@code select} once per decision and again whenever one
 * is explained or replayed; on any thread, possibly concurrently, and inside every request's
 * latency: {@code select} should take microseconds. Returning null, throwing, or choosing what was
 * not offered fails the request with 500 and names the plugin in the trace.
 *
 * <p>What is offered has passed every hard rule, so a router need not repeat them. A router that
 * finds nothing is asked again, up to ten times, what it would choose if neither money nor time
 * were missing: from that the caller learns whether to wait. Nothing of it is tried. Contract:
 * "Plugins" (auto-router, pareto-router).
 */
public non-sealed interface RouterPlugin extends Plugin {
  /**
   * What the decision needs to know of the request. Small, and recorded: labels and scores, no text
   * of the prompt.
   */
  default Json facts(InferenceRequest request) {
    return Json.Obj.EMPTY;
  }

  /** Chooses among what is feasible. */
  Selection select(Feasible feasible, Json facts);

  /**
   * An indexed view of what survived the rules; nothing is copied for it. Valid during the call
   * only.
   */
  interface Feasible {
    Catalog catalog();

    /** How many models are visible; they are numbered from 0 in catalog order. */
    int models();

    ModelInfo model(int index);

    /** At least one endpoint of the model may be used. */
    boolean feasible(int index);

    /**
     * The cheapest usable endpoint's {@link io.strowger.spi.catalog.Endpoint#blendedPrice()};
     * {@link Long#MAX_VALUE} when none.
     */
    long price(int index);

    /**
     * What a prompt token costs at the cheapest usable endpoint by that price, in picodollars, at
     * the size and hour of the request; {@link Long#MAX_VALUE} when none.
     */
    long promptPicos(int index);

    /**
     * Tokens per second of the fastest usable endpoint, the median of what was measured, else what
     * the catalog assumes; 0 when not known.
     */
    double throughput(int index);

    /** A usable endpoint of the model served this conversation before. */
    boolean sticky(int index);

    /**
     * A number by chance, every {@code long} as likely, for each {@code n} from 0 another. They
     * belong to the decision: explained or replayed it has the same ones.
     */
    long chance(int n);

    /**
     * The models whose id fits one of these patterns, usable or not. {@code *} stands for any run
     * of characters, anywhere; without it a pattern fits one id. In any case. A model with a
     * variant, such as {@code acme/large:free}, also fits by its id without the variant.
     */
    ModelSet matching(List<String> patterns);
  }

  /** Some models of a catalog, by their place in it. */
  interface ModelSet {
    boolean contains(int index);

    int size();
  }

  /** What a router decided. */
  sealed interface Selection {
    Selection PASS = new Pass();

    /**
     * These models by id, best first, each with the usual order of its endpoints.
     *
     * @param data for {@code router_metadata}, such as the kind of task
     */
    record Models(List<String> inOrder, String reason, Json.Obj data) implements Selection {
      public Models {
        inOrder = List.copyOf(inOrder);
      }

      public Models(List<String> inOrder, String reason) {
        this(inOrder, reason, Json.Obj.EMPTY);
      }
    }

    /**
     * These endpoints by id, in this order.
     *
     * @param data for {@code router_metadata}
     */
    record Endpoints(List<String> inOrder, String reason, Json.Obj data) implements Selection {
      public Endpoints {
        inOrder = List.copyOf(inOrder);
      }

      public Endpoints(List<String> inOrder, String reason) {
        this(inOrder, reason, Json.Obj.EMPTY);
      }
    }

    /** Nothing will do, and this is what the caller reads. */
    record None(ErrorCode code, String reason) implements Selection {}

    /** No opinion. */
    record Pass() implements Selection {}
  }
}
