package io.strowger.spi.observe;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Encodes finished calls in the format of one destination. Pure: it neither sends nor waits, reads
 * no clock and retains nothing of a call. The engine sends the exporter's requests, retries those
 * for which a retry may help, and drops the rest. Safe on any thread.
 *
 * <p>The engine counts a status of 2xx as delivered. It sends a request again only after 408, 429
 * and 5xx, or when there is no answer, for at most five minutes after the request was made. So a
 * signature must stay valid that long. A call that waits on disk is exported again for each try. An
 * exporter should give calls the ids of their {@link CallTrace.Span}, by which a destination
 * recognizes duplicates: after the end of a process a call may be sent twice.
 */
public interface DestinationExporter {
  /**
   * Returns the requests that carry calls to the destination. If this throws, the calls are
   * exported again in smaller parts, and a call for which it throws on its own is dropped and
   * counted.
   *
   * @param calls the calls to export; at least one
   * @param now the time, for dates and signatures
   * @return the requests, in the order of {@code calls}. Each call is in exactly one request. When
   *     a request is not delivered, only its calls and those of later requests are exported again
   */
  List<ExportRequest> export(List<CallTrace> calls, Instant now);

  /** Returns a request that tests the connection without storing a call. */
  ConnectionTest test(Instant now);

  /**
   * Returns how many calls a destination refused although it answered 2xx. If this throws, all
   * calls of the request count as delivered.
   *
   * @param answer the beginning of the answer's body, at most 64 KiB
   */
  default long rejectedCount(byte[] answer) {
    return 0;
  }

  /**
   * A request that tests a connection.
   *
   * @param request carries the header {@code X-Test-Connection: true}, and no call
   * @param acceptsBadRequest whether a status of 400 passes as 2xx does: the destination was
   *     reached, accepted the credential, and refuses the request only because it carries no call
   */
  record ConnectionTest(ExportRequest request, boolean acceptsBadRequest) {
    public ConnectionTest {
      Objects.requireNonNull(request, "request");
    }
  }
}
