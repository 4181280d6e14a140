package io.strowger.core.destination;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the exporter of one destination. A failure of the exporter is logged, and not again before
 * it has exported something. For one thread.
 */
final class CallExport {
  private static final Logger log = LoggerFactory.getLogger(CallExport.class);

  private final String name; // of the destination, for the log
  private final Ambient ambient;
  private boolean failing; // the last call that was exported alone failed, which was logged

  CallExport(String name, Ambient ambient) {
    this.name = name;
    this.ambient = ambient;
  }

  /**
   * Returns the requests that carry these calls.
   *
   * @param calls at least one
   * @return null when the exporter fails. If there are several calls, it may fail because of one of
   *     them: export them again in smaller parts
   */
  @Nullable List<ExportRequest> requests(DestinationExporter exporter, List<CallTrace> calls) {
    try {
      List<ExportRequest> requests = List.copyOf(exporter.export(calls, ambient.now()));
      failing = false;
      return requests;
    } catch (RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError bug) {
      if (calls.size() == 1 && !failing) {
        failing = true;
        log.error(
            "the exporter of destination {} failed for call {}, which is lost; further failures are"
                + " not logged until it has exported a call",
            name,
            calls.getFirst().id(),
            bug);
      }
      return null;
    }
  }
}
