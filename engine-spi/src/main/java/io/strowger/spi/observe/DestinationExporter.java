package io.strowger.spi.observe;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Writes finished calls in the words of one destination. Pure: it neither sends nor waits, reads no
 * clock and keeps nothing of a call. The engine sends what it makes, tries again what is worth it,
 * and drops the rest. Safe on any thread.
 *
 * <p>The engine takes a status of 2xx for delivered. It sends a request again after 408, 429 and
 * 5xx, and when there is no answer, for at most five minutes after it was made; nothing else. So a
 * signature has to hold that long. A call that waits on disk is exported anew for each try. An
 * exporter should give calls the ids of their {@link CallTrace.Span}, by which a destination knows
 * what it has already: after the end of a process a call may be sent twice.
 */
public interface DestinationExporter {
  /**
   * Returns the requests that carry calls to the destination.
   *
   * @param calls at least one
   * @param now the time, for dates and signatures
   * @return each call in exactly one of them, in the order of {@code calls}: when the first of them
   *     were delivered and another was not, only the calls of the rest are exported again
   */
  List<ExportRequest> export(List<CallTrace> calls, Instant now);

  /** Returns what tests the connection and stores no call. */
  ConnectionTest test(Instant now);

  /**
   * Returns how many calls a destination refused though it answered 2xx.
   *
   * @param answer the beginning of the answer's body, at most 64 KiB
   */
  default long rejected(byte[] answer) {
    return 0;
  }

  /**
   * A request that tests a connection.
   *
   * @param request carries the header {@code X-Test-Connection: true}, and no call
   * @param passesWhenBad a status of 400 passes as 2xx does: the destination was reached and took
   *     the credential, and refuses only that there is no call
   */
  record ConnectionTest(ExportRequest request, boolean passesWhenBad) {
    public ConnectionTest {
      Objects.requireNonNull(request, "request");
    }
  }
}
