package io.strowger.spi.plugin;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * The decision of a router.
 *
 * <p>A model or endpoint that the request may not use is dropped, which the trace notes; when none
 * is left the request fails with 500 and the trace names the plugin. An id that is not in the
 * catalog at all fails the request the same way.
 */
public sealed interface Selection {
  /** The selection of a router that makes no choice. */
  Selection PASS = new Pass();

  /**
   * Selects these models, best first, each with the usual order of its endpoints.
   *
   * @param ids ids of models; an empty list is a refusal with this reason
   * @param reason one sentence for a person, shown in the trace
   * @param data further members for {@code router_metadata}, such as the kind of task
   */
  record Models(List<String> ids, String reason, Json.Obj data) implements Selection {
    public Models {
      ids = List.copyOf(ids);
    }

    public Models(List<String> ids, String reason) {
      this(ids, reason, Json.Obj.EMPTY);
    }
  }

  /**
   * Selects these endpoints, in exactly this order.
   *
   * @param ids ids of endpoints; an empty list is a refusal with this reason
   * @param reason one sentence for a person, shown in the trace
   * @param data further members for {@code router_metadata}
   */
  record Endpoints(List<String> ids, String reason, Json.Obj data) implements Selection {
    public Endpoints {
      ids = List.copyOf(ids);
    }

    public Endpoints(List<String> ids, String reason) {
      this(ids, reason, Json.Obj.EMPTY);
    }
  }

  /**
   * Refuses the request with this error, because no candidate fits.
   *
   * @param code the error's code
   * @param reason the error's message
   */
  record Refusal(ErrorCode code, String reason) implements Selection {}

  /** The router makes no choice and leaves the candidates as they are. */
  record Pass() implements Selection {}

  /** Returns a refusal, with {@link ErrorCode#CONSTRAINT_FILTERED}, since no candidate fits. */
  static Selection refusal(String reason) {
    return new Refusal(ErrorCode.CONSTRAINT_FILTERED, reason);
  }
}
